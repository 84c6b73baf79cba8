run "wrong-value" {
  command = plan
  variables { n = 5 }
  assert {
    condition     = output.n == 6
    error_message = "wrong n"
  }
  assert {
    condition     = output.n == 7
    error_message = "wrong n, again"
  }
}
run "right" {
  command = plan
  variables { n = 6 }
}
