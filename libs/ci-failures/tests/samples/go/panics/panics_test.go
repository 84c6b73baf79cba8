package panics

import (
	"testing"

	"example.com/app/calc"
)

func TestBefore(t *testing.T) { t.Error("before the panic") }

func TestLibrary(t *testing.T) {
	t.Run("deep", func(t *testing.T) { calc.Must(false) })
}

func TestAfter(t *testing.T) { t.Error("never runs") }
