package goroutine
