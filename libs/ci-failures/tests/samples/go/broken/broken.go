// Package broken does not compile.
package broken

import "os"

// Size is of the wrong type.
func Size() int { return "three" }

func other() { undefined.Call(missing) }
