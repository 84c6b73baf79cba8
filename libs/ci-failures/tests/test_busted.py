"""busted's outputs, as busted 2 prints them."""

import pytest

import ci_failures

TERMINAL = """●●○◼◼
3 successes / 1 failure / 1 error / 1 pending : 0.05 seconds

Pending → spec/till_spec.lua @ 30
till waits

Failure → spec/till_spec.lua @ 12
till adds
spec/till_spec.lua:13: Expected objects to be equal.
Passed in:
(nil)
Expected:
(number) 2

stack traceback:
	spec/till_spec.lua:13: in function <spec/till_spec.lua:12>


Error → spec/cart_spec.lua @ 4
cart opens
lua/cart.lua:7: attempt to index a nil value (local 'box')
"""
TAGS = """[==========] Running tests from scanned files.
[----------] Running tests from spec/till_spec.lua
[ RUN      ] spec/till_spec.lua @ 12: till adds
spec/till_spec.lua:13: Expected objects to be equal.
Passed in:
(nil)
Expected:
(number) 2

stack traceback:
	spec/till_spec.lua:13: in function <spec/till_spec.lua:12>

[  FAILED  ] spec/till_spec.lua @ 12: till adds (0.31 ms)
[ RUN      ] spec/till_spec.lua @ 30: till waits
[ SKIPPED  ] spec/till_spec.lua @ 30: till waits (0.02 ms)
[ RUN      ] spec/cart_spec.lua @ 4: cart opens
lua/cart.lua:7: attempt to index a nil value (local 'box')
[  ERROR   ] spec/cart_spec.lua @ 4: cart opens (0.10 ms)
[==========] 3 tests from 2 test files ran. (471.76 ms total)
[  PASSED  ] 0 tests.
[  FAILED  ] 1 test, listed below:
[  FAILED  ] spec/till_spec.lua @ 12: till adds
[  ERROR   ] 1 error, listed below:
[  ERROR   ] spec/cart_spec.lua @ 4: cart opens

 1 SKIPPED TEST
 1 FAILED TEST
 1 ERROR
"""
FORMS = {"terminal": TERMINAL, "plain": TERMINAL.replace("→", "->"), "tags": TAGS}


@pytest.mark.parametrize("form", FORMS)
def test_what_failed_is_told_with_its_place(form):
    report = ci_failures.parse(FORMS[form].encode())
    assert [(one.tool, one.name, one.file, one.line, one.confidence) for one in report.failures] == [
        ("busted", "spec/till_spec.lua > till adds", "spec/till_spec.lua", 13, "high"),
        ("busted", "spec/cart_spec.lua > cart opens", "spec/cart_spec.lua", 4, "high"),
    ]
    message = "spec/till_spec.lua:13: Expected objects to be equal.\nPassed in:\n(nil)\nExpected:\n(number) 2"
    assert report.failures[0].message == message
    assert (report.commands, report.gaps) == (("busted spec/till_spec.lua spec/cart_spec.lua",), ())


def test_a_total_without_failures_is_proof():
    assert (
        ci_failures.parse("●●\n2 successes / 0 failures / 0 errors / 0 pending : 0.01 seconds\n".encode()).status
        == "passed"
    )
