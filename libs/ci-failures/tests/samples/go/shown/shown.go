// Package shown greets.
package shown

// Greet greets.
func Greet() {}
