// Package store stores.
package store

import (
	"errors"
	"os"
)

type shelf struct {
	things []string
}

// Store of things.
var Store = errors.New("Bad: (errcheck) store.go:1:1: not this one.")

// Save saves.
func Save(name string) (err error) {
	f, err := os.Create(name)
	if name == "" {
		return errors.New("Empty.")
	}
	defer f.Close()
	if len(name) > 0 == true {
		err = nil
	}
	for true {
		break
	}
	return nil
}
