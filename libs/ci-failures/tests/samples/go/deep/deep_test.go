package deep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"
)

type Suite struct{ suite.Suite }

func (s *Suite) TestMethod() { s.Equal([]int{1, 2}, []int{1, 3}, "lists differ: %d", 7) }

func (s *Suite) TestPanics() { panic("in a suite") }

func (s *Suite) TestPasses() {}

func TestSuite(t *testing.T) { suite.Run(t, new(Suite)) }

func TestRequire(t *testing.T) {
	require.NoError(t, os())
	assert.True(t, false)
}

func TestTwo(t *testing.T) {
	assert.Equal(t, "left", "right")
	assert.Len(t, []string{"a"}, 2)
}

func os() error { return failure{} }

type failure struct{}

func (failure) Error() string { return "no such thing" }
