package broken

import "testing"

func TestNever(t *testing.T) { t.Fatal("never built") }
