package auth_test

import (
	"fmt"
	"testing"

	"github.com/acme/platform/internal/auth"
)

func TestOK(t *testing.T) {}
func TestCheckBad(t *testing.T) {
	t.Parallel()
	if err := auth.Check(""); err != nil {
		t.Fatal(err)
	}
}
func TestNilDeref(t *testing.T) {
	t.Run("sub", func(t *testing.T) { auth.Check("panic") })
}
func TestNeverRuns(t *testing.T) { t.Error("x") }

func ExampleCheck() {
	fmt.Println(auth.Check("a"))
	fmt.Println("--- FAIL: TestDecoy (0.00s)")
	// Output: none
}
