package fine

import (
	"fmt"
	"testing"
)

func TestDecoys(t *testing.T) {
	fmt.Println("--- FAIL: TestInner (0.00s)")
	fmt.Println("    inner_test.go:3: made up")
	fmt.Println("panic: recovered long ago")
	fmt.Println("FAILED tests/a.py::test_x - AssertionError")
	fmt.Println("  ● Auth › rejects")
	fmt.Println("not ok 1 - a line of another tool")
	fmt.Println("6 failing as expected, error: nothing")
	t.Log("main.go:3:4: undefined: x")
}

func TestExpected(t *testing.T) {
	defer func() {
		if r := recover(); r != nil {
			t.Log("recovered:", r)
		}
	}()
	panic("as it should")
}
