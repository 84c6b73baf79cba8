# ruff: noqa: RUF001 -- the signs are those that the tools print
"""What is particular about TAP of any producer, about bats, prove and Node's own runner."""

import pytest

import ci_failures
from ci_failures.parsers.javascript.bats import Bats
from ci_failures.parsers.javascript.nodetest import NodeTest
from ci_failures.parsers.javascript.prove import Prove

SPEC = """\
▶ Auth
  ✖ rejects (23.4ms)
    Error: x
✖ Auth (30.4ms)
ℹ fail 1
ℹ cancelled 0
ℹ duration_ms 98.1

✖ failing tests:

test at test/auth.test.mjs:8:5
✖ rejects (23.4ms)
  Error: x
      at TestContext.<anonymous> (file:///home/runner/work/app/app/test/auth.test.mjs:9:14)
"""


def names(told):
    return [(tale.parser.tool, one.name) for tale in told for one in tale.failures]


def test_a_plan_makes_a_line_a_result(read):
    assert names(read("1..2\nok 1 - a\nnot ok 2 - b # 7\n# end\n")) == [("tap", "b # 7")]
    assert not read("not ok 2 - b\n# end\n")


def test_directives_are_no_failures(read):
    assert not read("TAP version 13\nnot ok 1 - a # TODO later\nnot ok 2 - b # skip never\n1..2\n# end\n")


def test_a_parent_counts_only_for_the_names_below_it(read):
    log = "TAP version 14\n# Subtest: outer\n    not ok 1 - inner\n    1..1\nnot ok 1 - outer\n1..1\n# end\n"
    assert names(read(log)) == [("tap", "outer > inner")]


def test_a_parent_in_braces_stands_before_those_below_it(read):
    log = "TAP version 13\nnot ok 1 - outer # time=5ms {\n    not ok 1 - inner\n    1..1\n}\n1..1\n# end\n"
    assert names(read(log)) == [("tap", "outer > inner")]


def test_what_failed_below_one_that_is_ok_is_none(read):
    assert not read("TAP version 14\n    not ok 1 - inner\n    1..1\nok 1 - outer # TODO\n1..1\n# end\n")


def test_the_tests_of_tape_are_what_it_announces(read):
    log = (
        "TAP version 13\n# login rejects\nok 1 fine\nnot ok 2 should be equal\n  ---\n    operator: equal\n"
        "    expected: 3\n    actual: 4\n    at: Test.<anonymous> (/home/runner/work/a/a/t.js:4:5)\n  ...\n\n"
        "1..2\n# tests 2\n# pass  1\n# fail  1\n"
    )
    (told,) = read(log)[0].failures
    assert (told.name, told.file, told.line) == ("login rejects", "t.js", 4)


def test_bats_says_where_and_nobody_else_does(read):
    log = "1..2\nnot ok 1 adds two\n# (in test file a.bats, line 7)\n#   `[ 1 -eq 2 ]' failed\nnot ok 2 x\n# bare\n"
    assert names(read(log)) == [("tap", "x"), ("bats", "a.bats > adds two")]


def test_a_rerun_of_bats_picks_whole_titles(read):
    log = '1..1\nnot ok 1 says "a" (b)\n# (in test file a.bats, line 7)\n#   `false\' failed\n'
    (told,) = read(log)[0].failures
    assert Bats.rerun([told]) == "bats -f '^says \\\\?\"a\\\\?\" \\(b\\)$' a.bats"


def test_perl_tells_on_the_other_stream(read):
    log = "#   Failed test 'adds'\n#   at t/a.t line 5.\n#          got: '2'\n# Looks like you failed 1 test of 3.\n"
    (told,) = read(log)[0].failures
    assert (told.name, told.line, told.message) == ("t/a.t > adds", 5, "got: '2'")
    assert Prove.rerun([told]) == "prove -v t/a.t"


def test_nodes_list_gets_its_titles_from_the_tree(read):
    (told,) = read(SPEC)[0].failures
    assert (told.name, told.file, told.line) == ("test/auth.test.mjs > Auth > rejects", "test/auth.test.mjs", 8)


def test_a_list_that_a_test_prints_is_not_the_one_at_the_end(read):
    assert not read("✖ failing tests:\n\n✖ decoy (1ms)\n  Error: x\n\n✔ fine (1ms)\nℹ fail 0\n")


def test_a_failure_that_is_expected_is_none(read):
    log = SPEC.replace("✖ rejects (23.4ms)", "✖ rejects (23.4ms) # TODO")
    assert not [one for tale in read(log) for one in tale.failures]


def test_a_rerun_of_node_names_the_outermost_title(read):
    (tale,) = read(SPEC)
    assert NodeTest.rerun(tale.failures) == "node --test '--test-name-pattern=^Auth$' test/auth.test.mjs"


QUNIT = """\
TAP version 13
not ok 1 Cart > throws
  ---
  message: |+
    Died on test #1: no items
        at Object.<anonymous> (/home/runner/work/app/app/test/cart.js:1:122)
  severity: failed
  stack: |
    Error: no items
        at Object.<anonymous> (/home/runner/work/app/app/test/cart.js:1:150)
  ...
1..1
# pass 0
# skip 0
# todo 0
# fail 1
"""


def test_qunit_has_its_place_in_a_stack_and_its_message_in_a_block(read):
    ((one,),) = [told.failures for told in read(QUNIT) if told.failures]
    assert (one.name, one.file, one.line) == ("Cart > throws", "test/cart.js", 1)
    assert one.message.startswith("Died on test #1: no items")


@pytest.mark.parametrize(("severity", "count"), [("failed", 1), ("todo", 0)])
def test_qunit_has_titles_that_look_like_directives(read, severity, count):
    block = f'  ---\n  message: "said \\"no\\""\n  severity: {severity}\n  ...\n'
    log = f"TAP version 13\nnot ok 1 what is # TODO is a title\n{block}1..1\n# pass 0\n# fail {count}\n"
    told = [(one.name, one.message) for tale in read(log) for one in tale.failures]
    assert told == [("what is # TODO is a title", 'said "no"')] * count


def test_a_result_that_a_test_printed_is_not_in_the_order_of_the_others(read):
    log = "TAP version 13\n# a\nok 1 fine\nnot ok 7 - printed\nnot ok 2 real\nok 3 fine\n\n1..3\n# tests 3\n# fail  1\n"
    assert [one.name for told in read(log) for one in told.failures] == ["real"]


def test_a_result_before_the_stream_was_printed_by_the_tested_code(read):
    log = "not ok 9 - printed\nTAP version 13\nnot ok 1 - real\nok 2 - fine\n1..2\n# fail 1\n"
    assert [one.name for told in read(log) for one in told.failures] == ["real"]


def test_a_stream_that_counts_no_failure_has_none(read):
    """Tests print such lines as well."""
    printed = "TAP version 13\nnot ok 1 - printed\nok 1 - adds\n1..1\n# tests 1\n# pass  1\n"
    assert not read(f"{printed}# fail  0\n")
    assert not read(f"{printed}\n# ok\n")


def test_a_stream_that_counts_no_failure_says_nothing_of_the_one_before(read):
    first = "TAP version 13\nnot ok 1 - adds\n1..1\n# tests 1\n# pass 0\n# fail 1\n"
    assert names(read(f"{first}TAP version 13\nok 1 - adds\n1..1\n# fail 0\n")) == [("tap", "adds")]


def test_a_result_whose_number_is_beyond_the_next_one_was_printed(read):
    """The parser wakes at it, and did not read the first result."""
    assert not read("ok 1 - fine\nnot ok 3 - printed\nok 2 - fine\n1..2\n")


def test_a_file_that_begins_like_tap_and_is_none_is_not_passed():
    """Its first test printed the line, and it was read as a TAP file without failures."""
    assert ci_failures.parse(b"not ok 1 - printed\n# Cart\nsums.\n").status == "unknown"


def test_a_title_of_mocha_may_have_line_breaks(read):
    log = "ok 1 Cart fine\nnot ok 2 Cart over\nonto two lines\n  boom\n1..2\n# tests 2\n# pass 1\n# fail 1\n"
    assert [one.name for told in read(log) for one in told.failures] == ["Cart over\nonto two lines"]


def test_the_total_of_tape_counts_failures_behind_two_spaces():
    """A log of a formatter of TAP whose results are not read must not pass."""
    assert ci_failures.parse(b"$ tape t.js | faucet\n* a\n# tests  3\n# pass  1\n# fail  2\n").status == "unknown"


def test_a_plan_of_nothing_does_not_pass():
    assert ci_failures.parse(b"Error: Cannot find module 'x'\nTAP version 13\n1..0\n").status == "unknown"


NODE_TAP_16 = """\u200b FAIL \u200b test/a.test.js
 ✖ total is right

  test/a.test.js
> 3 |   t.equal(4, 3, 'total is right')
    | ----^

  --- expected
  +++ actual
  @@ -1,1 +1,1 @@
  -3
  +4

  test: test/a.test.js Cart deeper
  stack: |
    Test.<anonymous> (test/a.test.js:3:5)

\u200b FAIL \u200b test/a.test.js 1 failed of 3 142.999ms
 ✖ total is right

Suites:   \u200b1 failed\u200b, \u200b1 of 1 completed\u200b
Asserts:  \u200b\u200b\u200b1 failed\u200b, \u200b2 passed\u200b, \u200bof 3\u200b
"""


def test_the_blocks_of_node_tap_16_are_read_once(read):
    (one,) = [one for told in read(NODE_TAP_16) for one in told.failures]
    assert (one.name, one.file, one.line) == ("test/a.test.js > Cart deeper > total is right", "test/a.test.js", 3)


def test_a_file_that_exits_well_although_a_test_failed_is_in_the_report_of_prove(read):
    log = (
        "Test Summary Report\n-------------------\nt/a.t (Wstat: 0 Tests: 3 Failed: 1)\n  Failed test:  2\n"
        "t/b.t (Wstat: 0 Tests: 2 Failed: 0)\n  TODO passed:   1\nFiles=2, Tests=5\nResult: FAIL\n"
    )
    assert [one.name for tale in read(log) for one in tale.failures] == ["t/a.t"]
