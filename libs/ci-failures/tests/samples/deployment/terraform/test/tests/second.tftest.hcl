run "too_large" {
  command = plan
  variables { n = 10 }
}
run "left_out" {
  command = plan
  variables { n = 1 }
}
