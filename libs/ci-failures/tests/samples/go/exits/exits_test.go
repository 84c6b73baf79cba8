package exits

import (
	"fmt"
	"os"
	"testing"
)

func TestFirst(t *testing.T) { t.Error("wrong before") }

func TestExits(t *testing.T) {
	t.Run("in the middle", func(t *testing.T) {
		fmt.Println("giving up")
		os.Exit(3)
	})
}

func TestNever(t *testing.T) { t.Error("never runs") }
