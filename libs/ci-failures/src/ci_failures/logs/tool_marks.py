"""Lines that show how a log ended: where tools begin, what they count, and what runners report as failed."""

import re
from typing import Literal, NamedTuple, TypeAlias

from ci_failures.document_starts import CERTAIN
from ci_failures.logs.error_hints import CROSSES, ERRORS

Role: TypeAlias = Literal[
    "start", "command", "progress", "total", "unread total", "job", "done", "action", "failure", "hint", "step"
]
"""What a line shows: that a run of a tool with a total began; a command that calls it; that it runs; how many failures
a tool counts, with or without a parser of its own; that a job began, or passed, as its runner reports; that an action
starts a container or ends, or that all steps have ended; that something failed; or perhaps why; that a command begins.
"""

_FAILING_START = re.compile(
    r"FAILED \((?!expected)|FAIL\t|Result: FAIL|Some tests failed|\*\* TEST FAILED|test result: FAILED"
    r"|One or more tests were cancelled|[#\u2139\u2a2f] fail +[1-9]|[✖✘] ?[1-9]\d* tests? failed|Failed!",
    re.IGNORECASE,
)
_FAILING = (
    re.compile(
        r"\d(?<![\w.]\d)(?:(?<!0)|0*[1-9])\d* (?i:(?:tests? |specs? |suites? )?"
        r"(?:failed\b(?! as expected)|fail(?:ures?|ing|s)?\b|errors?\b|cancelled\b|invalid\b)|(?:offenses?|issues?)\b)"
    ),
    re.compile(r"[FfEe](?<!\w\w)(?<!\d [FfEe])(?i:ail(?:ed|ures|ing|s)?|rrors?)\b(?:\s*[:=] *|, )0*[1-9]"),
    re.compile(r"[|\[] *(?:FAIL|ERROR) +[1-9]"),
    re.compile(r"\u2500 FAILED in "),
    re.compile(r"would be reformatted"),
)
"""Each begins with a set of characters or a text: `re` skips to these, and tries one alternation at each character."""


def counts_failures(total: str) -> bool:
    """Check whether a total is that of a run with failures."""
    return bool(_FAILING_START.match(total)) or any(form.search(total) for form in _FAILING)


class Mark(NamedTuple):
    r"""A line that shows something about a tool.

    Args:
        tool: The name of the tool.
        role: What the line shows.
        wakes: Literals, one of which is in each such line; one that begins with `\
    ` is at the beginning of the line.
        form: What the line must match, from its beginning.
        near: How many lines it may be after another total of the tool, or its start; 0 if it needs none.
    """

    tool: str
    role: Role
    wakes: tuple[str, ...]
    form: str
    near: int = 0


_PYTEST = r"(?:=+ )?(?:\d+ [a-z]+(?: [a-z]+)?, )*(?:\d+ [a-z]+(?: [a-z]+)?|no tests ran|\d+(?:/\d+)? tests? collected"
_PYTEST_WORDS = ("passed", "failed", "error", "errors", "skipped", "warning", "warnings", "deselected", "xfailed")
_SILENT = r"tsc|eslint|flake8|ruff|mypy|shellcheck|rubocop|phpcs|phpstan|psalm|golangci-lint|gofmt|rustfmt|checkstyle"

_COMMANDS = {
    "ava": ("ava", "npx ava"),
    "cypress": ("cypress run", "npx cypress run"),
    "jasmine": ("jasmine", "npx jasmine"),
    "jest": ("jest", "npx jest"),
    "karma": ("karma start", "npx karma start"),
    "lab": ("lab", "npx lab"),
    "mocha": ("mocha", "npx mocha"),
    "node:test": ("node --test",),
    "playwright": ("playwright test", "npx playwright test"),
    "tap": ("tap", "npx tap"),
    "uvu": ("uvu", "npx uvu"),
    "vitest": ("vitest", "npx vitest"),
    "phpunit": ("phpunit", "vendor/bin/phpunit", "./vendor/bin/phpunit"),
    "pytest": ("pytest", "python -m pytest", "python3 -m pytest", "uv run pytest", "poetry run pytest"),
    "rspec": ("rspec", "bundle exec rspec"),
}
"""Commands that package managers and shells print before they run them."""

MARKS = (
    *(
        Mark(
            tool,
            "command",
            tuple(f"\n{sign} {command}" for command in commands for sign in ">$"),
            rf"[>$] (?:{'|'.join(commands)})(?: |$)",
        )
        for tool, commands in _COMMANDS.items()
    ),
    Mark("ava", "progress", ("\n  \u2714 ",), r"  \u2714 \S"),
    Mark("jasmine", "progress", ("\nStarted\n",), r"Started$"),
    Mark("node:test", "progress", ("\n\u2714 ", "\n\u25b6 "), r"\u2714 .*\(\d+\.\d+ms\)$|\u25b6 \S"),
    Mark("jest", "progress", ("\nPASS ",), r"PASS \S+\.[cm]?[jt]sx?\b"),
    Mark("catch2", "progress", ("\nRandomness seeded to: ",), r"Randomness seeded to: \d+$"),
    Mark("gradle", "progress", ("\n> Task :",), r"> Task :\S*[tT]est"),
    Mark("minitest", "start", ("\n# Running:\n",), r"# Running:$"),
    Mark("boost", "start", ("\nRunning ",), r"Running \d+ test cases?\.\.\.$"),
    Mark("exunit", "start", ("\nRunning ExUnit with seed: ",), r"Running ExUnit with seed: \d"),
    Mark("surefire", "progress", ("Running ",), r"(?:\[INFO\] )?Running [\w.$]+$"),
    Mark("bun", "start", ("\nbun test v",), r"bun test v\d"),
    Mark("deno", "progress", (" tests from ", " test from "), r"running \d+ tests? from \S"),
    Mark("pytest", "start", ("= test session starts =", "Test session starts (platform: "), ".*est session starts"),
    Mark(
        "pytest",
        "total",
        (*(f" {word} in " for word in (*_PYTEST_WORDS, "xpassed", "collected", "rerun")), "no tests ran in "),
        _PYTEST + r"(?: \([^)]*\))?) in [\d.]+ ?s",
    ),
    Mark("pytest", "total", ("Results (",), r"Results \([\d.]+s"),
    # Its numbers follow, one on a line, among those of what passed.
    Mark("pytest", "total", (" failed\n", " error\n", " errors\n"), r" {5,9}\d+ (?:failed|errors?)$", near=7),
    Mark("unittest", "start", (" tests in ", " test in "), r"Ran \d+ tests? in [\d.]+s"),
    Mark(
        "unittest",
        "total",
        ("\nOK\n", "\nOK (", "\nPASSED (", "\nNO TESTS RAN"),
        r"(?:OK|PASSED|NO TESTS RAN)(?: \(.*\))?$",
        near=5,
    ),
    Mark("unittest", "total", ("\nFAILED (",), r"FAILED \((?:[A-Za-z_]\w*|unexpected successes|expected failures)=\d"),
    Mark(
        "ruff", "total", ("All checks passed!", "already formatted", "would be reformatted"), r"All checks|\d+ files?"
    ),
    Mark("ruff", "total", ("Would fix ",), r"Would fix [1-9]\d* errors?\b"),
    Mark("mypy", "total", ("Success: no issues found", " source file"), r"Success: no issues|Found \d+ errors?"),
    Mark(
        "jest", "total", ("Tests:  ", "Test Suites:"), r"Test(?:s:| Suites:) +(?:\d+ failed, )?(?!.*\d fail).*\d total"
    ),
    Mark("vitest", "start", (" RUN  v",), r" RUN  v\d"),
    Mark("vitest", "total", (" Test Files  ", "No test files found"), r" *Test Files  .*\(\d+\)|No test files found"),
    Mark("mocha", "total", (" passing (",), r" +\d+ passing \("),
    Mark("mocha", "total", (" failing\n",), r" +\d+ failing$", near=3),
    Mark("cypress", "total", ("All specs passed!", " failed ("), r".*All specs passed!|.*\d+ of \d+ failed \("),
    Mark("playwright", "start", (" tests using ", " test using "), r"Running \d+ tests? using \d+ worker"),
    Mark(
        "playwright",
        "total",
        (" passed (", " failed\n", " did not run"),
        r"  \d+ (?:passed \([\d.]+m?s|failed$|did not)",
    ),
    Mark("biome", "total", ("\nChecked ",), r"Checked \d+ files? in [\d.]+ ?[\u00b5m]?s\. (?:No fixes|Fixed)"),
    Mark("biome", "total", ("\nFound ",), r"Found \d+ errors?\.$", near=4),
    Mark(
        "ruff or tsc or deno",
        "total",
        ("Found ",),
        r"Found \d+ errors?(?:\.| in (?!.*\((?:checked|errors) ))|.*Found 0 errors\. Watching",
    ),
    Mark("eslint", "total", ('\n[{"filePath":"',), r"\["),
    Mark("eslint", "total", (" problem",), r"[✖✔] \d+ problems?(?!.* infos?[,)])"),
    Mark("textlint", "total", (" infos)", " info)"), r"✖ \d+ problems? \(\d+ errors?, \d+ warnings?, \d+ infos?\)"),
    Mark("spectral", "total", (" hints)", " hint)"), r"✖ \d+ problems? \(\d+ errors?, .* \d+ hints?\)"),
    Mark("cspell", "total", ("CSpell: Files checked: ",), r"CSpell: Files checked: .*, Issues found: \d+ in"),
    Mark("djlint", "total", ("\nLinted ",), r"Linted \d+ files?, found \d+ errors?\."),
    Mark("doc8", "total", ("Total accumulated errors = ",), r"Total accumulated errors = \d+$"),
    Mark("cpplint", "total", ("\nTotal errors found: ",), r"Total errors found: \d+$"),
    Mark("ansible-lint", "total", (" failure(s), ",), r"(?:Passed|Failed): \d+ failure\(s\), \d+ warning\(s\)"),
    Mark("bandit", "total", ("No issues identified.",), r"\s*No issues identified\."),
    Mark("node:test", "total", ("# fail ", "ℹ fail "), r"[#ℹ] fail +\d+"),  # noqa: RUF001 -- the reporter's own character
    Mark(
        "ava",
        "total",
        (" test passed", " tests passed", " test failed", " tests failed"),
        r"  \d+ tests? (?:pass|fail)ed$",
    ),
    Mark("tap", "start", ("TAP version 1",), r"TAP version 1[2-4]"),
    Mark("tap", "total", ("\n1..",), r"1\.\.(?:[1-9]|0 +# ?(?i:skip))"),
    Mark("tap", "total", ("\n# failed ", "\n\u2a2f fail "), r"# failed [1-9]\d* of \d+|\u2a2f fail +\d+"),
    Mark("tap", "total", ("\nAsserts:  ",), r"Asserts: +[^\w]*\d+ "),
    Mark("tap", "total", ("\n# { total: ",), r"# \{ total: \d+, pass: \d+"),
    Mark("bats", "total", (" tests, ", " test, "), r"\d+ tests?, \d+ failures?(?:, \d+ skipped)?$"),
    Mark("prove", "total", ("\nResult: ", "All tests successful"), r"Result: [A-Z]+$|All tests successful"),
    Mark("go", "start", ("=== RUN   ", '"Action":"start"'), r"=== RUN   \S|\{\"Time\".*\"Action\":\"start\""),
    Mark(
        "go", "total", ("\nok  ", "\nFAIL\t", "\n?   ", "\nPASS\n"), r"(?:ok|FAIL|\?)[ \t]+\S+\s+(?:[\d(\[]|fail)|PASS$"
    ),
    Mark("go", "total", ('"Action":"pass","Package"', '"Action":"skip","Package"'), r"\{(?!.*\"Test\":)"),
    Mark("go", "total", ("\nDONE ",), r"DONE (?:\d+ runs, )?\d+ tests?"),
    Mark("ginkgo", "start", ("Running Suite: ",), "Running Suite: "),
    Mark("ginkgo", "total", (" Specs in ",), r"Ran \d+ of \d+ Specs in"),
    Mark("golangci-lint", "total", (" issues", " issue:"), r"\d+ issues?[.:]"),
    Mark("cargo", "start", ("\nrunning ",), r"running \d+ tests?$"),
    Mark("cargo", "total", ("test result: ",), r"test result: (?:ok|FAILED)\."),
    Mark("cargo", "total", (" target(s) in ",), r" *Finished .* target\(s\) in "),
    Mark("nextest", "start", ("Nextest run ID ",), r" *Nextest run ID "),
    Mark("nextest", "total", ("     Summary [",), r" +Summary \["),
    Mark("surefire", "total", ("Tests run: ",), r".*?\bTests run: *\d+, +Failures: *\d+"),
    Mark("maven", "start", ("[INFO] Scanning for projects...\n",), r"\[INFO\] Scanning for projects\.\.\.$"),
    Mark("maven", "total", ("BUILD SUCCESS",), r"(?:\[INFO\] )?BUILD SUCCESS$"),
    Mark("gradle", "total", ("BUILD SUCCESSFUL",), r"BUILD SUCCESSFUL in "),
    Mark("gradle", "total", (" completed, ",), r"\d+ tests? completed, \d+ failed"),
    Mark("junit-console", "total", ("tests failed  ",), r"\[ +\d+ tests failed +\]"),
    Mark("junit", "total", ("\nOK (",), r"OK \(\d+ tests?\)"),
    Mark("kotest", "start", ("\n>> Kotest\n",), r">> Kotest$"),
    Mark("kotest", "total", (" ignored, ",), r"Tests: +\d+ passed, \d+ failed, \d+ ignored, \d+ total$"),
    Mark("testng", "total", ("Total tests run: ",), r".*Total tests run: \d+"),
    Mark("scalatest", "start", ("Run starting. Expected test count is",), r".*Run starting\."),
    Mark("scalatest", "total", ("Tests: succeeded ",), r".*Tests: succeeded \d+, failed \d+"),
    Mark(
        "sbt",
        "total",
        ("Passed: Total ", "[success] Total time"),
        r".*Passed: Total \d+, Failed \d+|.*\[success\] Total",
    ),
    Mark("zio-test", "total", (" tests failed. ", " test failed. "), r".*\d+ tests? passed\. \d+ tests? failed\."),
    Mark("checkstyle", "total", ("Audit done.",), r".*Audit done\."),
    Mark("rspec", "total", (" examples, ", " example, "), r"\d+ examples?, \d+ failures?"),
    Mark("minitest", "total", (" assertions, ",), r"\d+ (?:runs|tests), \d+ assertions, \d+ failures"),
    Mark("phpunit", "start", (" by Sebastian Bergmann",), r"PHPUnit \d"),
    Mark(
        "phpunit",
        "total",
        ("\nOK (", "\nOK, but ", "No tests executed!", ", Assertions: "),
        r"OK \(\d+ tests?, |OK, but |No tests ex|Tests: \d+, Ass",
    ),
    Mark("pest", "total", ("  Tests:  ",), r"  Tests: +\d+ "),
    Mark(
        "phpstan", "total", ("[OK] No errors", "[ERROR] Found "), r" *\[(?:OK|ERROR)\] (?:No errors|Found \d+ errors?)"
    ),
    Mark("psalm", "total", ("No errors found!",), r" *No errors found!"),
    Mark("exunit", "total", (" failure",), r"(?:\d+ (?:doctests?|propert(?:y|ies)|features?|tests?), )+\d+ failures?"),
    Mark("testthat", "total", ("[ FAIL ",), r"\[ FAIL \d+ \| WARN \d+"),
    Mark("rubocop", "total", (" inspected, ",), r"\d+ files? inspected, (?:no|\d+) offenses?"),
    Mark("automake", "total", ("# FAIL:", "# ERROR:"), r"# (?:FAIL|ERROR): +\d+$"),
    Mark("boost", "total", ("*** ",), r"\*\*\* (?:No errors detected|\d+ failures? (?:is|are) detected)"),
    Mark(
        "cmake",
        "total",
        ("Build files have been written to", "\n[100%] Built target "),
        r"-- Build files|\[100%\] Built",
    ),
    Mark("catch2", "total", ("\nAll tests passed (", "\ntest cases: "), r"All tests passed \(|test cases: +\d+"),
    Mark("doctest", "start", ("[doctest] doctest version is",), r"\[doctest\] doctest version"),
    Mark("doctest", "total", ("[doctest] test cases:",), r"\[doctest\] test cases:"),
    Mark("gtest", "start", ("[==========] Running ",), r"\[={10}\] Running \d+"),
    Mark("gtest", "total", ("[==========] ",), r"\[={10}\] \d+ tests? .*ran\."),
    Mark("ctest", "start", ("\nTest project ",), "Test project /|Test project [A-Za-z]:"),
    Mark("ctest", "total", ("% tests passed, ", "No tests were found!!!"), r"\d+% tests passed, |No tests were found"),
    Mark("bazel", "total", ("\nExecuted ",), r"Executed \d+ out of \d+ tests?: "),
    Mark("meson", "total", ("\nFail:  ",), r"Fail: +\d+"),
    Mark("dotnet", "start", ("Starting test execution, please wait",), "Starting test execution"),
    Mark(
        "dotnet",
        "total",
        ("!  - Failed:", "Test Run ", "Test summary: total:", "Test run summary:"),
        r" *(?:Passed|Failed|Skipped)!  - Failed:|Test Run (?:Successful|Failed|Aborted)|Test (?:run )?summary:",
    ),
    Mark("msbuild", "total", (" Error(s)", "Build succeeded"), r" +\d+ Error\(s\)|Build succeeded"),
    Mark("nunit", "total", (" Test Count: ",), r" *Test Count: \d+"),
    Mark("swift", "start", ("Test Suite 'All tests' started", "Test run started."), r".*Test (?:Suite|run) "),
    Mark(
        "swift",
        "total",
        (" tests, with ", " test, with ", "Test run with ", "** TEST "),
        r"\s*Executed \d+ tests?, with|.*Test run with \d+ tests?|\*\* TEST (?:SUCC|FAIL)",
    ),
    Mark(
        "dart",
        "total",
        ("All tests passed!", "ome tests failed.", " tests passed"),
        r".*All tests passed!|Some tests failed|🎉 \d+ tests",
    ),
    Mark("dart-analyze", "total", ("No issues found!",), r"No issues found!"),
    Mark("pester", "total", ("Tests Passed: ",), r"Tests Passed: \d+, Failed: \d+"),
    # Lint tools without output on success: a package manager's or a shell's echo of the command.
    Mark(
        "lint",
        "total",
        tuple(_SILENT.split("|")),
        r"(?:\$|\+|>|(?:##)?\[command\]) ?(?:npx |yarn |pnpm (?:exec )?|python3? -m |uv run |poetry run )?"
        rf"(?:{_SILENT})\b",
    ),
    Mark("karma", "total", ("Executed ",), r".*\bExecuted \d+ of \d+ (?!specs? )"),
    Mark("jasmine", "total", ("\nExecuted ",), r"Executed \d+ of \d+ specs? "),
    Mark("jasmine", "total", (" specs, ", " spec, "), r"\d+ specs?, \d+ failures?"),
    Mark("bun", "total", (" fail\n",), r" *\d+ fail$"),
    Mark("behave", "total", (" scenarios passed, ", " scenario passed, "), r"\d+ scenarios? passed, \d+ failed"),
    Mark("cucumber", "total", (" scenarios (", " scenario ("), r"\d+ scenarios? \("),
    Mark("robot", "total", (" tests, ", " test, "), r"\d+ tests?, \d+ passed, \d+ failed"),
    Mark("deno", "total", (" passed | ",), r"(?:ok|FAILED) \| \d+ passed"),
    Mark("stestr", "total", (" - Failed: ",), r" - Failed: \d+"),
    Mark(
        "zope.testrunner",
        "total",
        (" tests with ", " test with "),
        r" *Ran \d+ tests? with \d+ failures?, .*\d+ errors?",
    ),
    Mark("forge", "total", ("Suite result: ",), r"Suite result: (?:ok|FAILED)\. \d+ passed; \d+ failed;"),
    Mark(
        "black",
        "total",
        ("All done! ", " would be reformatted", " left unchanged."),
        r"All done! |\d+ files? would (?:be reformatted|be left unchanged)",
    ),
    Mark("pylint", "total", ("Your code has been rated at ",), r"Your code has been rated at 10\.00/10"),
    Mark(
        "pyright",
        "total",
        (" informations", " notes"),
        r"\d+ errors?, \d+ warnings?, \d+ (?:informations?|notes?) ?$",
    ),
    Mark("prettier", "total", ("All matched files use Prettier code style!",), "All matched files use Prettier"),
    Mark(
        "oxlint", "total", (" warnings and ", " warning and "), r"Found (?:0|\d+(?= warnings? and [1-9])) warnings? and"
    ),
    Mark("markdownlint", "total", ("Summary: ",), r"Summary: \d+ error\(s\)"),
    Mark("swiftlint", "total", ("Done linting! Found ",), r"Done linting! Found \d+ violations?, \d+ serious"),
    Mark(
        "terraform",
        "total",
        ("Failure! ", "Success! ", "Apply complete! Resources: ", "No changes. ", "\nPlan: "),
        r"(?:Failure|Success)! (?:\d+ passed, \d+ failed|The configuration is valid)|Apply complete! Resources: \d"
        r"|No changes\. (?:Your infrastructure matches|Infrastructure is up-to-date)|Plan: \d+ to (?:add|import)",
    ),
    Mark("helm", "start", ("\n==> Linting ",), r"==> Linting \S"),
    Mark("helm", "total", (" chart(s) linted, ",), r"(?:Error: )?\d+ chart\(s\) linted, \d+ chart\(s\) failed"),
    # Tools without a parser: their totals show nevertheless whether anything failed.
    Mark(
        "tasty",
        "total",
        (" tests failed (", " tests passed ("),
        r"(?:\d+ out of \d+|All \d+) tests (?:failed|passed) \(",
    ),
    Mark("avocado", "total", ("\nRESULTS ",), r"RESULTS +: PASS \d+ \| ERROR \d+ \| FAIL \d+ "),
    Mark("ward", "total", ("\u2500 FAILED in ", "\u2500 SUCCESS in "), r"\u2500+ (?:FAILED|SUCCESS) in [\d.]+ sec"),
    Mark("lab", "total", (" tests failed\n", " tests complete"), r"(?:\d+ of )?\d+ tests (?:failed|complete)\b"),
    Mark("tap-spec", "total", ("\n  passing:  ", "\n  failing:  "), r"  (?:passing|failing): +\d+$"),
    Mark("julia", "total", ("Some tests did not pass: ",), r".*Some tests did not pass: \d+ passed, \d+ failed"),
    Mark("zig", "total", (" skipped; ",), r"\d+ passed; \d+ skipped; \d+ failed\."),
    Mark("webdriverio", "total", ("Spec Files:",), r"Spec Files:\s.*\d+ total"),
    Mark("testcafe", "unread total", (" failed (",), r" *\d+/\d+ failed \("),
    Mark("turbopack", "total", ("Turbopack build failed",), r".*Turbopack build failed with \d+ error"),
    Mark(
        "conftest", "unread total", (" warnings, ", " warning, "), r"\d+ tests?, \d+ passed, \d+ warnings?, \d+ failure"
    ),
    Mark("busted", "total", (" successes / ", " success / "), r"\d+ success(?:es)? / \d+ failures? / \d+ error"),
    Mark("busted", "total", (" FAILED TEST",), r" [1-9]\d* FAILED TESTS?$"),
    Mark("clojure.test", "total", (" errors.\n",), r"\d+ failures?, \d+ errors\.$"),
    Mark(
        "eunit", "total", (".  Skipped: ", "One or more "), r" *Failed: \d+\. {2}Skip|One or more tests were cancelled"
    ),
    Mark("common_test", "total", ("\nFailed ",), r"Failed \d+ tests?\. (?:Skipped|Passed) \d"),
    Mark("alcotest", "unread total", (" tests run.", " test run."), r".*\d+ failures?! in [\d.]+s\. \d+ tests? run\."),
    Mark("elm-test", "unread total", ("\nFailed:   ",), r"Failed: {3}\d+$"),
    Mark("phpspec", "unread total", (" examples (", " example ("), r"\d+ examples? \("),
    Mark("run-tests.php", "total", ("Tests failed ",), r"Tests failed +:"),
    Mark(
        "result file",
        "start",
        ("?><testsuite", *(f"\n{begin}" for begin in CERTAIN)),
        r"(?:<\?xml .*\?>)?<(?:testsuites?|checkstyle)\b|\{",
    ),
    # Runners' reports of a job that passed.
    Mark("GitHub's runner", "job", ("Complete job name: ",), r"Complete job name: \S"),
    Mark("GitHub's runner", "action", ("]/usr/bin/docker run --name ",), r"##\[command\]/usr/bin/docker run "),
    Mark("GitHub's runner", "action", ("Post job cleanup.\n", "\nNode.js v"), r"Post job cleanup\.$|Node\.js v\d"),
    Mark("GitHub's runner", "done", ("Cleaning up orphan processes",), "Cleaning up orphan processes"),
    Mark("act", "done", ("Job succeeded",), r".*🏁  Job succeeded"),
    Mark("GitLab's runner", "job", ("Running with gitlab-runner ",), r"Running with gitlab-runner \d"),
    Mark("GitLab's runner", "done", ("Job succeeded",), r"Job succeeded$"),
    Mark("Jenkins", "job", ("[Pipeline] Start of Pipeline",), r"\[Pipeline\] Start of Pipeline$"),
    Mark("Jenkins", "job", ("\nStarted by ",), r"Started by (?:user|timer|an SCM|upstream|GitHub|remote|command)"),
    Mark("Jenkins", "done", ("Finished: SUCCESS",), r"Finished: SUCCESS$"),
    Mark("Travis", "done", ("Your build exited with 0",), r"Done\. Your build exited with 0\."),
    Mark("CodeBuild", "done", ("Phase complete: BUILD State: SUCCEEDED",), r".*Phase complete: BUILD State: SUCCEEDED"),
    # Reports of failures by runners, and by tools that run others.
    Mark(
        "a runner",
        "failure",
        ("##[error]", "\n::error", "Process completed with exit code "),
        r"##\[error\]|::error(?: [^:]*)?::|(?:Error: )?Process completed with exit code [1-9]",
    ),
    Mark(
        "act",
        "failure",
        ("exitcode '", "Job failed", "  Failure - "),
        r"exitcode '\d+': failure|.*🏁  Job failed|.*❌  Failure - ",
    ),
    Mark("GitLab's runner", "failure", ("ERROR: Job failed",), r"ERROR: Job failed"),
    Mark(
        "Jenkins",
        "failure",
        ("Finished: ", "script returned exit code ", "marked build as failure", "' changed build result to "),
        r"Finished: (?:FAILURE|ABORTED|UNSTABLE|NOT_BUILT)$|ERROR: script returned"
        r"|Build step '.*' (?:marked build as|changed build result to (?!SUCCESS))",
    ),
    Mark("Azure", "failure", ("##vso[",), r"##vso\[task\.(?:logissue type=error|complete result=Failed)"),
    Mark("Travis", "step", ("travis_time:start:",), r".*travis_time:start:"),
    Mark(
        "Travis",
        "failure",
        (" exited with ", "Your build has been stopped."),
        r"(?:.*\" (?:failed and )?|Done\. Your build )exited with 0*[1-9]|Your build has been stopped\.$",
    ),
    Mark("CircleCI", "failure", ("Exited with code ",), r"Exited with code (?:exit status )?0*[1-9]"),
    Mark(
        "Buildkite",
        "failure",
        ("Error: The command exited with status ", "user command error: exit status "),
        r".*(?:command exited with|command error: exit) status -?0*[1-9]",
    ),
    Mark("AppVeyor", "failure", ("Command exited with code ",), r"Command exited with code -?0*[1-9]"),
    Mark(
        "CodeBuild",
        "failure",
        ("State: FAILED", "Command did not exit successfully"),
        r".*Phase complete: \w+ State: FAILED|.*Command did not exit successfully",
    ),
    Mark("Cloud Build", "failure", ("ERROR: build step ",), r"ERROR: build step \d+ .* failed"),
    Mark(
        "TeamCity",
        "failure",
        ("##teamcity[", "Process exited with code "),
        r".*##teamcity\[(?:testFailed|buildProblem)|.*Process exited with code 0*[1-9]",
    ),
    Mark(
        "Docker",
        "failure",
        ("did not complete successfully: exit code",),
        r".*did not complete successfully: exit code:? 0*[1-9]",
    ),
    Mark("make", "failure", ("] Error ",), r"(?:\S*make(?:\[\d+\])?|gmake\S*): \*\*\* .*\] Error \d"),
    Mark(
        "a package manager",
        "failure",
        ("npm ERR! ", "npm error ", "Command failed with exit code ", "ELIFECYCLE"),
        r"npm (?:ERR!|error) (?:code|Test failed|Lifecycle)|error Command failed with exit code|.*ELIFECYCLE",
    ),
    Mark("gradle", "failure", ("BUILD FAILED", "Build failed with an ex"), r"BUILD FAILED(?!:)|FAILURE: Build failed"),
    Mark("maven", "failure", ("BUILD FAILURE",), r"(?:\[(?:INFO|ERROR)\] )?BUILD FAILURE$"),
    Mark("bazel", "failure", ("Build did NOT complete successfully",), r".*Build did NOT complete"),
    Mark("sbt", "failure", ("[error] (",), r".*\[error\] \((?:[\w-]+ / )*[\w-]+(?::[\w-]+)?(?:/[\w:-]+)?\) \S"),
    Mark("sbt", "failure", ("[error] Use 'last' for the full log.",), r".*\[error\] Use 'last' for the full log\.$"),
    Mark("swift", "failure", ("Exited with ",), r"(?:error: )?Exited with (?:unexpected )?signal code \d+"),
    Mark("cargo", "failure", ("\nerror: process didn't exit",), r"error: process didn't exit successfully: `"),
    Mark("tox", "total", ("\n  congratulations :)",), r"  congratulations :\)"),
    Mark("tox", "failure", (": FAIL code ", ": commands failed\n"), r"(?:ERROR:)? +\S+: (?:FAIL code|commands f)"),
    Mark("nox", "failure", (" failed.\n",), r"nox > Session .* failed\.$"),
    Mark("pre-commit", "failure", ("...Failed\n",), r".*\.{3,}Failed$"),
    Mark("luacheck", "total", ("\nTotal: ",), r"Total: \d+ warnings? / \d+ errors? in \d+ files?$"),
    # Tools without a parser that end with what they found.
    Mark("haml-lint or slim-lint", "failure", (" detected\n",), r"\d+ files? inspected, [1-9]\d* lints? detected$"),
    Mark("erb-lint", "failure", (" found in ERB files",), r"[1-9]\d* error\(s\) were found in ERB files"),
    Mark("commitlint", "failure", ("✖   found ",), r"✖   found [1-9]\d* problems?"),
    Mark("redocly", "failure", ("❌ Validation failed with ",), r"❌ Validation failed with [1-9]"),
    Mark("remark", "failure", ("\n✖ ",), r"✖ [1-9]\d* errors?(?:, ⚠|$)"),
    Mark("reuse", "failure", ("is not compliant with version",), r"Unfortunately, your project is not compliant with"),
    Mark("interrogate", "failure", ("\nRESULT: FAILED (",), r"RESULT: FAILED \(minimum: "),
    Mark(
        "check-jsonschema", "failure", ("Schema validation errors were",), r"Schema validation errors were encountered"
    ),
    Mark("detect-secrets", "failure", ("Potential secrets about to be",), r"ERROR: Potential secrets about to be"),
    Mark("mdformat", "failure", ('" is not formatted.\n',), r"Error: File \".*\" is not formatted\.$"),
    Mark("autoflake", "failure", ("Unused imports/variables",), r".*: Unused imports/variables detected$"),
    Mark("knip or depcheck", "failure", ("\nUnused ",), r"Unused (?:files|dependencies|devDependencies|exports)\b"),
    Mark("htmlhint", "failure", ("\nScanned ",), r"Scanned \d+ files?, found [1-9]\d* errors? in "),
    Mark("djlint", "failure", (" would be updated.",), r"[1-9]\d* files? would be updated\.$"),
    Mark("ty", "failure", (" diagnostic",), r"Found [1-9]\d* diagnostics?$"),
    Mark("svelte-check", "total", ("svelte-check found ",), r"svelte-check found \w+ errors?"),
    Mark(
        "webpack",
        "failure",
        (" compiled with ", "webpack errors"),
        r"webpack [\d.]+ compiled with.* [1-9]\d* error|> Build failed",
    ),
    Mark("Vite", "failure", ("rror during build:",), r"(?:\[vite\]: )?error during build:"),
    Mark("MkDocs", "failure", ("Aborted with ",), r"Aborted with [1-9]\d* [Ww]arnings? in '?strict'? mode"),
    Mark(
        "Sphinx", "failure", ("build finished with problems", "\nWarning, treated as error:"), r"build fin|Warning, tr"
    ),
    Mark(
        "a tool",
        "hint",
        (
            *("rror: ", "RROR: ", "rror]: ", "RROR]", "rror] ", "atal: ", "ATAL: ", "ATAL] ", "xception: ", "anic: "),
            *("\nERROR ", "\nFATAL ", "\nFatal ", "\nError ", " error ", " ERROR ", "FAIL: "),
            *("Error)\n", "Exception)\n", "\n[!] "),
            *(f"{begin}{cross}" for begin in ("\n", "\n  ") for cross in CROSSES),
            *(": command not found\n", ": not found\n", "No such file or directory\n", "ermission denied\n"),
            *(".ps1:", ".psm1:", "+ CategoryInfo  "),
        ),
        ERRORS,
    ),
    Mark(
        "a shell",
        "failure",
        ("(core dumped)", "command not found"),
        r".*(?:Segmentation fault|Aborted|Illegal instruction)\b.*\(core dumped\)"
        r"|\S*sh: (?:line )?\d+: .*: (?:command )?not found$|bash: .*: command not found$",
    ),
)
TOOLS = tuple(
    dict.fromkeys(
        mark.tool for mark in MARKS if mark.role in {"start", "total", "unread total"} and mark.tool != "lint"
    )
)
"""The tools whose output is recognized."""
