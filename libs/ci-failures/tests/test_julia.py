"""Julia's Test, by its published output."""

import ci_failures

LOG = """Precompiling project...
subtracts: Test Failed at /home/runner/work/Till.jl/Till.jl/test/runtests.jl:10
  Expression: 5 - 1 == 3
   Evaluated: 4 == 3

Stacktrace:
 [1] macro expansion
   @ /opt/hostedtoolcache/julia/1.10.4/x64/share/julia/stdlib/v1.10/Test/src/Test.jl:672 [inlined]
subtracts: Error During Test at /home/runner/work/Till.jl/Till.jl/test/runtests.jl:12
  Test threw exception
  Expression: close(till)
  KeyError: key "a" not found
  Stacktrace:
    [1] getindex(h::Dict, key::String)
Test Summary: | Pass  Fail  Error  Total  Time
Till          |    3     1      1      5  1.2s
ERROR: LoadError: Some tests did not pass: 3 passed, 1 failed, {} errored, 0 broken.
in expression starting at /home/runner/work/Till.jl/Till.jl/test/runtests.jl:4
ERROR: Package Till errored during testing
"""


def read(text):
    return ci_failures.parse(text.encode())


def test_each_test_that_failed_or_raised_is_told_with_its_set_and_place():
    report = read(LOG.format(1))
    assert [(one.name, one.file, one.line, one.confidence) for one in report.failures] == [
        ("subtracts test/runtests.jl:10", "test/runtests.jl", 10, "high"),
        ("subtracts test/runtests.jl:12", "test/runtests.jl", 12, "high"),
    ]
    assert report.failures[0].message == "Expression: 5 - 1 == 3\n Evaluated: 4 == 3"
    assert report.failures[1].message.endswith('KeyError: key "a" not found')
    assert report.gaps == ()


def test_a_test_without_a_set_is_named_by_its_place():
    (one,) = read(
        "Test Failed at test/a.jl:3\n  Expression: false\nERROR: There was an error during testing\n"
    ).failures
    assert one.name == "test/a.jl:3"


def test_a_total_that_counts_more_than_was_read_leaves_a_gap():
    report = read(LOG.format(4))
    assert {one.confidence for one in report.failures} == {"medium"}
    assert report.gaps
