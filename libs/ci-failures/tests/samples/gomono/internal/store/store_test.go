package store

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"
)

type Item struct {
	ID   int
	Name string
	Tags []string
	Meta map[string]any
}

func TestMain(m *testing.M) {
	fmt.Println("starting postgres container ...")
	code := m.Run()
	fmt.Println("stopping postgres container ...")
	os.Exit(code)
}

func TestDiff(t *testing.T) {
	want := Item{1, "one", []string{"a", "b"}, map[string]any{"k": 1, "list": []int{1, 2, 3}}}
	got := Item{2, "one", []string{"a", "c"}, map[string]any{"k": 1, "list": []int{1, 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Get() mismatch (-want +got):\n%s", diff)
	}
}

func TestTable(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   int
		fail bool
	}{
		{"zero", 0, false},
		{"with spaces and (parens)", 1, true},
		{"slash/inside", 2, true},
		{"ünïcödé – dash", 3, true},
		{"quotes \"double\" 'single'", 4, true},
		{"", 5, true},
		{"a=b,c=[1 2]", 6, true},
		{"duplicate", 7, true},
		{"duplicate", 8, true},
		{"$HOME and `tick`", 9, true},
		{"100%", 10, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Logf("input was %d", tc.in)
			if tc.fail {
				t.Errorf("f(%d) = %d, want %d", tc.in, tc.in+1, tc.in)
			}
		})
	}
}

func TestRequire(t *testing.T) {
	t.Parallel()
	t.Run("not equal", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, map[string]int{"a": 1, "b": 2}, map[string]int{"a": 1, "b": 3}, "maps of %s", "counts")
	})
	t.Run("no error", func(t *testing.T) {
		t.Parallel()
		err := fmt.Errorf("open store: %w", errors.Join(errors.New("disk full"), errors.New("--- FAIL: TestDecoy (0.00s)")))
		require.NoError(t, err)
	})
	t.Run("several", func(t *testing.T) {
		assert.True(t, false)
		assert.Len(t, []int{1, 2}, 3)
		assert.ErrorIs(t, context.Canceled, context.DeadlineExceeded)
		assert.Contains(t, "hello world", "bye")
	})
	t.Run("eventually", func(t *testing.T) {
		require.JSONEq(t, `{"a": 1, "b": [1,2]}`, `{"a": 2, "b": [1]}`)
	})
}

type StoreSuite struct{ suite.Suite }

func (s *StoreSuite) SetupTest()  { log.Print("setup") }
func (s *StoreSuite) TestPasses() {}
func (s *StoreSuite) TestInsert() { s.Equal(1, 2) }
func (s *StoreSuite) TestPanics() { var m map[string]int; m["a"] = 1 }
func (s *StoreSuite) TestSub() {
	s.Run("inner case", func() { s.Require().Equal("a", "b") })
	s.Run("fine", func() {})
}
func TestStoreSuite(t *testing.T) { suite.Run(t, new(StoreSuite)) }

func TestHelper(t *testing.T) {
	slog.Error("FAIL something", "err", "boom")
	log.Printf("panic: not really")
	fmt.Fprintln(os.Stderr, "E1121 12:00:00.000000    1 store.go:12] klog says an error")
	mustBe(t, 1, 2)
}

func mustBe(t *testing.T, a, b int) {
	t.Helper()
	if a != b {
		t.Fatalf("got %d\nwant %d", a, b)
	}
}

func TestSkipped(t *testing.T) { t.Skip("needs docker") }
func TestPass(t *testing.T)    {}
func TestCleanup(t *testing.T) {
	t.Cleanup(func() { t.Error("cleanup failed: connection refused") })
}
func TestNoMessage(t *testing.T) { t.Fail() }
func TestNested(t *testing.T) {
	t.Run("a", func(t *testing.T) {
		t.Run("b", func(t *testing.T) {
			t.Run("c", func(t *testing.T) { t.Error("deep") })
			t.Run("d", func(t *testing.T) {})
		})
		t.Error("and the middle says something")
	})
}
