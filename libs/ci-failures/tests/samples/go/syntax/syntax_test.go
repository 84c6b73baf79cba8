package syntax

import "testing"

func TestOpen(t *testing.T) {
	if true {
