package org.example

import org.specs2.mutable.Specification

class CartSpecification extends Specification {
  "A cart" should {
    "sum" in { List(1, 2).sum must_== 4 }
    "when full" >> {
      "refuse" in { List(1) must contain(2) }
      "say so" in { sys.error("full"); ok }
    }
    "wait" in { pending }
    "be skipped" in { skipped("not now") }
    "compare" in { "the quick brown fox" must beEqualTo("the quick red fox") }
    "pass" in { ok }
  }
  "Another - with a dash" >> { "fails" in { failure("no") } }
}
