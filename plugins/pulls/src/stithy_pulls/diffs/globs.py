"""Patterns over paths as gitignore has them, without its ranges and negations, as GitHub reads code owners."""

import regex

from stithy_pulls.diffs.fitting import PathPattern

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
