setup() {
  [ "$BATS_TEST_DESCRIPTION" != "fails in set-up" ]
}
@test "adds two" {
  result=$((1 + 1))
  echo "some output"
  [ "$result" -eq 3 ]
}
@test "passes" {
  echo "not ok 1 decoy"
  true
}
@test "takes 'quotes', \"more\" - and [brackets]" {
  run false
  [ "$status" -eq 0 ]
}
@test "is skipped" {
  skip "never"
  false
}
@test "fails in set-up" {
  true
}
helper() {
  grep -q nothing /dev/null
}
@test "fails in a helper" {
  helper
}
