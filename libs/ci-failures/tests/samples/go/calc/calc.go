// Package calc adds, wrongly.
package calc

// Add should add.
func Add(a, b int) int { return a + b + 1 }

// Must is deep in a library for those who call it.
func Must(ok bool) {
	if !ok {
		panic("calc: it must be")
	}
}
