@test "adds two" {
  false
}
