"""Facts that single added lines show: secrets, disabled certificate checks, TODO comments, conflict markers."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import islice
from tokenize import COMMENT, TokenError, tokenize

from stithy_core.spi import excerpt
from stithy_pulls.code.source_trees import MOST_BYTES
from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.facts.code_lines import (
    MARKERS,
    DiffTexts,
    find_comment_marker,
    get_comment_prose,
    is_code_file,
    is_comment,
    is_product_code,
)
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import LONGEST, is_real_secret, mask_secrets

WORD = re.compile(r"\w+")
ALIKE = 0.6
"""Share of common words from which on a comment is a changed one."""
MOST_QUOTED = 160
"""Characters of a comment."""
MOST_OF_A_KIND = 5
"""Facts of one kind reported for one file."""
UNVERIFIED = re.compile(
    r"\bverify\s*=\s*False\b|\bInsecureSkipVerify\s*[:=]\s*true\b|\brejectUnauthorized\s*:\s*false\b"
    r"|\bCURLOPT_SSL_VERIFYPEER\s*(?:=>|,)\s*(?:false|0)\b|\bVERIFY_NONE\b|\bdanger_accept_invalid_certs\(true\)"
)
OPENING = re.compile(r"\s*(?://[/!]?|/\*+|\*|#+|--+|;+)?")
"""What a line of a comment begins with."""
DIRECTIVE = re.compile(
    r"\b(?:eslint|prettier|noqa|nolint|pylint|mypy|type: ignore|rubocop|phpcs|istanbul|swiftlint)\b|@ts-"
)
"""What a comment has that is for a tool."""
OURS, THEIRS = re.compile(r"^<{7} \S"), re.compile(r"^>{7} \S")


def find_line_facts(change: ChangedFile, texts: DiffTexts, blobs: Mapping[str, bytes]) -> Iterator[Fact]:
    """Yield the facts that the added lines of one file show. Lines that moved show none.

    Args:
        change: The file.
        texts: The texts of the diff.
        blobs: The contents that were read, by object id.
    """
    added = [line for line in change.iterate_lines(LineKind.ADDED) if not texts.is_moved(line)]
    role = classify_file(change.path)
    for line in islice((line for line in added if is_real_secret(line.text, change.path)), MOST_OF_A_KIND):
        yield _create_fact(change, line, "secret", "security", 4, "a string looks like a secret")
    if role in ("source", "test"):
        yield from _find_conflict_markers(change, added)
    if role == "test" or is_product_code(change.path):
        yield from _find_markers(change, added, blobs.get(change.old, b""), blobs.get(change.new, b""))
    if role == "source" and is_code_file(change.path):
        unverified = (
            line for line in added if UNVERIFIED.search(line.text[:LONGEST]) and not is_comment(line.text, change.path)
        )
        for line in islice(unverified, MOST_OF_A_KIND):
            text = "code disables the verification of certificates"
            yield _create_fact(change, line, "certificate check", "security", 2, text)


def _create_fact(change: ChangedFile, line: DiffLine, kind: str, focus: str, points: int, text: str) -> Fact:  # noqa: PLR0917 -- the fields of a fact
    return Fact(kind=kind, focus=focus, path=change.path, line=line.new, text=text, points=points)


def _find_conflict_markers(change: ChangedFile, added: list[DiffLine]) -> Iterator[Fact]:
    """Yield the first marker of a file that has both: a quoted one in a text is alone."""
    ours = next((line for line in added if OURS.match(line.text)), None)
    if ours and any(THEIRS.match(line.text) for line in added):
        yield _create_fact(change, ours, "conflict marker", "maintenance", 3, "a merge conflict marker")


def _find_markers(change: ChangedFile, added: list[DiffLine], old: bytes, new: bytes) -> Iterator[Fact]:
    """Yield the TODO comments of a file in one fact, with the words of the first. A former one is not new as a copy."""
    former = [_list_words(text) for _, text in _list_markers(change, change.iterate_lines(LineKind.REMOVED))]
    before = old.decode(errors="replace")
    marked = [
        (line, text)
        for line, text in _list_markers(change, added)
        if not (text in before or any(_is_alike(_list_words(text), words) for words in former))
    ]
    marked = _select_comments(change, marked, new) if marked else []
    if marked:
        line, text = marked[0]
        text = " ".join([text, *_read_on(change, line, text, {line.new for line, _ in marked})])
        masked = mask_secrets(text, change.path)
        shown = excerpt(masked, MOST_QUOTED)
        if len(masked) > MOST_QUOTED:  # its length is not that of the comment, which may go on
            shown = shown.rpartition(" [")[0]
        said = f"a comment says: {shown}{', and others' if len(marked) > 1 else ''}"
        yield _create_fact(change, line, "todo", "maintenance", 0, said)


def _select_comments(
    change: ChangedFile, marked: Sequence[tuple[DiffLine, str]], content: bytes
) -> list[tuple[DiffLine, str]]:
    """Return the lines that are comments in the whole file: in Python a string may have lines that look like one."""
    if not content or len(content) > MOST_BYTES or not change.path.endswith(".py"):
        return list(marked)
    lines: set[int] = set()
    with suppress(TokenError, SyntaxError):  # the tokens before an error count
        lines.update(one.start[0] for one in tokenize(BytesIO(content).readline) if one.type == COMMENT)
    return [(line, text) for line, text in marked if line.new in lines]


def _list_markers(change: ChangedFile, lines: Iterable[DiffLine]) -> list[tuple[DiffLine, str]]:
    return [(line, text) for line in lines if (text := find_comment_marker(line.text[:LONGEST], change.path))]


def _list_words(text: str) -> frozenset[str]:
    return frozenset(WORD.findall(text)) - MARKERS


def _is_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two comments share most of their words: one is the other, changed."""
    return len(one & other) >= ALIKE * len(one | other)


def _goes_on(line: str, after: str) -> bool:
    """Return whether a comment goes on in the next line: both begin alike, and it is not for a tool."""
    begins, next_begins = ((found[0].strip() if (found := OPENING.match(text)) else "") for text in (line, after))
    is_block = begins in {"/*", "/**", "*"} and next_begins in {"*", ""}
    return (is_block or begins == next_begins) and DIRECTIVE.search(after) is None


def _read_on(change: ChangedFile, line: DiffLine, text: str, marked: set[int | None]) -> Iterator[str]:
    """Yield the following lines of a comment, up to the end of its sentence."""
    below = {one.new: one for one in change.iterate_lines(LineKind.ADDED)}
    number = line.new or 0
    while len(text) < MOST_QUOTED and not text.endswith((".", "!", "?")):
        number += 1
        after = below[number].text[:LONGEST] if number in below else ""
        words = get_comment_prose(after, change.path)
        if not words or number in marked or not _goes_on(line.text, after) or not is_comment(line.text, change.path):
            return
        text = f"{text} {words}"
        yield words
