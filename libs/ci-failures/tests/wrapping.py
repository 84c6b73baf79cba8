# ruff: noqa: RUF001 -- PowerShell makes these signs
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


def _before(words):
    """Return a wrapping that puts words before each line; they are called with the number of the line."""
    return lambda text: "".join(f"{words(n)}{line}\n" for n, line in enumerate(text.removesuffix("\n").split("\n")))


def clock(number):
    return f"{5 + number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}"


def as_gh_view(text, first=""):
    """Put before each line what `gh run view --log` does."""
    return _before(lambda n: f"test (3.11, ubuntu)\tRun tests\t{first if n == 0 else ''}{STAMP} ")(text)


def as_script(text):
    """Record a log as `script` does in a terminal."""
    lines = "".join(f"{line}\r\n" for line in text.removesuffix("\n").split("\n"))
    return (
        '\x1b[?2004hScript started on 2026-03-04 05:06:07+00:00 [TERM="xterm" COLUMNS="80"]\r\n\x1b[?2004l\r\r\n'
        f'{lines}\r\nScript done on 2026-03-04 05:06:08+00:00 [COMMAND_EXIT_CODE="1"]\r\n'
    )


def as_read_in(code_page):
    """Return a wrapping that reads the bytes of a log in a wrong code page, as PowerShell does."""

    def read(byte):
        try:
            return bytes([byte]).decode(code_page)
        except UnicodeDecodeError:
            return chr(byte)

    return lambda text: text if text.isascii() else "".join(map(read, text.encode("utf-8", "replace")))


WORDS = {
    "Jenkins, stamps": lambda n: f"[2026-03-04T{clock(n)}.123Z] ",
    "Jenkins, clock": lambda n: f"{clock(n)}  ",
    "Jenkins, parallel": lambda _: "[unit] ",
    "GitLab": lambda n: f"2026-03-04T{clock(n)}.123456Z 01O ",
    "Buildkite": lambda n: f"[2026-03-04T{clock(n)}Z] ",
    "TeamCity": lambda n: f"[{clock(n)}] :\t [Step 2/3] ",
    "Drone": lambda n: f"[test:{n}] ",
    "Woodpecker": lambda n: f"[test:L{n}:{n // 9}s] ",
    "Cloud Build": lambda _: 'Step #2 - "unit": ',
    "stern": lambda _: "web-7d4b9c5d-x2zq1 unit ",
    "ts": lambda n: f"Mar 04 {clock(n)} ",
    "klog": lambda n: f"I0304 {clock(n)}.123456 {n // 7 + 1:7} main.go:{12 + n % 3}] ",
    "indented": lambda _: "  ",
    "AppVeyor": lambda n: f"[{clock(n)}] ",
    "Concourse": lambda n: f"{clock(n)}  unit | ",
    "Tekton": lambda _: "[build : unit-test] ",
    "Argo": lambda _: "ci-run-x7k2p: ",
    "kubectl": lambda _: "[pod/web-1/unit] ",
    "containerd": lambda n: f"2026-03-04T{clock(n)}.123456789Z stdout F ",
    "journal": lambda n: f"Mar 04 {clock(n)} host unit[{100 + n}]: ",
    "dmesg": lambda n: f"[{12 + n / 1000:12.6f}] ",
    "Docker Compose": lambda _: "web-1  | ",
    "Docker Compose, colours": lambda _: "\x1b[36mweb  |\x1b[0m ",
    "act": lambda _: "[ci/test]   | ",
}
"""What systems put before each line: by the number of the line."""
WRAPPINGS = {
    "GitHub": github,
    "Gitea": gitea,
    "gh": as_gh_view,
    "gh, mojibake": lambda text: as_gh_view(text, "´╗┐"),
    "script": as_script,
    **{f"read as {code_page}": as_read_in(code_page) for code_page in ("cp437", "cp850", "cp1252")},
    "indented, empty lines bare": lambda text: "".join(
        f"    {line}\n" if line.strip() else "\n" for line in text.removesuffix("\n").split("\n")
    ),
    **{name: _before(words) for name, words in WORDS.items()},
}
