"""Excerpts of comments for text output: prose is cut to one line, suggested code keeps its lines."""

import re
from collections.abc import Iterable, Iterator

from stithy_comments.text_format import GUTTER, format_line
from stithy_core.spi import Abridged, excerpt, whole_length

MOST = 12
WIDTH = 200
FENCE = re.compile(r"[ \t>]*+(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^`\n]*+)$")


def excerpt_with_code(head: str, body: str, most: int = 200) -> Iterator[str]:
    """Iterate over the lines that show a comment: one with an excerpt of its prose, then those of its suggested code.

    Args:
        head: The text before the excerpt.
        body: The comment in Markdown; an `Abridged` text knows its original length.
        most: Maximum length of the excerpt in characters.
    """
    prose, code = _split_code(body)
    words = "\n".join(prose).strip() or ("suggests:" if code else "")
    yield format_line(f"{head}{excerpt(Abridged(words, whole_length(body)), most)}")
    for line in code[:MOST]:
        yield f"{GUTTER}{line if len(line) <= WIDTH else excerpt(line, WIDTH)}"
    if len(code) > MOST:
        yield f"{GUTTER}… {'' if whole_length(body) > len(body) else f'{len(code) - MOST} more lines'}".rstrip()


def has_suggestion(body: str) -> bool:
    """Return whether a comment suggests code."""
    return bool(_split_code(body)[1])


def _split_code(body: str) -> tuple[list[str], list[str]]:
    """Return the lines of a comment's prose and those of its suggested code; an unclosed fence lasts to the end."""
    prose: list[str] = []
    code: list[str] = []
    fence, suggests = "", False
    for line in body.splitlines():
        found = FENCE.match(line)
        if fence and found and found["fence"].startswith(fence) and not found["info"].strip():
            was_suggestion, fence, suggests = suggests, "", False
            if not was_suggestion:
                prose.append(line)
        elif not fence and found:
            fence, suggests = found["fence"], _is_suggestion(found["info"])
            if not suggests:
                prose.append(line)
        else:
            (code if suggests else prose).append(line)
    return prose, code


def _is_suggestion(info: str) -> bool:
    """Return whether a fence's info string marks a suggestion; GitLab adds a range: `suggestion:-0+1`."""
    words: Iterable[str] = re.split(r"[\s:]", info.strip(), maxsplit=1)
    return next(iter(words)).lower() == "suggestion"
