package client

import (
	"testing"
	"time"

	qt "github.com/frankban/quicktest"
	"github.com/matryer/is"
	. "github.com/smartystreets/goconvey/convey"
	"gotest.tools/v3/assert"
	"pgregory.net/rapid"
)

func TestQuick(t *testing.T) {
	c := qt.New(t)
	c.Run("sub", func(c *qt.C) { c.Assert([]int{1, 2}, qt.DeepEquals, []int{1, 3}, qt.Commentf("ids")) })
}

func TestGotestTools(t *testing.T) {
	x := 3
	assert.Equal(t, x, 4, "x is wrong")
}

func TestGotestToolsDeep(t *testing.T) {
	assert.DeepEqual(t, map[string]int{"a": 1}, map[string]int{"a": 2})
}

func TestIs(t *testing.T) {
	is := is.New(t)
	is.Equal(1, 2) // they should be equal
}

func TestRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100).Draw(t, "n")
		if n > 50 {
			t.Fatalf("n too big: %d", n)
		}
	})
}

func TestConvey(t *testing.T) {
	Convey("Given a client", t, func() {
		x := 1
		Convey("When incremented", func() {
			x++
			Convey("Then it is three", func() { So(x, ShouldEqual, 3) })
			Convey("Then it is two", func() { So(x, ShouldEqual, 2) })
		})
	})
}

func TestSlow(t *testing.T) { time.Sleep(10 * time.Millisecond); t.Log("just a log") }
