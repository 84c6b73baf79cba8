"""What a runner puts around a log changes nothing of what it tells."""

from pathlib import Path
from zlib import crc32

import pytest
from wrapping import WRAPPINGS, github

LOGS = Path(__file__).parent / "logs"
FEW, SOME = 3, 8
"""Lines that show by what they share what is before them, if one wrapping is around them, or two."""
CASES = sorted(path.relative_to(LOGS) for path in LOGS.rglob("*.log") if path.read_bytes().count(b"\n") >= FEW)
TOOLS = sorted({case.parts[0] for case in CASES})


def summarize_failures(told):
    rows = (one for tale in told for one in tale.failures)
    return sorted((one.tool, one.name, one.file, one.line, one.flaky, one.message) for one in rows)


def wrappings(case):
    """Return GitHub's and two other wrappings, and two pairs of which one is in the other.

    A log has its own ones by its name, so that a new log does not change those of others.
    """
    index = crc32(case.as_posix().encode())
    names = [name for name in WRAPPINGS if name != "GitHub"]
    near, far, outer, inner = (names[(index * step + step) % len(names)] for step in (1, 3, 5, 7))
    inner = "GitLab" if inner.startswith("indented") else inner

    def wrap_twice(text):
        foreign = "see below\n" if text.count("\n") > SOME else ""
        return foreign + WRAPPINGS[outer](WRAPPINGS[inner](text))

    def wrap_in_github(text):
        return github(WRAPPINGS[far](text)).replace("##[error]Process completed with exit code 1.", "")

    twice = {f"{inner} within {outer}": wrap_twice}
    if not far.startswith(("read as", "script")) and (LOGS / case).read_bytes().count(b"\n") > SOME:
        twice[f"{far} within GitHub"] = wrap_in_github
    return {"GitHub": github, near: WRAPPINGS[near], far: WRAPPINGS[far], **twice}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_wrapped_log_tells_the_same(tool, read):
    wrong = []
    for case in CASES:
        if case.parts[0] == tool:
            text = (LOGS / case).read_text(encoding="utf-8", errors="replace")
            plain = summarize_failures(read(text))
            told = {name: summarize_failures(read(wrap(text))) for name, wrap in wrappings(case).items()}
            wrong += [(str(case), name) for name, rows in told.items() if rows != plain]
    assert wrong == []


def test_a_bar_behind_klogs_place_belongs_to_the_line(read):
    """`main.go:12] | +-- sums()` looks like a line of `docker compose`."""
    text = (LOGS / "junit-console" / "1.11.4-verbose.log").read_text(encoding="utf-8")
    assert summarize_failures(read(WRAPPINGS["klog"](text))) == summarize_failures(read(text))


def test_the_second_word_of_a_prefix_is_no_beginning_of_names(read):
    """Behind `stdout ` alone, `F Kotest > …` looks like more failures, none of which has a message."""
    text = (LOGS / "kotest" / "6.2.4-console-testfeed.log").read_text(encoding="utf-8")
    assert summarize_failures(read(WRAPPINGS["containerd"](text))) == summarize_failures(read(text))


def test_what_the_script_echoes_failed_nowhere(read):
    assert not [one for tale in read(github("all is well")) for one in tale.failures]


SHORT = [path for path in CASES if (LOGS / path).read_bytes().count(b"\n") <= 8]


@pytest.mark.parametrize("case", SHORT, ids=str)
def test_a_recording_of_a_short_log_with_names_before_its_lines_tells_the_same(case, read):
    """The empty lines that `script` adds were a third of all, and no name stood before them."""
    text = (LOGS / case).read_text(encoding="utf-8", errors="replace")
    wrapped = WRAPPINGS["script"](WRAPPINGS["stern"](text))
    assert summarize_failures(read(wrapped)) == summarize_failures(read(text))
