"""What the parsers of .NET share: places in stacks, and names."""

import re
from collections.abc import Sequence

from ci_failures.parsers.text_helpers import relative

FRAME = re.compile(
    r"^\s*at (.{1,600}?) ?(?:\((?:[^()]|\([^()]*+\)){0,600}\))?(?: \[0x[0-9a-f]+\])? in "
    r"(.{1,400}?):(?:line )?(\d{1,7})\s*$"
)
BARE = re.compile(r"^\s*at ([A-Za-z_][\w.`+<>]{1,400}\.[\w<>|]{1,200})\(")
"""A frame of a build without symbols, which has no place."""
REVERSED = re.compile(r"^\s*(\S.{0,400}?)\((\d{1,7}),\d{1,7}\): at (.{1,600})$")
BUILT = "/_/"
"""The prefix of paths in deterministic builds, which replaces the repository's path, also in libraries."""
ASYNC = re.compile(r"^(.*)\.<(\w+)>(?:d__|b__)[\w|]*(?:\.MoveNext)?$")
"""The method that the compiler generates for an async one, and for a local function."""


def frame(text: str) -> tuple[str, str, int] | None:
    """Return method, file and line of a frame that may be in the repository; None for any other line."""
    if found := FRAME.match(text):
        method, path, line = found[1], found[2], found[3]
    elif found := REVERSED.match(text):
        method, path, line = found[3].partition("(")[0], found[1], found[2]
    else:
        return None
    if made := ASYNC.match(method):
        method = f"{made[1]}.{made[2]}"
    file = relative(path)
    return None if file.startswith(("..", "<")) or line == "0" else (method, file, int(line))


def bare_method(text: str) -> str:
    """Return the method of a frame, whether it has a place or not; empty for any other line."""
    found = BARE.match(text)
    if not found:
        return ""
    made = ASYNC.match(found[1])
    return f"{made[1]}.{made[2]}" if made else found[1]


def elsewhere(file: str) -> bool:
    """Check whether a path may be that of a library: it does not show where the repository begins."""
    return file.startswith("/") or file[1:3] in {":\\", ":/"}


def full_name(name: str, methods: Sequence[str]) -> str:
    """Return a test's name with its class.

    Adapters of NUnit and MSTest print only the method, the stack has the class.
    """
    bare = name.partition("(")[0].rstrip()
    if "." in bare or not bare:
        return name
    whole = next((method for method in methods if method.endswith(f".{bare}")), "")
    return whole + name[len(bare) :] if whole else name
