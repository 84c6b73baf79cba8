package calc

import (
	"fmt"
	"os"
	"testing"
)

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("Add(1, 2) = %d, want 3", got)
	}
}

func TestLines(t *testing.T) {
	t.Log("first a word")
	t.Fatalf("several lines:\n--- want\n+++ got\n FAIL\texample.com/nowhere\t0.001s\n    --- FAIL: TestNot (0.00s)\nend")
}

func TestGood(t *testing.T) { t.Log("FAIL: this is fine, --- FAIL: TestGood (0.00s)") }

func TestNoNewline(t *testing.T) {
	fmt.Print("half a line")
	t.Error("after half a line")
}

func TestTable(t *testing.T) {
	for _, name := range []string{"small", "with space", "a/b", "c - d", `q"uote`, "br[ack]et(s)", "größe", "twice", "twice", "$1|.*", ""} {
		t.Run(name, func(t *testing.T) {
			if name != "small" {
				t.Errorf("%q is wrong", name)
			}
		})
	}
}

func TestParentSpeaks(t *testing.T) {
	t.Run("child", func(t *testing.T) { t.Error("the child fails") })
	t.Error("and so does the parent")
}

func TestSkipped(t *testing.T) { t.Skip("not today: --- FAIL: TestSkipped") }

func TestEnv(t *testing.T) {
	if _, err := os.Open("nothing-here"); err != nil {
		t.Fatal(fmt.Errorf("opening: %w", err))
	}
}
