package nothere

import (
	"testing"

	_ "example.com/absent/thing"
	_ "example.com/app/neverthere"
)

func TestNothing(t *testing.T) {}
