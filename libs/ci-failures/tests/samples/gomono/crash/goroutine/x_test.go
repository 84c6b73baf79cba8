package goroutine

import (
	"testing"
	"time"
)

func TestFirst(t *testing.T) { t.Parallel(); time.Sleep(100 * time.Millisecond) }
func TestSpawns(t *testing.T) {
	go func() { panic("in goroutine") }()
	time.Sleep(200 * time.Millisecond)
}
