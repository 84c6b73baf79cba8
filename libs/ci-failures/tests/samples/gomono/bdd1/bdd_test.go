package bdd1_test

import (
	"testing"

	. "github.com/onsi/ginkgo"
	. "github.com/onsi/gomega"
)

func TestOld(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Old Suite")
}

var _ = Describe("Old", func() {
	Context("inner", func() {
		It("works", func() {})
		It("fails", func() { Expect(1).To(Equal(2)) })
		It("panics", func() { panic("old panic") })
	})
	It("outer fails", func() { Expect([]int{1}).To(HaveLen(2)) })
	Describe("setup", func() {
		BeforeEach(func() { Fail("broken") })
		It("never", func() {})
	})
})
