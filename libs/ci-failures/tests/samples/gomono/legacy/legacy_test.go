package legacy

import (
	"testing"

	. "gopkg.in/check.v1"
)

func Test(t *testing.T) { TestingT(t) }

type S struct{}
type Other struct{}

var _ = Suite(&S{})
var _ = Suite(&Other{})

func (s *S) TestEquals(c *C) { c.Assert(1, Equals, 2) }
func (s *S) TestDeep(c *C) {
	c.Check([]string{"a"}, DeepEquals, []string{"b"}, Commentf("why %d", 3))
	c.Log("logged")
}
func (s *S) TestPanics(c *C)    { var a []int; _ = a[3] }
func (s *S) TestFine(c *C)      {}
func (s *Other) SetUpTest(c *C) { c.Fatal("no database") }
func (s *Other) TestOne(c *C)   {}
func (s *Other) TestTwo(c *C)   {}
