"""Frames of V8's stacks: `at name (path:line:column)`, `at path:line:column`, with paths or `file://` URLs."""

import re

from ci_failures.parsers.text_helpers import relative

FRAME = re.compile(r"^\s*at (?:[^(]{0,400} \(|async )?((?:file://)?[^()]{1,500}?):(\d{1,7})(?::\d{1,7})?\)?$")
WEBPACK = re.compile(r"^webpack://[^/]*/(?:\./)?")
FOREIGN = ("node:", "ext:", "internal/", "<anonymous>", "webpack:", "native", "eval at", "../", "/", "http:", "https:")
TESTS = re.compile(r"(?:^|/)(?:tests?|specs?|__tests__)/|\.(?:test|spec|cy)\.")
"""Paths of tests, in contrast to the code under test."""


def frame(text: str) -> tuple[str, int] | None:
    """Return the file and the line of a frame in the repository; None for any other line."""
    found = FRAME.match(text) if "at " in text and text.lstrip().startswith("at ") else None
    return inside(found[1], int(found[2])) if found else None


def inside(path: str, line: int) -> tuple[str, int] | None:
    """Return a place relative to the repository; None if it is in a library or in Node itself."""
    file = relative(WEBPACK.sub("", path) if path.startswith("webpack:") else path)
    if "node_modules/" in file or file.startswith(FOREIGN) or file[1:3] in {":/", ":\\"}:
        return None
    return file, line
