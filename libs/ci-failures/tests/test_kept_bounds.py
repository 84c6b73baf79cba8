"""What a parser keeps while it reads has a bound; `test_bounds.py` has that of what it returns."""

import sys
from collections.abc import Sized

import pytest

from ci_failures.model import Line
from ci_failures.parsers.deployment.image_builds import ImageBuilds
from ci_failures.parsers.go_rust.go_test import GoTest
from ci_failures.parsers.javascript.deno_check import DenoCheck
from ci_failures.parsers.jvm.javac import Javac
from ci_failures.parsers.jvm.kotest import Kotest
from ci_failures.parsers.linters.next_build import Turbopack
from ci_failures.parsers.native.bazel import Bazel
from ci_failures.parsers.scripting.busted import Busted

FEW, MANY = 20, 200
BOUNDS = ("MOST_FAILURES", "MOST_LINES", "MOST_STEPS", "MOST_SAID")
FORMS = {
    "names that busted ends": (Busted, "", "[  FAILED  ] a_spec.lua @ {0}: adds {0} (1.00 ms)"),
    "names that busted lists": (Busted, "", "[  FAILED  ] a_spec.lua @ {0}: adds {0}"),
    "targets of Bazel": (Bazel, "", "//cart:test_{0}   FAILED in 1.0s"),
    "targets of Bazel at once": (Bazel, "", "FAIL: //cart:test_{0} (see /tmp/test.log)"),
    "targets of Bazel with output": (
        Bazel, "", f"{'=' * 20} Test output for //cart:test_{{0}}:\n[  FAILED  ] Cart.Adds (0 ms)\n{'=' * 80}",
    ),
    "tests of Kotest with others below": (
        Kotest, ">> Kotest\n1. org.example.CartSpec", "- context {0}\njava.lang.AssertionError: no",
    ),
    "listed tests of Kotest": (Kotest, ">> There were test failures\n org.example.CartSpec", " - context {0}"),
    "errors of builds of images": (ImageBuilds, "", "ERROR: failed to solve: cannot read {0}"),
    "steps of builds of images": (ImageBuilds, "", "#{0} [{0}/999] RUN true"),
    "lines of an error of Deno": (DenoCheck, "TS2322 [ERROR]: is wrong", "more text {0}"),
    "lines of an error of Turbopack": (
        Turbopack, "Error: Turbopack build failed with 1 errors:\n./a.js:1:1", "more text {0}",
    ),
    "repeated errors of javac": (
        Javac, "", "src/A.java:{0}: error: cannot find symbol\n    int x = y;\n            ^\n1 error",
    ),
    "verdicts of Go behind output": (GoTest, "", "some output --- FAIL: Test{0} (0.00s)"),
}  # fmt: skip


@pytest.fixture
def few(monkeypatch):
    """Lower the bounds: to reach those of ten thousand takes seconds."""
    for name, module in list(sys.modules.items()):
        if name.startswith("ci_failures."):
            for bound in filter(vars(module).__contains__, BOUNDS):
                monkeypatch.setattr(module, bound, FEW)


def list_sizes(kept):
    """Iterate over the lengths of the collections that an object has, and of those in its own objects."""
    for value in vars(kept).values():
        if isinstance(value, Sized) and not isinstance(value, str):
            yield len(value)
        elif type(value).__module__.startswith("ci_failures.") and hasattr(value, "__dict__"):
            yield from list_sizes(value)


@pytest.mark.parametrize("form", FORMS)
def test_what_a_parser_keeps_does_not_grow_with_the_log(form, few):
    kind, before, repeated = FORMS[form]
    parser = kind()
    text = "\n".join([before, *(repeated.format(number) for number in range(1, MANY + 1))])
    for number, line in enumerate(text.strip("\n").split("\n"), 1):
        parser.read(Line(number, line))
    assert max(list_sizes(parser)) in range(1, FEW + 5)
    assert len(list(parser.finish())) <= FEW + 1
