"""Patterns over paths from untrusted files: globs and regular expressions, matched within a time limit.

Globs are those of gitignore. `forge_globs` has those of branch rules, which mean something else by the same characters
and must not time out, since a rule that is not applied would look met.
"""

import time

import regex

SECONDS = 0.1
"""CPU seconds that one expression may take beyond the usual: an untrusted one can take exponential time."""
USUAL = 0.0005
"""CPU seconds of a usual match, which do not count against `SECONDS`."""


class PathPattern:
    """An expression for paths. After a timeout it matches no path."""

    __slots__ = ("_expression", "_holds", "_left", "_match", "_negated")

    def __init__(self, expression: str, *, negated: bool = False, holds: str = "", anchors: bool = False) -> None:
        """Compile the expression; one without anchors, which is a translated glob, when it is matched first.

        Most globs of a large file are never matched, since `holds` rejects the paths.

        Args:
            expression: As `regex` takes it.
            negated: Whether it applies to every path that does not match.
            holds: A text that every matching path contains. This test alone rejects most paths, and is much faster.
            anchors: Whether to put `^` before the expression and `$` behind it, which is not the same as to match whole
                paths: `^docs|src$` matches `docs/a`, and `^*.py$` is valid, while `*.py` is not.

        Raises:
            regex.error: The expression is invalid.
        """
        self._expression = expression
        self._match = regex.compile(f"^{expression}$").search if anchors else None
        self._negated = negated
        self._holds = holds
        self._left = SECONDS

    @property
    def timed_out(self) -> bool:
        """Whether it timed out, and matches no path since then."""
        return self._left <= 0

    def matches(self, path: str) -> bool:
        """Return whether it applies to a path. Case matters."""
        if self.timed_out:
            return False
        if self._holds not in path:
            return self._negated
        if self._match is None:
            self._match = regex.compile(f"(?s:{self._expression})").fullmatch
        begun = time.thread_time()
        try:
            fits = self._match(path, timeout=self._left) is not None
        except TimeoutError:
            self._left = 0.0
            return False
        if (took := time.thread_time() - begun) > USUAL:
            self._left -= took
        return fits is not self._negated


ANY = "**"
FOLDERS = "(?:[^/]+/)*"
BELOW = "/.+"
WHOLE = "(?:)"
"""The end of a pattern that is for a file, and not for a folder with everything below it."""
TOKEN = regex.compile(r"\\(.)|(\*+)|(\?)|([^\\*?]+|\\)", regex.DOTALL)


def parse_glob(pattern: str) -> PathPattern:
    """Parse a gitignore pattern without ranges and negation, as GitHub reads CODEOWNERS.

    A pattern with a slash before its end is relative to the root, and `folder/*` matches direct children only. A
    pattern that matches a folder matches everything below it; one that ends with a slash matches nothing else.
    """
    is_folder, is_anchored = pattern.endswith("/"), "/" in pattern.removesuffix("/")
    segments = [part for part in pattern.split("/") if part]
    segments = segments if is_anchored else [ANY, *segments]
    last = BELOW if is_folder else ""
    if len(segments) > 1 and segments[-1] == ANY:
        segments, last = segments[:-1], f"/[^/]+{BELOW}" if is_folder and segments[0] == ANY else BELOW
    elif is_anchored and segments[-1] == "*" and not is_folder:
        segments, last = segments[:-1], "/[^/]+"
    return PathPattern(_build_expression(segments, last), holds=_find_longest_literal(segments))


def parse_anywhere_glob(pattern: str) -> PathPattern:
    """Parse a pattern as GitLab reads CODEOWNERS: one without a slash at its start matches at any depth.

    It matches files only; one that ends with a slash matches all files below. `**` stands for any folders between two
    slashes, and for `*` elsewhere (Ruby's `File.fnmatch` with FNM_PATHNAME). Ranges in brackets are literal here.
    """
    parts = [part for part in pattern.split("/") if part]
    segments = [*([] if pattern.startswith("/") else [ANY]), *parts, *([ANY, "*"] if pattern.endswith("/") else [])]
    segments = [*segments[:-1], "*" if segments[-1] == ANY else segments[-1]]
    return PathPattern(_build_expression(segments, WHOLE), holds=_find_longest_literal(segments))


def _build_expression(segments: list[str], last: str) -> str:
    """Join the segments; `**/` includes its slash, because it may match no folder."""
    text = ""
    for segment in segments:
        text += "/" if text and not text.endswith(FOLDERS) else ""
        text += FOLDERS if segment == ANY else _translate_segment(segment)
    if not text or text.endswith(FOLDERS):
        return text + (last.removeprefix("/") or ".+")
    return text + (last or f"(?:{BELOW})?")


def _translate_segment(pattern: str) -> str:
    parts = []
    for escaped, stars, one, plain in TOKEN.findall(pattern):
        parts.append("[^/]*" if stars else "[^/]" if one else regex.escape(escaped or plain))
    return "".join(parts)


def _find_longest_literal(segments: list[str]) -> str:
    """Return the longest literal text, which every matching path contains."""
    plain = (found[3] or found[0] for segment in segments for found in TOKEN.findall(segment))
    return max(plain, key=len, default="")
