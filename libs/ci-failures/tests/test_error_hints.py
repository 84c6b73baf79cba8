"""The last resort where no known tool tells what failed: the first line like an error, marked as such."""

import re
from pathlib import Path

import pytest

import ci_failures
from ci_failures.logs.error_hints import may_be_error
from ci_failures.logs.evidence import MOST_HINTS
from ci_failures.logs.recent_lines import RecentLines
from ci_failures.logs.tool_marks import MARKS

LOGS = sorted((Path(__file__).parent / "logs").rglob("*.log"))
EXIT = "##[error]Process completed with exit code 1.\n"
STEP = "##[group]Run ./{}.sh\n##[endgroup]\n"

HINTS = {
    "one": ("compiling\nsrc/main.odin:4:7: error: expected ';'\n", "src/main.odin:4:7: error: expected ';'"),
    "first": ("fatal: not a git repository\nerror: other\n", "fatal: not a git repository"),
    "warnings of a logger": ("10:00 warn [Rules] Error: none\nfatal: no key\n", "fatal: no key"),
    "warnings": ("warning: error: none\nERROR Cannot find a release\n", "ERROR Cannot find a release"),
    "exceptions": ("lib.errors.QuotaError: too much\n", "lib.errors.QuotaError: too much"),
    "shells": ("./a.sh: line 3: frobnicate: command not found\n", "./a.sh: line 3: frobnicate: command not found"),
    "of the failing step": (f"error: none\n{STEP.format('b')}panic: no more\n", "panic: no more"),
    "runs without a test": ("collected 0 items\n\n===== no tests ran in 0.01s =====\n", "no tests ran in 0.01s"),
    "scripts": ("all is prepared\n\u274c The title has no type\nsee above\n", "\u274c The title has no type"),
    "scripts that indent": ("building\n  \u2a2f no such file\nsee above\n", "\u2a2f no such file"),
    "levels behind a time": (
        "going on\n" * 9 + "10:47:30.113 ERROR Could not find a branch\nEXECUTION FAILURE\n",
        "10:47:30.113 ERROR Could not find a branch",
    ),
    "exceptions of Ruby": (
        "a.rb:3:in `b': undefined method `c' (NoMethodError)\n",
        "a.rb:3:in `b': undefined method `c' (NoMethodError)",
    ),
    "fastlane": ("[!] No value found for 'app_identifier'\n+---+\n", "[!] No value found for 'app_identifier'"),
    "no command": ('"test": "echo \\"Error: no test\\" && exit 1"\nerror: unknown option\n', "error: unknown option"),
    "behind an early one": ("fatal: no branch\n" + "going on\n" * 40 + "fatal: denied\n", "fatal: denied"),
    "below words of a caller": (
        'npm error Cannot read the package\nnpm error path /a\nError: Command "npm install" exited with 1\n',
        "npm error Cannot read the package",
    ),
    "not of a caller": ("error: denied\n" + "trace\n" * 40 + "Error: Command failed: git push\n", "error: denied"),
    "scripts with a name": ("[gate] FAIL: coverage 25.0 < 80\ndone\n", "[gate] FAIL: coverage 25.0 < 80"),
    "wget": ("awaiting response... 404 Not Found\n10:00 ERROR 404: Not Found.\n", "10:00 ERROR 404: Not Found."),
    "PowerShell": (
        "Compress-Archive: D:\\a\\x y\\3.ps1:3\nLine |\n   3 |  Compress-Archive\n     | The path does not exist\n",
        "Compress-Archive: D:\\a\\x y\\3.ps1:3",
    ),
    "PowerShell's exceptions": ("BUILD FAILED: see below\nException: /app/b.ps1:12\n", "Exception: /app/b.ps1:12"),
    "Write-Error": ("Write-Error: the key is missing\n", "Write-Error: the key is missing"),
    "Windows PowerShell": (
        "no : it is wrong\nAt C:\\a.ps1:12 char:3\n    + CategoryInfo          : NotSpecified: (:) [], IOException\n",
        "+ CategoryInfo          : NotSpecified: (:) [], IOException",
    ),
    "messages of Windows PowerShell": (
        "Get-Item : Cannot find path 'C:\\x'\nAt C:\\a.ps1:12 char:3\n    + CategoryInfo          : NotFound: (x)\n",
        "Get-Item : Cannot find path 'C:\\x'",
    ),
    "messages of the runner": ("##[error]Unable to find the cache\n", "Unable to find the cache"),
}


@pytest.mark.parametrize(("text", "hint"), HINTS.values(), ids=HINTS)
def test_the_first_line_like_an_error_of_the_failing_step_is_a_hint(text, hint):
    report = ci_failures.parse((STEP.format("a") + text + EXIT).encode())
    assert [(one.kind, one.confidence, one.message) for one in report.failures] == [("step", "low", hint)]
    assert report.status == "failed"


@pytest.mark.parametrize("last", ["2 files differ", "Coverage must be above 80 %", "Set the variable: it is required"])
def test_without_a_line_like_an_error_the_last_one_with_a_word_of_failure_is_a_hint(last):
    text = f"it is missing\n{STEP.format('a')}building\n{last}\nsee the log\n\n{EXIT}"
    report = ci_failures.parse(text.encode())
    assert [(one.kind, one.confidence, one.message) for one in report.failures] == [("step", "low", last)]


def test_each_error_with_a_place_is_a_hint_behind_a_first_one_with_a_place():
    errors = ["a.odin(3:4) Error: no", "b.odin(5:1) Error: none", "linking: error: failed"]
    text = "b.odin(9:9) Error: old\n" + STEP.format("a") + "\n".join([*errors, errors[0]]) + f"\n{EXIT}"
    found = [(one.file, one.line, one.confidence) for one in ci_failures.parse(text.encode()).failures]
    assert found == [("a.odin", 3, "low"), ("b.odin", 5, "low")]


def test_a_step_that_failed_beside_one_with_failures_has_a_hint_of_its_own():
    tests = "FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n"
    text = STEP.format("a") + tests + EXIT + STEP.format("b") + "Error: no release\n" + EXIT + "Error: later\n"
    report = ci_failures.parse(text.encode())
    assert [(one.name, one.confidence) for one in report.failures] == [
        ("tests/test_a.py::test_b", "high"),
        ("Error: no release", "low"),
    ]
    assert report.gaps == ()


LAST_WORDS = [
    "django.core.exceptions.ImproperlyConfigured: Set the SECRET_KEY environment variable",
    "AssertionError",
    "lerna ERR! EUNCOMMIT Working tree has uncommitted changes",
    "HTTP 403: Resource not accessible by integration",
    "/home/runner/work/_temp/x.sh: line 2: API_KEY: unbound variable",
    "exec /entrypoint.sh: exec format error",
    "unknown flag: --foo",
    "thread 'main' panicked at src/main.rs:3:5:",
]


@pytest.mark.parametrize("last", LAST_WORDS)
def test_last_words_without_any_form_of_an_error_are_hints(last):
    (one,) = ci_failures.parse((STEP.format("a") + f"fine\n{last}\n" + EXIT).encode()).failures
    assert (one.message, one.confidence) == (last, "low")


def test_the_last_words_before_gitlab_reports_a_failure_are_a_hint():
    log = 'service app: undefined secret "account"\nCleaning up project directory\nERROR: Job failed: exit code 1\n'
    (one,) = ci_failures.parse(log.encode()).failures
    assert (one.message, one.confidence) == ('service app: undefined secret "account"', "low")


@pytest.mark.parametrize(("errors", "told"), [(MOST_HINTS, 0), (MOST_HINTS + 50, 50)])
def test_errors_that_repeat_a_failure_are_left_out_as_far_as_they_are_compared(errors, told):
    tests = "FAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n"
    again = "".join(f"b.odin({at}:1) Error: tests/test_a.py\n" for at in range(1, errors + 1))
    report = ci_failures.parse((STEP.format("a") + tests + EXIT + STEP.format("b") + again + EXIT).encode())
    assert len(report.failures) == 1 + told


def test_no_word_of_another_step_or_of_its_script_is_a_hint():
    text = STEP.format("a") + "it is missing\n##[group]Run test || echo failed\ntest || echo failed\n##[endgroup]\n"
    assert ci_failures.parse((text + EXIT).encode()).failures == ()


def test_a_package_manager_that_fails_in_a_step_that_passes_hides_no_step_that_fails():
    made = "Error: no entry file\nmake: *** [all] Error 1\n"
    text = STEP.format("a") + "error: none\nnpm error code EUSAGE\nnpm error\n" + STEP.format("b") + made + EXIT
    assert [one.message for one in ci_failures.parse(text.encode()).failures] == ["Error: no entry file"]


def test_a_hint_has_the_place_that_its_line_begins_with():
    (one,) = ci_failures.parse((STEP.format("a") + HINTS["one"][0] + EXIT).encode()).failures
    assert (one.file, one.line, one.log_line) == ("src/main.odin", 4, 4)


@pytest.mark.parametrize(
    "text",
    [
        STEP.format("a") + "error: nothing failed\n",
        STEP.format("a") + "0 errors, all is well\n" + EXIT,
        "error: early\n===== 2 failed, 1 passed in 0.1s =====\n" + EXIT,
        "error: early\nFAILED tests/test_a.py::test_b - assert 1 == 2\n==== 1 failed in 0.1s ====\n" + EXIT,
    ],
    ids=["no report of the runner", "no error", "a total of a known tool", "a failure of a known tool"],
)
def test_there_is_no_hint_without_a_report_of_the_runner_or_beside_what_a_tool_tells(text):
    assert "step" not in {one.kind for one in ci_failures.parse(text.encode()).failures}


OF_ACTIONS = {
    "of an action": f"{STEP.format('a')}##[error]Unable to find version '99'\nPost job cleanup.\n",
    "of the last step": f"##[error]old\n{STEP.format('a')}##[error]Unable to find version '99'\n##[error]other\n",
    "of a command": "checking\n::error title=Version::Unable to find version '99'\n",
    "with a code": f"{STEP.format('a')}##[error]Unable to find version '99'\n##[error]it failed with exit code 1\n",
}


@pytest.mark.parametrize("text", OF_ACTIONS.values(), ids=OF_ACTIONS)
def test_an_error_that_an_action_reports_is_all_that_tells_why_its_step_failed(text):
    report = ci_failures.parse(text.encode())
    assert [(one.kind, one.confidence, one.message) for one in report.failures] == [
        ("step", "low", "Unable to find version '99'")
    ]


def test_an_error_with_an_exit_code_alone_is_what_the_action_reports():
    (one,) = ci_failures.parse(b"##[error]buildx failed with exit code 1\n").failures
    assert (one.kind, one.message) == ("step", "buildx failed with exit code 1")


def test_the_exit_code_of_a_step_alone_tells_nothing():
    assert not ci_failures.parse(f"{STEP.format('a')}##[error]deprecated\n{STEP.format('b')}{EXIT}".encode()).failures


def test_each_kept_line_like_an_error_passes_the_check_before_the_pattern():
    forms = [re.compile(mark.form) for mark in MARKS if mark.role == "hint"]
    texts = {text for log in LOGS for text in log.read_text(encoding="utf-8", errors="replace").splitlines()}
    errors = [text for text in texts if any(form.match(text) for form in forms)]
    assert len(errors) > len(LOGS)
    assert [text for text in errors if not may_be_error(text)] == []


def test_no_kept_log_has_a_hint():
    logs = LOGS[::7]
    offenders = [log.name for log in logs if any(one.kind == "step" for one in ci_failures.parse_files([log]).failures)]
    assert not offenders


def test_a_step_of_jenkins_behind_the_commands_of_a_job_is_the_hint():
    result = "Build step 'Publish HTML reports' changed build result to FAILURE"
    log = f"browser: Error: Channel error: none\nTests run: 3, Failures: 0, Errors: 0, Skipped: 0\n{result}\n"
    report = ci_failures.parse(f"{log}Finished: FAILURE\n".encode())
    assert [(one.kind, one.message) for one in report.failures] == [("step", result)]


GROUP = "##[group]Run {}\n##[endgroup]\n"
TSC = "src/a.ts(1,2): error TS2322: Type 'x' is not assignable.\n"
FAILED_TEST = (
    "=== test session starts ===\ncollected 1 item\n\n=== FAILURES ===\n___ test_b ___\n\n    def test_b():\n"
    ">       assert 0\nE       assert 0\n\na.py:2: AssertionError\n=== short test summary info ===\n"
    "FAILED a.py::test_b - assert 0\n=== 1 failed in 0.10s ===\n"
)
TESTED = f"{GROUP.format('pytest')}{FAILED_TEST}{EXIT}"
STEPS = {
    "commands": (
        f"{GROUP.format('a')}fatal: no remote\n{EXIT}{GROUP.format('b')}error: no key\n{EXIT}",
        ["fatal: no remote", "error: no key"],
    ),
    "beside tests": (
        f"{TESTED}{GROUP.format('push')}fatal: no remote\n{EXIT}",
        ["assert 0", "fatal: no remote"],
    ),
    "an action": (
        f"{TESTED}{GROUP.format('a/upload@v4')}##[error]no file\n",
        ["assert 0", "no file"],
    ),
    "an action that exits": (
        f"{GROUP.format('a/lint@v6')}Error: no config\n##[error]lint exit with code 3\n{TESTED}",
        ["assert 0", "Error: no config"],
    ),
    "a message of commands": (
        f"{GROUP.format('echo')}##[error]deprecated\n{TESTED}",
        ["assert 0"],
    ),
    "the same error twice": (
        f"{GROUP.format('tsc')}{TSC}{EXIT}{GROUP.format('tsc')}{TSC}{EXIT}",
        ["Type 'x' is not assignable."],
    ),
}


@pytest.mark.parametrize(("text", "messages"), STEPS.values(), ids=STEPS)
def test_each_step_that_failed_without_a_failure_of_its_own_has_a_hint(text, messages):
    report = ci_failures.parse(text.encode())
    assert [one.message for one in report.failures] == messages
    assert report.gaps == ()


WORDS = {
    "words": (
        "Chunk size assertion failed. Limit: 1200 kB\n - a.js: 2706 kB\n",
        "Chunk size assertion failed. Limit: 1200 kB",
    ),
    "advice": (
        "the container is not ready: starting\nTry --debug to see the error.\n",
        "the container is not ready: starting",
    ),
    "signs": ("  \u2022 Compiling application:\n\n  ERROR   exit status 1\ndone\n", "ERROR   exit status 1"),
    "warnings": ("unknown option: -x\nnpm warn Invalid name\n10:00 warn: missing\n", "unknown option: -x"),
    "npm audit": (
        "node-forge  <=1.3.1\nSeverity: high\n\n2 high severity vulnerabilities\n\nTo fix all, run:\n  npm audit fix\n",
        "2 high severity vulnerabilities",
    ),
}


@pytest.mark.parametrize(("text", "hint"), WORDS.values(), ids=WORDS)
def test_a_step_without_a_line_like_an_error_failed_by_what_its_last_lines_tell(text, hint):
    report = ci_failures.parse((STEP.format("a") + text + EXIT).encode())
    assert [(one.kind, one.confidence, one.message) for one in report.failures] == [("step", "low", hint)]


def test_words_in_an_earlier_step_in_a_script_or_far_above_are_no_reason():
    script = "##[group]Run ./b.sh\nif missing; then echo the key is missing; fi\n##[endgroup]\n"
    other = "[ci-failure 12ab] Upload error log\n 1 file changed\n0 errors, no failures\n"
    far = "the key is missing\n" + "loading\n" * 20
    assert ci_failures.parse(f"{STEP.format('a')}the key is missing\n{script}{EXIT}".encode()).status == "unknown"
    for text in (far, other):
        assert ci_failures.parse(f"{STEP.format('a')}{text}{EXIT}".encode()).status == "unknown"


def test_the_last_lines_of_a_step_are_known_where_the_next_portion_begins_with_its_report():
    recent = RecentLines()
    recent.feed(["secret is missing", "the key is missing", ""], range(5, 8), bytearray(b"\x00\x01\x01"))
    recent.feed(["loading", EXIT], range(8, 10), None)
    assert list(recent.list_before(9)) == [(8, "loading"), (6, "the key is missing")]
    recent.feed([EXIT], range(10, 11), None)
    assert [number for number, _ in recent.list_before(10)] == [9, 8, 6]


def test_commands_of_the_runner_are_known_although_a_secret_hides_their_brackets():
    log = "##[group***Run ./a.sh\n##[endgroup***\nfatal: no key\n##[error***Process completed with exit code 1.\n"
    (one,) = ci_failures.parse(f"{log}Cleaning up orphan processes\n".encode()).failures
    assert one.message == "fatal: no key"


def test_an_sbt_that_ends_with_an_error_did_not_pass():
    log = "[success] Total time: 15 s\n[error] ExecutionException: cancelled\n[error] Use 'last' for the full log.\n"
    assert ci_failures.parse(log.encode()).status == "failed"


def test_a_run_without_tests_does_not_prove_that_nothing_failed():
    begin, end = "=== test session starts ===\ncollected 0 items\n\n", "=== no tests ran in 0.01s ===\n"
    report = ci_failures.parse(f"{begin}{end}ValueError while closing\n".encode())
    assert (report.status, report.gaps) == ("unknown", ("input: pytest ran no tests, as it reports in line 4",))
    assert ci_failures.parse(f"{begin}{end}{begin}=== 1 passed in 0.01s ===\n".encode()).status == "passed"
    assert ci_failures.parse(f"{begin}{end}Cleaning up orphan processes\n".encode()).status == "passed"


def test_a_step_whose_tool_reports_the_same_as_in_an_earlier_one_is_no_gap():
    npm = "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages with a lock file\n"
    report = ci_failures.parse(f"{GROUP.format('npm ci')}{npm}{EXIT}{GROUP.format('npm ci')}{npm}{EXIT}".encode())
    assert [one.tool for one in report.failures] == ["npm"]
    assert report.gaps == ()
