"""Patterns over paths as gitignore has them, without its ranges and negations, as GitHub reads code owners."""

import time

import regex

SECONDS = 0.1
"""How long one expression may take beyond what is usual: a stranger's can take an age."""
USUAL = 0.0005


class PathPattern:
    """Whether an expression is for a whole path; one that took too long is for none from then on."""

    __slots__ = ("_found", "_holds", "_left", "_negated")

    def __init__(self, expression: str, *, negated: bool = False, holds: str = "") -> None:
        """Compile it.

        Args:
            expression: As `regex` takes it.
            negated: Whether it is for every path that does not fit.
            holds: A text that every fitting path has: most paths are told by that alone, and much faster.

        Raises:
            regex.error: It is none.
        """
        self._found = regex.compile(f"(?s:{expression})")
        self._negated = negated
        self._holds = holds
        self._left = SECONDS

    @property
    def timed_out(self) -> bool:
        """Whether it took too long, and is for no path since then."""
        return self._left <= 0

    def matches(self, path: str) -> bool:
        """Say whether it is for a path; case counts."""
        if self.timed_out:
            return False
        if self._holds not in path:
            return self._negated
        begun = time.thread_time()
        try:
            fits = self._found.fullmatch(path, timeout=self._left) is not None
        except TimeoutError:
            self._left = 0.0
            return False
        if (took := time.thread_time() - begun) > USUAL:
            self._left -= took
        return fits is not self._negated


ANY = "**"
FOLDERS = "(?:[^/]+/)*"
BELOW = "/.+"
TOKEN = regex.compile(r"\\(.)|(\*+)|(\?)|([^\\*?]+|\\)", regex.DOTALL)


def parse_glob(pattern: str) -> PathPattern:
    """Read a pattern: one with a slash before its end begins at the root, and `folder/*` is for direct children.

    It is for whatever is below a folder that it fits; one that ends with a slash is for nothing else.
    """
    is_folder, is_anchored = pattern.endswith("/"), "/" in pattern.removesuffix("/")
    segments = [part for part in pattern.split("/") if part]
    segments = segments if is_anchored else [ANY, *segments]
    last = BELOW if is_folder else ""
    if len(segments) > 1 and segments[-1] == ANY:
        segments, last = segments[:-1], f"/[^/]+{BELOW}" if is_folder and segments[0] == ANY else BELOW
    elif is_anchored and segments[-1] == "*" and not is_folder:
        segments, last = segments[:-1], "/[^/]+"
    return PathPattern(_whole(segments, last), holds=_literal(segments))


def _whole(segments: list[str], last: str) -> str:
    """Put segments together; folders that may be missing bring their slash along."""
    text = ""
    for segment in segments:
        text += "/" if text and not text.endswith(FOLDERS) else ""
        text += FOLDERS if segment == ANY else _segment(segment)
    if not text or text.endswith(FOLDERS):
        return text + (last.removeprefix("/") or ".+")
    return text + (last or f"(?:{BELOW})?")


def _segment(pattern: str) -> str:
    parts = []
    for escaped, stars, one, plain in TOKEN.findall(pattern):
        parts.append("[^/]*" if stars else "[^/]" if one else regex.escape(escaped or plain))
    return "".join(parts)


def _literal(segments: list[str]) -> str:
    """Give the longest text that stands in every path that fits."""
    plain = (found[3] or found[0] for segment in segments for found in TOKEN.findall(segment))
    return max(plain, key=len, default="")
