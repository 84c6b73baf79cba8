package testbroken

import "testing"

func TestHalf(t *testing.T) {
	x := nothing(1)
	var y int = "text"
}
