"""The output of a failing test of Rust: a panic, a returned error, or a missing panic."""

import re
from collections.abc import Sequence

from ci_failures.parsers.text_helpers import join_message, relative

PANICKED = re.compile(
    r"^thread '(.{0,400}?)'(?: \(\d+\))? panicked at (?:'(.*)', )?([^\s:][^:]{0,400}\.\w+):(\d+)(?::\d+)?:?$"
)
OLD_PANIC = re.compile(r"^thread '(.*?)'(?: \(\d+\))? panicked at '(.*)$")
OLD_END = re.compile(r"^(.*)', ([^\s:'][^:']*\.rs):(\d+)(?::\d+)?$")
SHOULD = re.compile(r"^note: test did not panic as expected(?: at (\S+?\.rs):(\d+)(?::\d+)?)?")
FRAME = re.compile(r"^ +at (\S+\.rs):(\d+)(?::\d+)?$")
ENDS = ("stack backtrace:", "note: run with `RUST_BACKTRACE", "note: Some details are omitted", "[NOTE] run with")
THREAD = re.compile(r"^thread '(.{1,400}?)'(?: \(\d+\))? panicked at ")
APPLICATION = "The application panicked (crashed)."
LOCATION = re.compile(r"^Location: (\S+\.rs):(\d+)$")
"""The place of a panic as color-eyre prints it."""
SNAPSHOT = re.compile(r"^Source: (\S+\.rs):(\d+)$")
CHANGED = re.compile(r"^[ \d]{1,60}│([-+].*)$")
"""insta's message that a snapshot differs."""
NOT_OURS = (
    *("/rustc/", ".cargo/registry/", ".cargo/git/", ".cargo\\registry\\", "/rust/library/", "/rustlib/src/"),
    "/library/test/src/",
)
MOST = 20


def parse_panic(lines: Sequence[str], test: str = "") -> tuple[str, str, int | None]:
    """Return message, file and line of a test's output: of several panics, those of its own thread."""
    at = _panic(lines, test)
    if at is not None and "returned a termination value" not in "".join(lines[at : at + 4]):
        panicked = _parse_message(lines, at)
        return _snapshot(lines[:at], panicked[0]) or panicked
    for number, line in enumerate(lines):
        if line == APPLICATION:
            return _application(lines[number + 1 :])
        if found := SHOULD.match(line):
            place = (relative(found[1]), int(found[2])) if found[1] else ("", None)
            return line.strip(), *place
        if line.startswith("Error: "):
            return join_message(_until_blank(lines[number:])), "", None
    return join_message([line for line in lines if line.strip()][:MOST]), "", None


def _application(lines: Sequence[str]) -> tuple[str, str, int | None]:
    """Parse a panic as color-eyre prints it."""
    at = next((at for at, line in enumerate(lines) if LOCATION.match(line)), len(lines))
    found = LOCATION.match(lines[at]) if at < len(lines) else None
    message = join_message(line.removeprefix("Message:").strip() for line in lines[:at][:MOST])
    place = (relative(found[1]), int(found[2])) if found else ("", None)
    return message, *place


def _snapshot(lines: Sequence[str], message: str) -> tuple[str, str, int | None] | None:
    """Parse insta's output before its panic: the place, and the changed lines of the snapshot."""
    found = next((found for line in lines if (found := SNAPSHOT.match(line))), None)
    if not found:
        return None
    changed = [change[1] for line in lines if (change := CHANGED.match(line))]
    return join_message([message, *changed[:MOST]]), relative(found[1]), int(found[2])


def _panic(lines: Sequence[str], test: str) -> int | None:
    """Return the index of the panic that counts: that of the test's thread, then of the main one, then the first."""
    found = [at for at, line in enumerate(lines) if line.startswith("thread '") and " panicked at " in line]
    for thread in (test, "main") if test else ():
        if own := [at for at in found if lines[at].startswith(f"thread '{thread}'")]:
            return own[0]
    return next(iter(found), None)


def _parse_message(lines: Sequence[str], at: int) -> tuple[str, str, int | None]:
    found = PANICKED.match(lines[at])
    line: int | None
    if found and found[2] is None:
        end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith(ENDS)), min(len(lines), at + 1 + MOST))
        message, file, line = join_message(lines[at + 1 : end][:MOST]), found[3], int(found[4])
    elif found:
        message, file, line = found[2], found[3], int(found[4])
    else:
        message, file, line = _old(lines, at)
    below = [text.strip() for text in lines[at:]]
    expected = [text for text in below if text.startswith(("note: panic did not", "expected substring"))]
    message = "\n".join([message, *expected])
    return join_message(message.split("\n")), *_ours(file, line, lines[at:])


def _old(lines: Sequence[str], at: int) -> tuple[str, str, int | None]:
    """Parse a panic of versions before 1.73: the message in quotes, over several lines, then the place."""
    begin = OLD_PANIC.match(lines[at])
    message = [begin[2]] if begin else []
    for line in lines[at + 1 : at + 1 + MOST]:
        if found := OLD_END.match(line):
            return "\n".join([*message, found[1]]), found[2], int(found[3])
        message.append(line)
    return "\n".join(message[:1]), "", None


def _ours(file: str, line: int | None, below: Sequence[str]) -> tuple[str, int | None]:
    """Return a place, or for one in a library the first place of the stack below that is not."""
    if file and not any(part in file for part in NOT_OURS):
        return relative(file), line
    for text in below:
        found = FRAME.match(text)
        if found and not any(part in found[1] for part in NOT_OURS):
            return relative(found[1]), int(found[2])
    return "", None


def _until_blank(lines: Sequence[str]) -> list[str]:
    end = next((at for at, line in enumerate(lines) if not line.strip()), len(lines))
    return [*lines[: min(end, MOST)]]
