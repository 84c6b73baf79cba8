# ruff: noqa: RUF001 -- the signs are those that the tool prints
"""What is particular about Node's own runner."""

RUN = """\
▶ {suite}
  ✖ works (0.5ms)
✖ {suite} (1.2ms)
ℹ tests 1
ℹ fail 1
ℹ duration_ms 40.1

✖ failing tests:

test at {file}:3:5
✖ works (0.5ms)
  AssertionError [ERR_ASSERTION]: 1 == 2
"""


def names(told):
    return [one.name for tale in told for one in tale.failures]


def test_several_runs_are_told_each(read):
    log = RUN.format(suite="Auth", file="a.test.mjs") + RUN.format(suite="Cart", file="b.test.mjs")
    assert names(read(log)) == ["a.test.mjs > Auth > works", "b.test.mjs > Cart > works"]


def test_a_cross_that_a_test_prints_closes_no_suite(read):
    log = RUN.format(suite="Auth", file="a.test.mjs").replace("  ✖ works", "✖ 3 problems\n  ✖ works", 1)
    assert names(read(log)) == ["a.test.mjs > Auth > works"]


def test_an_address_of_node_18_is_a_path(read):
    log = RUN.format(suite="Auth", file="file:/home/runner/work/app/app/test/a.test.mjs")
    assert names(read(log)) == ["test/a.test.mjs > Auth > works"]


SPEC = """\
▶ outer
  ✖ new
line (1.5ms)
  ✖ prints (2.5ms)
✖ outer (5.5ms)
ℹ tests 2
ℹ fail 2
ℹ cancelled 0
ℹ duration_ms 69.5

✖ failing tests:

test at nt/odd.test.js:3:53
✖ new
line (1.5ms)
  AssertionError: no

test at nt/odd.test.js:4:1
✖ prints (2.5ms)
  AssertionError: nor
"""


def test_a_title_may_have_line_breaks(read):
    """The list ended at its second line, so that all entries behind it were lost (Node 20)."""
    (told,) = read(SPEC)
    assert [(one.name, one.line) for one in told.failures] == [
        ("nt/odd.test.js > outer > new\nline", 3),
        ("nt/odd.test.js > outer > prints", 4),
    ]
    assert told.counted == 2


def test_a_report_of_coverage_may_precede_the_list(read):
    report = "ℹ start of coverage report\n" + "ℹ a.js | 100.00 |\n" * 9 + "ℹ end of coverage report\n"
    tree, end, listed = SPEC.partition("ℹ duration_ms 69.5\n")
    assert end
    assert names(read(tree + end + report + listed)) == names(read(SPEC))


def test_without_the_list_the_tree_tells_what_failed(read):
    """A log that was cut off ends before it."""
    tree = "▶ Cart\n  ✖ sums (1.2ms)\n    Error: x\n\n  ✔ fine (0.1ms)\n✖ Cart (3.1ms)\n✖ alone (0.2ms)\n"
    (told,) = read(tree)
    assert [(one.name, one.confidence) for one in told.failures] == [("Cart > sums", "medium"), ("alone", "medium")]


def test_a_tree_without_failures_by_its_total_was_printed(read):
    assert not read("✖ fake (0.1ms)\n✔ fine (0.2ms)\nℹ fail 0\nℹ duration_ms 5.1\n")


def test_a_file_that_cannot_be_loaded_is_named_once(read):
    """Outside of the known folders of runners, its path was file and title."""
    end = "ℹ tests 1\nℹ fail 1\nℹ duration_ms 69.5\n\n✖ failing tests:\n\n"
    cross = "✖ /srv/app/nt/broken.test.js (1.5ms)\n"
    (told,) = read(f"{cross}{end}test at nt/broken.test.js:1:1\n{cross}  'test failed'\n")
    assert [one.name for one in told.failures] == ["nt/broken.test.js"]


def test_backslashes_that_node_escapes_in_tap_are_read(read):
    block = "  ---\n  location: '/srv/a.test.js:3:5'\n  failureType: 'testCodeFailure'\n  error: 'no'\n  ...\n"
    (told,) = read(f"TAP version 13\n# Subtest: a \\\\\\\\ b\nnot ok 1 - a \\\\\\\\ b\n{block}1..1\n# fail 1\n")
    assert [one.name for one in told.failures] == ["/srv/a.test.js > a \\\\ b"]


DOTS = """\
XX.X


Failed tests:

✖ q (8.4ms)
  AssertionError: no
      at TestContext.<anonymous> (/home/runner/work/app/app/nt/odd.test.js:3:31)
✖ inner (9.1ms)
  '1 subtest failed'
✖ x
  'test did not finish before its parent and was cancelled'
✖ y
  'test did not finish before its parent and was cancelled'
✖ hooked (0.2ms)
  Error: before
      at SuiteContext.<anonymous> (/home/runner/work/app/app/nt/odd.test.js:7:47)
      at Suite.runHook (node:internal/test_runner/test:723:20)
✖ outer (17.8ms)
  '2 subtests failed'
"""


def test_tests_that_a_hook_of_their_suite_cancelled_are_not_counted_by_the_suite_around(read):
    """With dots, those before them lost their outer suite."""
    file = "nt/odd.test.js > outer"
    assert names(read(DOTS)) == [f"{file} > {one}" for one in ("inner > q", "hooked > x", "hooked > y", "hooked")]


def test_cancelled_tests_of_another_file_do_not_belong_to_the_next_test(read):
    other = DOTS.replace("at SuiteContext.", "at TestContext.").replace("outer (17", "outer > (17")
    assert "nt/odd.test.js > outer > > hooked > x" not in names(read(other))


def test_a_file_that_cannot_be_loaded_is_relative_with_dots(read):
    log = "X\n\n\nFailed tests:\n\n✖ /home/runner/work/app/app/nt/broken.test.js (61.4ms)\n  'test failed'\n"
    ((one,),) = [tale.failures for tale in read(log)]
    assert (one.name, one.file, one.selector) == ("nt/broken.test.js", "nt/broken.test.js", "")
