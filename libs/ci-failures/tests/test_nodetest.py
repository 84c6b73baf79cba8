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
