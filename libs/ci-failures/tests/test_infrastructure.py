"""What fails around tests is told by its kind, and never as a test."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ci_failures.model import Line
from ci_failures.parsers.infrastructure import PARSERS

OURS = {parser.__name__ for parser in PARSERS}


@pytest.fixture
def told(read):
    """Return kind, tool and name of what the parsers of infrastructure find."""

    def telling(text):
        tales = [tale for tale in read(text) if tale.parser.__name__ in OURS]
        return [(one.kind, one.tool, one.name) for tale in tales for one in tale.failures]

    return telling


def test_a_step_whose_time_ran_out_is_a_timeout_and_not_cancelled(told):
    text = "##[error]The action 'Run tests' has timed out after 10 minutes.\n##[error]The operation was canceled.\n"
    assert told(text) == [("timeout", "runner", "step timed out: Run tests")]


def test_a_job_whose_time_ran_out(told):
    text = (
        "##[error]The job running on runner GitHub Actions 7 has exceeded the maximum execution time of 360 minutes.\n"
    )
    assert told(text) == [("timeout", "runner", "job timed out after 360 minutes")]


def test_an_operation_that_was_cancelled(told):
    assert told("##[error]The operation was canceled.\n") == [("cancelled", "runner", "the operation was cancelled")]
    assert told("Aborted by A B\nFinished: ABORTED\n") == [("cancelled", "runner", "the build was aborted")]


def test_a_run_that_gave_way(told):
    text = "Canceling since a higher priority waiting request for 'ci-refs/pull/7' exists\n"
    assert told(text) == [("cancelled", "runner", "another run came before this one: ci-refs/pull/7")]


def test_a_shutdown_is_no_want_of_memory(told):
    text = "##[error]The runner has received a shutdown signal. This can happen when …\nKilled\n"
    text += "##[error]Process completed with exit code 137.\n##[error]The operation was canceled.\n"
    assert told(text) == [("runner_lost", "runner", "the runner was shut down")]


def test_a_machine_of_surefire_that_crashed_is_told_by_its_class(told):
    said = "[ERROR] The forked VM terminated without properly saying goodbye. VM crash or System.exit called?\n"
    assert [kind for kind, *_ in told(said)] == ["out_of_memory"]
    assert told(f"{said}[ERROR] Crashed tests:\n[ERROR] org.example.ATest\n") == []


def test_exit_code_137_alone_is_probably_memory(read):
    (tale,) = read("##[error]Process completed with exit code 137.\n")
    assert [(one.kind, one.confidence) for one in tale.failures] == [("out_of_memory", "medium")]


def test_any_other_exit_code_tells_nothing(told):
    assert told("##[error]Process completed with exit code 1.\n") == []


def test_a_disk_that_is_full(told):
    text = "cp: error writing '/home/runner/work/a': No space left on device\n"
    assert told(text) == [("runner_lost", "runner", "no space left on the runner's disk")]


def test_an_action_that_is_not_there(told):
    text = "##[error]Unable to resolve action `actions/nothing@v9`, unable to find version `v9`\n"
    assert told(text) == [("dependency", "runner", "action not found: actions/nothing@v9")]


def test_a_compiler_that_was_killed(told):
    text = "c++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n"
    assert told(text) == [("out_of_memory", "gcc", "the compiler was killed: cc1plus")]


def test_the_message_has_the_lines_that_belong_to_it(read):
    text = "npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error\n"
    text += 'npm error peer react@"^18" from react-dom@18\nnpm error A complete log of this run can be found in: x\n'
    (tale,) = read(text)
    assert tale.failures[0].message.splitlines()[-1] == 'npm error peer react@"^18" from react-dom@18'


def test_what_is_repeated_is_told_once(told):
    assert len(told("E: Unable to locate package x\n" * 3)) == 1


def test_an_echoed_script_is_no_failure(told):
    assert told("##[group]Run echo\nKilled\nE: Unable to locate package x\n##[endgroup]\n") == []


DECOYS = """test_killed: the process was Killed on purpose
expected 'The operation was canceled.' to be shown
assert "ERROR: No matching distribution found for x" in output
java.lang.AssertionError: expected java.lang.OutOfMemoryError
    - says No space left on device
  ✓ handles npm error code E404 (3 ms)
go: downloading example.com/x v1.0.0
go: finding module for package example.com/x
E   AssertionError: assert 'exit code 137' == 'x'
process exited with status signal: killed? no
"""


def test_a_sentence_that_only_mentions_it_is_no_failure(told):
    assert told(DECOYS) == []


@given(
    st.lists(
        st.sampled_from(
            ["npm error code E404", "Killed", "java.lang.OutOfMemoryError: x", "", " a", "go: x.y/z@v1: not found"]
        )
    )
)
def test_the_parsers_take_lines_in_any_order(lines):
    for parser in PARSERS:
        reader = parser()
        for number, text in enumerate(lines, 1):
            reader.read(Line(number, text))
        assert len({one.name for one in reader.finish()}) == len(list(reader.finish()))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Could not find rake-13.0.6 in locally installed gems", ("bundler", "not installed: rake-13.0.6")),
        (
            "An error occurred while installing pg (1.5.4), and Bundler cannot continue.",
            ("bundler", "not installed: pg (1.5.4)"),
        ),
        (
            "[!] There was an error while loading `app.gemspec`: undefined method `vers='. Bundler cannot continue.",
            ("bundler", "not readable: app.gemspec"),
        ),
        ("Could not locate Gemfile", ("bundler", "no Gemfile")),
        ("The deployment setting requires a Gemfile.lock. Please make sure you have", ("bundler", "no Gemfile.lock")),
        (
            'Your bundle only supports platforms ["java"] but your local platform is',
            ("bundler", "Gemfile.lock is for other platforms"),
        ),
        ("Git error: command `git clone --bare --no-hardlinks --quiet --", ("bundler", "git failed: clone")),
        ("Could not fetch specs from http://127.0.0.1:9/ due to", ("bundler", "not fetched: http://127.0.0.1:9/")),
        (
            "ERROR:  Could not find a valid gem 'missing_gem' (>= 0) in any repository",
            ("gem", "not found: missing_gem"),
        ),
        ("Your Ruby version is 3.1.2, but your Gemfile specified 3.3.0", ("bundler", "another Ruby is wanted: 3.3.0")),
        (
            '- Required package "a/b" is not present in the lock file.',
            ("composer", "composer.lock is out of date: a/b"),
        ),
        (
            "  Could not find a matching version of package a/b. Check the package spelling",
            ("composer", "not found: a/b"),
        ),
        ("** (Mix) Can't continue due to errors on dependencies", ("mix", "dependencies are missing or out of date")),
        (
            "ERROR: failed to solve: x: failed to resolve source metadata for docker.io/library/node:99: none",
            ("docker", "no image: node:99"),
        ),
        (
            "Error response from daemon: pull access denied for a/b, repository does not exist",
            ("docker", "no image: a/b"),
        ),
        (
            "ERROR: Package 'a' requires a different Python: 3.8.1 not in '>=3.9'",
            ("pip", "another Python is wanted: a"),
        ),
        ('npm error Missing script: "test"', ("npm", "no script: test")),
        ("go: go.mod requires go >= 1.24 (running go 1.21.1; GOTOOLCHAIN=local)", ("go", "another Go is wanted: 1.24")),
        (
            "error: package `a v1.0.0` cannot be built because it requires rustc 1.80 or newer",
            ("cargo", "another Rust is wanted: a v1.0.0"),
        ),
        (
            "[error] sbt.librarymanagement.ResolveException: Error downloading org.a:b_3:1.0",
            ("sbt", "unresolved: org.a:b_3:1.0"),
        ),
        ("E: Failed to fetch http://deb/x.deb  404  Not Found", ("apt", "not fetched: http://deb/x.deb")),
        (
            "fatal: unable to access 'https://forge/a/b/': Could not resolve host: forge",
            ("runner", "no such host: forge"),
        ),
    ],
)
def test_a_package_that_could_not_be_had(line, expected, told):
    assert told(f"{line}\n") == [("dependency", *expected)]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ERROR: Job failed: execution took longer than 1h0m0s seconds", "timeout"),
        ("Too long with no output (exceeded 10m0s): context deadline exceeded", "timeout"),
        ("ERROR: Job failed (system failure): prepare environment: exit code 1", "runner_lost"),
        (
            "##[error]We stopped hearing from agent a 1. Verify the agent machine is running and has a network",
            "runner_lost",
        ),
        ("c++: internal compiler error: Killed (program cc1plus)", "out_of_memory"),
        (
            'ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 137',
            "out_of_memory",
        ),
    ],
)
def test_what_runners_and_kernels_say(line, kind, told):
    assert [one[0] for one in told(f"{line}\n")] == [kind]


def test_a_parent_that_maven_cannot_have(told):
    text = "[ERROR]     Non-resolvable parent POM: Could not find artifact org.example:parent:pom:1.0 in central\n"
    assert told(text) == [("dependency", "maven", "unresolved: org.example:parent:pom")]


def test_gradle_tells_a_dependency_of_the_build_itself_without_a_mark(told):
    text = (
        "* What went wrong:\nCould not resolve all dependencies for configuration ':compile'.\n> Could not find a:b.\n"
    )
    assert told(text) == [("dependency", "gradle", "unresolved :compile")]


def test_a_command_that_travis_waited_for_too_long(told):
    text = 'Timeout (20 minutes) reached. Terminating "make test"\n'
    assert told(text) == [("timeout", "runner", "command timed out: make test")]


def test_a_goal_of_maven_that_only_looks_at_the_project(told):
    text = "[ERROR] Failed to execute goal a.b:maven-{0}-plugin:3.1:check (default) on project app: Found 2 bugs.\n"
    assert told(text.format("enforcer")) == [
        ("lint", "maven", "goal failed: maven-enforcer-plugin:3.1:check (default) on project app")
    ]
    assert told(text.format("surefire")) == []


def test_a_check_of_gradle_that_only_a_report_tells_more_of(told):
    text = "* What went wrong:\n> PMD rule violations were found. See the report at: file:///a/main.html\n"
    assert told(text) == [("lint", "gradle", "task failed: PMD rule violations")]


@pytest.mark.parametrize(
    ("line", "tool", "name"),
    [
        ("Package urllib3 (0.3) not found.", "poetry", "not found: urllib3 (0.3)"),
        (
            "pyproject.toml changed significantly since poetry.lock was last generated. Run `poetry lock`.",
            "poetry",
            "poetry.lock is out of date",
        ),
        (
            "error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.",
            "uv",
            "the lockfile is missing or out of date",
        ),
        (
            "error: Unable to find lockfile at `uv.lock`, but `--locked` was provided. To create a lockfile, run …",
            "uv",
            "the lockfile is missing or out of date",
        ),
        ("error: Failed to build `demo @ file:///srv/demo`", "uv", "not built: demo"),
        ("error: Request failed after 3 retries in 7.1s", "uv", "request failed"),
        (
            'error x@1.0.0: The engine "node" is incompatible with this module. Expected version "99". Got "20.20.2"',
            "yarn",
            "another version is wanted: x@1.0.0",
        ),
        ('error Command "lint" not found.', "yarn", "no script: lint"),
        ("➤ YN0028: · The lockfile would have been created by this install.", "yarn", "yarn YN0028"),
        (" ERR_PNPM_NO_SCRIPT  Missing script: lint", "pnpm", "pnpm ERR_PNPM_NO_SCRIPT"),
        ("Command not found: pytest", "poetry", "command not found: pytest"),
        (
            "BUILD FAILED: The term 'conda.exe' is not recognized as the name of a cmdlet, function, script file, or …",
            "powershell",
            "command not found: conda.exe",
        ),
        ("npm error code ENEEDAUTH", "npm", "npm ENEEDAUTH"),
        ("npm error code EOVERRIDE", "npm", "npm EOVERRIDE"),
        ('go: no such tool "covdata"', "go", "not in this Go: covdata"),
        ("container app-1 is unhealthy", "docker", "unhealthy: app-1"),
        ("dependency failed to start: container app-1 is unhealthy", "docker", "unhealthy: app-1"),
        (
            r'The test source file "D:\a\app\app\bin\A.Tests.dll" provided was not found.',
            "dotnet",
            "test source not found: D:\\a\\app\\app\\bin\\A.Tests.dll",
        ),
    ],
)
def test_what_package_managers_say(line, tool, name, told):
    """Recorded from Poetry 2, uv 0.13, Yarn 1.22 and 4, pnpm 9, PowerShell 7, npm 11 and VSTest 17."""
    assert told(f"{line}\n") == [("dependency", tool, name)]


WORDINGS = {
    "error: cannot update the lock file /app/Cargo.lock because --locked was passed to prevent this\n": (
        ("cargo", "dependency", "Cargo.lock is out of date")
    ),
    "  error: subprocess-exited-with-error\n  \n  \N{MULTIPLICATION SIGN} Getting"
    " requirements to build wheel did not run successfully.\n"
    "  │ exit code: 1\n  ╰─> [2 lines of output]\n      Exception: no pkg-config\n      [end of output]\n": (
        ("pip", "dependency", "failed: Getting requirements to build wheel")
    ),
    "EE.PHP Fatal error:  Type of Till::$size must not be defined (as in Box) in /app/src/Till.php on line 19\n": (
        ("php", "compile", "FatalError src/Till.php:19")
    ),
    "PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 6 bytes)\n": (
        ("php", "out_of_memory", "memory limit reached")
    ),
}


@pytest.mark.parametrize("log", WORDINGS, ids=lambda log: log.strip()[:30])
def test_other_wordings_are_read(log, read):
    assert [(one.tool, one.kind, one.name) for told in read(log) for one in told.failures] == [WORDINGS[log]]
