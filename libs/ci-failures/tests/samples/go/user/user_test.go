package user

import (
	"testing"

	"example.com/app/broken"
)

func TestUses(t *testing.T) { _ = broken.Size() }
