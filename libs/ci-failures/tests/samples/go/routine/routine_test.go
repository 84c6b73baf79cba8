package routine

import (
	"sync"
	"testing"
)

func TestCalm(t *testing.T) {}

func TestRoutine(t *testing.T) {
	var group sync.WaitGroup
	group.Add(1)
	go func() {
		var table map[string]int
		table["x"] = 1
		group.Done()
	}()
	group.Wait()
}
