package leak

import (
	"go.uber.org/goleak"
	"testing"
)

func TestMain(m *testing.M)  { goleak.VerifyTestMain(m) }
func TestLeaks(t *testing.T) { go func() { select {} }() }
