package auth

import "errors"

// Check checks.
func Check(s string) error {
	if s == "" {
		return errors.New("empty")
	}
	if s == "panic" {
		var p *struct{ x int }
		_ = p.x
	}
	return nil
}
