package vetted

import (
	"fmt"
	"testing"
)

func TestVerbs(t *testing.T) { fmt.Printf("%d\n", "text") }

func TestMore(t *testing.T) { t.Errorf("%s") }
