package gate

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Fprintln(os.Stderr, "the database does not answer")
	os.Exit(1)
}

func TestNever(t *testing.T) {}
