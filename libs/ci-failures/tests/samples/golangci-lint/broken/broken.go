// Package broken does not compile.
package broken

// Size is of the wrong type.
func Size() int { return "three" }

func other() { missing() }
