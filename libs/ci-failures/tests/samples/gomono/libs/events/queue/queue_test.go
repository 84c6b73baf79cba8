package queue

import (
	"fmt"
	"testing"
	"time"
)

func TestParallelOutput(t *testing.T) {
	for i := 0; i < 6; i++ {
		i := i
		t.Run(fmt.Sprintf("worker-%d", i), func(t *testing.T) {
			t.Parallel()
			for j := 0; j < 3; j++ {
				t.Logf("step %d of %d", j, i)
				fmt.Printf("raw output of %d\n", i)
				time.Sleep(time.Millisecond)
			}
			if i%2 == 0 {
				t.Errorf("worker %d failed", i)
			}
		})
	}
}

func TestNoNewline(t *testing.T)     { fmt.Print("no newline at the end"); t.Error("after text") }
func TestPassNoNewline(t *testing.T) { fmt.Print("progress 100%") }
func TestAfter(t *testing.T)         { t.Errorf("multi\n\tline\n    with indent\nand %v", []int{1}) }

func FuzzQueue(f *testing.F) {
	f.Add("a")
	f.Add("bad")
	f.Fuzz(func(t *testing.T, s string) {
		if s == "bad" {
			t.Errorf("bad input %q", s)
		}
	})
}

func BenchmarkQueue(b *testing.B) {
	for i := 0; i < b.N; i++ {
	}
	b.Fatal("bench is broken")
}
