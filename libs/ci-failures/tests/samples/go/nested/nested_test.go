package nested

import "testing"

func helper(t *testing.T, what string) {
	t.Helper()
	t.Fatalf("helper: %s", what)
}

func TestOuter(t *testing.T) {
	t.Run("middle", func(t *testing.T) {
		t.Run("inner", func(t *testing.T) { helper(t, "the innermost") })
		t.Run("good", func(t *testing.T) {})
	})
	t.Run("other", func(t *testing.T) { t.Log("only a word") })
}

func TestParallel(t *testing.T) {
	for _, name := range []string{"one", "two", "three"} {
		name := name
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("in %s", name)
			if name != "two" {
				t.Errorf("%s failed in parallel", name)
			}
		})
	}
}

func TestCleanup(t *testing.T) {
	t.Cleanup(func() { t.Error("the cleanup failed") })
}

func TestSilent(t *testing.T) { t.Fail() }
