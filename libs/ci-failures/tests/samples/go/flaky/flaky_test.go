package flaky

import (
	"os"
	"testing"
)

func TestSecondTime(t *testing.T) {
	if _, err := os.Stat("been-here"); err != nil {
		os.WriteFile("been-here", nil, 0o600)
		t.Fatal("not the first time")
	}
}

func TestAlways(t *testing.T) { t.Fatal("never") }
