"""Hspec and tasty beyond the kept logs: long messages, Stack's prefix, expected failures, and logs that are cut."""

import pytest

import ci_failures

EXAMPLE = """
  test/CartSpec.hs:12:31:
  1) Cart, when empty, throws
{}
  To rerun use: --match "/Cart/when empty/throws/"

Randomized with seed 4

Finished in 0.0015 seconds
2 examples, 1 failure
"""
TREE = """All
  Unit
    adds:      OK
    subtracts: {}
      test/Main.hs:7:
      expected: 3

1 out of 2 tests failed (0.02s)
"""


def read(text):
    return ci_failures.parse(text.encode())


def names(text):
    return [(one.tool, one.name) for one in read(text).failures]


@pytest.mark.parametrize("lines", [1, 200])
def test_an_example_of_hspec_is_named_whatever_the_length_of_its_message(lines):
    report = read(EXAMPLE.format("       wrong\n" * lines))
    assert [(one.tool, one.name) for one in report.failures] == [("hspec", "Cart, when empty, throws")]
    assert not report.gaps


def test_an_example_of_hspec_has_its_place_message_and_command():
    report = read(EXAMPLE.format("       expected: 3\n        but got: 4\n"))
    (one,) = report.failures
    assert (one.file, one.line, one.message) == ("test/CartSpec.hs", 12, "expected: 3\n but got: 4")
    assert report.commands == ("cabal test '--test-option=--match=/Cart/when empty/throws/'",)


def test_characters_that_haskell_escapes_are_themselves_in_a_filter():
    (one,) = read(EXAMPLE.format("").replace("throws/", r"\"a\" \955\&1/")).failures
    assert one.selector == '/Cart/when empty/"a" \u03bb1/'


@pytest.mark.parametrize("text", [EXAMPLE.format("       no"), TREE.format("FAIL")], ids=["hspec", "tasty"])
def test_stack_puts_the_name_of_a_package_before_each_line(text):
    prefixed = "".join(f"till-core        > {line}\n" for line in text.splitlines())
    assert names(prefixed) == names(text) != []


@pytest.mark.parametrize("status", ["FAIL", "FAIL (0.02s)", "TIMEOUT (10.00s)", "PASS (unexpected) (0.01s)"])
def test_a_test_of_tasty_is_named_by_its_groups(status):
    (one,) = read(TREE.format(status)).failures
    assert (one.name, one.file, one.line, one.confidence) == ("All.Unit.subtracts", "test/Main.hs", 7, "high")
    assert one.kind == ("timeout" if status.startswith("TIMEOUT") else "test")


def test_an_expected_failure_of_tasty_is_left_out():
    assert read(TREE.format("FAIL (expected)").replace("1 out of 2 tests failed", "All 2 tests passed")).failures == ()


def test_groups_of_tasty_are_known_below_many_tests_that_passed():
    many = "".join(f"    case {at}: OK\n" for at in range(300))
    assert names(TREE.format("FAIL").replace("    adds:      OK\n", many)) == [("tasty", "All.Unit.subtracts")]


def test_results_of_other_tools_are_not_those_of_tasty():
    assert names("Settings\n  config: FAIL\n    unreadable\n") == []


def test_a_tree_of_tasty_that_is_cut_off_is_told_with_less_certainty():
    cut = TREE.format("FAIL").partition("\n1 out of")[0] + "      Use -p '/subtracts/' to rerun this test only.\n"
    assert [(one.name, one.confidence) for one in read(cut).failures] == [("All.Unit.subtracts", "medium")]


def test_a_total_that_counts_more_than_the_list_has_leaves_a_gap():
    assert read(EXAMPLE.format("").replace("1 failure", "3 failures")).gaps
