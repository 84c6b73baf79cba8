"""What runners put around a log: stamps, prefixes, groups and the echo of the script; pure functions on text."""

STAMP = "2026-01-02T03:04:05.1234567Z"
ECHO = "FAILED tests/test_echo.py::test_x - never ran"
"""What the script itself says: it is echoed, and failed nowhere."""


def github(text, script=ECHO):
    """Put a log where GitHub Actions has it."""
    before = [
        f"##[group]Run {script}",
        f"\x1b[36;1m{script}\x1b[0m",
        "shell: /usr/bin/bash -e {0}",
        "env:",
        "  CI: true",
        "##[endgroup]",
    ]
    lines = [*before, *text.splitlines(), "##[error]Process completed with exit code 1."]
    return "\ufeff" + "\n".join(f"{STAMP} {line}" for line in lines) + "\n"


def gitea(text):
    """Put a log where Gitea and Forgejo have it."""
    lines = ["::group::Run the tests", "::endgroup::", *text.splitlines(), "::error::exit status 1"]
    return "\n".join(f"{STAMP} {line}" for line in lines) + "\n"


def as_gh_view(text):
    """Put before each line what `gh run view --log` does."""
    return "".join(f"test (3.11, ubuntu)\tRun the tests\t{STAMP} {line}\n" for line in text.splitlines())


def as_act(text):
    """Put before each line what act does."""
    return "".join(f"[ci/test]   | {line}\n" for line in text.splitlines())


WRAPPINGS = (github, gitea, as_gh_view, as_act)
