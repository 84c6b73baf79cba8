"""The end of a log without recognized failures: its last error, as a hint."""

from collections import deque
from collections.abc import Sequence

from ci_failures.logs.cleaning import Cleaner

KEPT = 32 * 1024
LINES = 5
MARKS = ("##[error]", "::error::")
NOISE = ("##[", "::group::", "::endgroup::")
MOST = 600


class Tail:
    """The last bytes of a log."""

    def __init__(self) -> None:
        self._kept: deque[bytes] = deque()
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        """Read bytes as they come."""
        self._kept.append(chunk[-KEPT:])
        self._size += len(self._kept[-1])
        while self._size - len(self._kept[0]) >= KEPT:
            self._size -= len(self._kept.popleft())

    def hint(self) -> str:
        """Return the last error with the lines before it; without an error the last lines; empty for an empty log."""
        cleaner = Cleaner()
        raw = b"".join(self._kept)[-KEPT:]
        texts = [line.rstrip() for batch in (cleaner.feed(raw), cleaner.finish()) for line in batch.texts]
        return _format_hint([line for line in texts if line.strip()])


def _format_hint(texts: Sequence[str]) -> str:
    marked = [index for index, line in enumerate(texts) if line.startswith(MARKS)]
    end = marked[-1] if marked else len(texts) - 1
    before = [line for line in texts[max(0, end - 4 * LINES) : end + 1] if _is_telling(line)]
    return "\n".join(_strip_mark(line)[:MOST] for line in before[-LINES:])[-2 * MOST :]


def _is_telling(line: str) -> bool:
    return line.startswith(MARKS) or not line.startswith(NOISE)


def _strip_mark(line: str) -> str:
    mark = next((mark for mark in MARKS if line.startswith(mark)), "")
    return line[len(mark) :]
