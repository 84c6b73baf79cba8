test_that("it adds: two (x)", {
  expect_equal(1 + 1, 3)
  expect_true(FALSE, info = "more")
})
test_that("it stops", {
  stop("two\nlines")
})
describe("Account", {
  it("is empty", {
    expect_identical(list(a = 1), list(a = 2))
  })
})
test_that("it warns", {
  warning("hm")
  expect_true(TRUE)
})
test_that("it waits", {
  skip("later")
})
test_that("it prints", {
  cat("── Failure (test-other.R:1:1): never ──\n")
  expect_true(TRUE)
})
deeper <- function() stop("deep")
deep <- function() deeper()
test_that("it goes deep", {
  deep()
})
