package bdd_test

import (
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Books", func() {
	var n int
	BeforeEach(func() { n = 3; GinkgoWriter.Println("before each ran") })
	Context("when empty", func() {
		It("has no pages", func() { Expect(n).To(Equal(0)) })
		It("is fine", func() { Expect(n).To(Equal(3)) })
		It("errs", func() { Expect(errors.New("no such book")).NotTo(HaveOccurred()) })
	})
	When("a long [thing] happens", func() {
		It("panics (oh no)", func() { var m map[string]int; m["x"] = 1 })
		It("times out eventually", func() {
			Eventually(func() int { return 1 }, 50*time.Millisecond, 10*time.Millisecond).Should(Equal(2), "never two")
		})
	})
	DescribeTable("adding", func(a, b, c int) { Expect(a + b).To(Equal(c)) },
		Entry("1+1", 1, 1, 2), Entry("1+2 is four", 1, 2, 4), Entry(nil, 2, 2, 5))
	It("is skipped", func() { Skip("not now") })
	PIt("is pending", func() {})
	It("fails by Fail", Label("slow", "net"), func() { fmt.Println("• [FAILED] decoy"); Fail("by hand\nsecond line") })
	Describe("with a broken setup", func() {
		BeforeEach(func() { Expect(true).To(BeFalse()) })
		It("never begins", func() {})
	})
	Describe("with a broken teardown", func() {
		AfterEach(func() { Expect("a").To(ContainSubstring("b")) })
		It("ends badly", func() {})
	})
	Describe("flaky", func() {
		tries := 0
		It("passes at the second try", FlakeAttempts(3), func() { tries++; Expect(tries).To(BeNumerically(">", 1)) })
	})
})
