"""Places where a document speaks of a changed file, or of a folder that it is in, by its path."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta, grapheme_boundary

WORD = re.compile(r"[^\s\"'()\[\]<>{},;|`]+(?P<quoted>`)?")
"""What may be a path: text between spaces, quotes and brackets. A backtick behind it says that it is code."""
END = re.compile(r"(?::\d[\d:-]*|#L\d[\dL-]*)?[.:!?]*$")
"""What follows a path in a sentence: lines, and the sentence's own end."""
BELOW = re.compile(r"/+(?:\*{1,2}(?:/\*{1,2})?)?$")
LONGEST = 400
QUOTE = 160


@frozen(kw_only=True)
class DocumentQuote:
    """A document's words about what changes.

    Args:
        uri: `resources/read` gives the whole document.
        title: What it is called.
        about: What it says of itself: for a decision record, its status.
        line: Where it says so, from 1 on.
        path: The changed file or folder that it speaks of, as it is in the repository.
        words: The line, or what of it is around the path.
    """

    uri: Annotated[str, Meta(cut=False)]
    title: str
    about: str
    line: int
    path: Annotated[str, Meta(cut=False)]
    words: str


@frozen
class PathMention:
    """A path that was found in a text."""

    path: str
    line: int
    words: str


def list_path_names(paths: Iterable[str]) -> Mapping[str, str]:
    """Give the names to look for: each file, and with a slash behind it each folder that one is in."""
    names: dict[str, str] = {}
    for path in paths:
        names[path] = path
        names |= {f"{folder}/": f"{folder}/" for folder in map(str, PurePosixPath(path).parents) if folder != "."}
    return names


def find_mention(text: str, names: Mapping[str, str]) -> PathMention | None:
    """Give the nearest place in a text: a file before a folder, a folder deep down before one above, the first of each.

    Args:
        text: The document's.
        names: As `names_of` gives them.
    """
    found: tuple[tuple[bool, int], PathMention] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        for path, at in _named(line, names):
            rank = (not path.endswith("/"), path.count("/"))
            if found is None or rank > found[0]:
                found = rank, PathMention(path, number, _around(line, at, len(path)))
    return found[1] if found else None


def _named(line: str, names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    for word in WORD.finditer(line) if "/" in line or "`" in line else ():
        text = word[0].removesuffix("`")
        if len(text) > LONGEST or "://" in text:
            continue
        bare = END.sub("", text).removeprefix("./")
        as_folder = f"{BELOW.sub('', bare)}/"
        for name in (bare, as_folder):
            if name in names and _is_meant(bare, is_code=bool(word["quoted"])):
                yield names[name], word.start()


def _is_meant(text: str, *, is_code: bool) -> bool:
    """Say whether a word is a path and no word of a sentence: `docs` may be one, `docs/` and `docs/adr` are not."""
    return is_code or "/" in text


def _around(line: str, at: int, length: int) -> str:
    """Quote a line; of a long one what is around the path."""
    if len(line.strip()) <= QUOTE:
        return line.strip()
    first = grapheme_boundary(line, max(0, min(at - (QUOTE - min(length, QUOTE)) // 2, len(line) - QUOTE)))
    last = grapheme_boundary(line, first + QUOTE)
    return f"{'…' if first else ''}{line[first:last].strip()}{'…' if last < len(line) else ''}"
