r"""Traces of jobs: without the marks of sections and the times that runners write.

A line is `2026-01-21T09:47:05.094269Z 00O text`, where `+` in place of the blank continues the line before; marks are
`section_start:1560896352:name[collapsed=true]\r\x1b[0K`, also within lines
(https://docs.gitlab.com/ci/jobs/job_logs/, https://docs.gitlab.com/runner/configuration/feature-flags/).
"""

import re
from collections.abc import AsyncIterator

STAMP = re.compile(rb"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z [0-9a-f]{2}[OE]([ +])")
SECTION = re.compile(rb"section_(?:start|end):\d+:[\w.-]+(?:\[[^\]\n]*\])?[\r\n]?(?:\x1b\[0K)?")
MOST = 1_000_000
"""The bytes of a line that are held until its end."""


async def clean_trace(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Iterate over a trace in whole lines, as the commands of the job wrote it."""
    held = b""
    is_first = True
    async for piece in pieces:
        *lines, held = (held + piece).split(b"\n")
        if len(held) > MOST:
            lines, held = [*lines, held], b""
        if lines:
            yield b"".join(_join(line, is_first=is_first and not place) for place, line in enumerate(lines))
            is_first = False
    if held or not is_first:
        yield _join(held, is_first=is_first)


def _join(line: bytes, *, is_first: bool) -> bytes:
    """Return a line behind the end of the one before, unless it continues that."""
    stamp = STAMP.match(line)
    text = SECTION.sub(b"", line[stamp.end() :] if stamp else line)
    is_continued = stamp is not None and stamp[1] == b"+"
    return text if is_first or is_continued else b"\n" + text
