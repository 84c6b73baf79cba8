package slow

import "testing"

func TestQuick(t *testing.T) { t.Error("quick and wrong") }

func TestSlow(t *testing.T) {
	t.Run("sub case", func(t *testing.T) { select {} })
}
