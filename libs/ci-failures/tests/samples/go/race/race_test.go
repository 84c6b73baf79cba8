package race

import "testing"

func TestRace(t *testing.T) {
	done := make(chan bool)
	n := 0
	go func() { n++; done <- true }()
	n++
	<-done
}
