"""WebdriverIO's lists of failed tests, each line behind the name of a browser."""

import ci_failures

LIST = """\
 "spec" Reporter:
------------------------------------------------------------------
[{0}] Running: chrome (v120.0) on linux
[{0}] Session ID: 0a1b
[{0}]
[{0}] » test/specs/login.spec.ts
[{0}] Login
[{0}]    ✓ shows the form
[{0}]    ✖ rejects a wrong password
[{0}]    ✖ keeps the name
[{0}]
[{0}] 1 passing (2s)
[{0}] 2 failing (15.1s)
[{0}]
[{0}] 1) Login rejects a wrong password
[{0}] element ("#error") still not existing after 5000ms
[{0}] Error: element ("#error") still not existing after 5000ms
[{0}]     at async Context.<anonymous> (/home/runner/work/app/app/test/specs/login.spec.ts:11:9)
[{0}]
[{0}] 2) Login keeps the name
[{0}] no name
"""
END = "\n\nSpec Files:\t 0 passed, 1 failed, 1 total (100% completed) in 00:00:15\n"


def test_each_test_of_a_list_is_a_failure_with_its_file():
    report = ci_failures.parse((LIST.format("chrome 120.0 linux #0-0") + END).encode())
    assert [(one.tool, one.name, one.file, one.line, one.confidence) for one in report.failures] == [
        ("webdriverio", "Login rejects a wrong password", "test/specs/login.spec.ts", 11, "high"),
        ("webdriverio", "Login keeps the name", "test/specs/login.spec.ts", None, "high"),
    ]
    assert list(report.commands) == ["npx wdio run wdio.conf.js --spec test/specs/login.spec.ts"]


def test_a_test_that_fails_in_two_browsers_is_one_failure():
    lists = LIST.format("chrome 120.0 linux #0-0") + LIST.format("firefox 118.0 linux #1-0")
    report = ci_failures.parse((lists + END).encode())
    assert ([one.confidence for one in report.failures], report.gaps) == (["high", "high"], ())


def test_a_total_with_failures_and_no_list_is_a_gap():
    assert ci_failures.parse(END.encode()).status == "unknown"
