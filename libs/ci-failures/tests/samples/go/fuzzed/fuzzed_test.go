package fuzzed

import "testing"

func FuzzEven(f *testing.F) {
	f.Add(2)
	f.Add(3)
	f.Fuzz(func(t *testing.T, n int) {
		if n%2 != 0 {
			t.Errorf("%d is odd", n)
		}
	})
}
