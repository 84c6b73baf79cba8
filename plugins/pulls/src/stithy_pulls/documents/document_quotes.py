"""Find places where the project's documents mention a changed file, or a folder that contains it, by its path.

Documents come from the core, whichever plugin serves them.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Annotated

import anyio
from attrs import frozen

from stithy_core.spi import (
    Content,
    Context,
    Forge,
    Meta,
    PullRequest,
    Resource,
    StithyError,
    excerpt,
    format_count,
    grapheme_boundary,
    map_concurrently,
)
from stithy_pulls.git.working_clone import find_clone

WORD = re.compile(r"[^\s\"'()\[\]<>{},;|`]+(?P<quoted>`)?")
"""What may be a path: text between white space, quotes and brackets. A backtick after it marks code."""
END = re.compile(r"(?::\d[\d:-]*|#L\d[\dL-]*)?[.:!?]*$")
"""What may follow a path in a sentence: line numbers, and the punctuation of the sentence."""
BELOW = re.compile(r"/+(?:\*{1,2}(?:/\*{1,2})?)?$")
LONGEST = 400
QUOTE = 160


@frozen(kw_only=True)
class DocumentQuote:
    """A document's text about a changed file.

    Args:
        uri: `resources/read` returns the whole document.
        title: The title of the document.
        about: Its description; for a decision record, its status.
        line: The line number, from 1.
        path: The mentioned file or folder, as it is in the repository.
        words: The line, or its part around the path.
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
    """Return the names to search for: each file, and each folder that contains one, with a trailing slash."""
    names: dict[str, str] = {}
    for path in paths:
        names[path] = path
        names |= {f"{folder}/": f"{folder}/" for folder in map(str, PurePosixPath(path).parents) if folder != "."}
    return names


def find_mention(text: str, names: Mapping[str, str]) -> PathMention | None:
    """Return the most specific mention: files before folders, deep folders before higher ones, then the first.

    Args:
        text: The text of the document.
        names: As `list_path_names` returns them.
    """
    found: tuple[tuple[bool, int], PathMention] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        for path, at in _find_names(line, names):
            rank = (not path.endswith("/"), path.count("/"))
            if found is None or rank > found[0]:
                found = rank, PathMention(path, number, _quote_line(line, at, len(path)))
    return found[1] if found else None


def _find_names(line: str, names: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    for word in WORD.finditer(line) if "/" in line or "`" in line else ():
        text = word[0].removesuffix("`")
        if len(text) > LONGEST or "://" in text:
            continue
        bare = END.sub("", text).removeprefix("./")
        as_folder = f"{BELOW.sub('', bare)}/"
        for name in (bare, as_folder):
            if name in names and _is_path(bare, is_code=bool(word["quoted"])):
                yield names[name], word.start()


def _is_path(text: str, *, is_code: bool) -> bool:
    """Return whether a word is a path and not a word of a sentence: `docs` may be either, `docs/` is a path."""
    return is_code or "/" in text


def _quote_line(line: str, at: int, length: int) -> str:
    """Return the line; if it is long, its part around the path."""
    if len(line.strip()) <= QUOTE:
        return line.strip()
    first = grapheme_boundary(line, max(0, min(at - (QUOTE - min(length, QUOTE)) // 2, len(line) - QUOTE)))
    last = grapheme_boundary(line, first + QUOTE)
    return f"{'…' if first else ''}{line[first:last].strip()}{'…' if last < len(line) else ''}"


def format_quotes(quotes: Iterable[DocumentQuote]) -> Iterator[str]:
    """Yield a line of text for each quote."""
    for one in quotes:
        about = f" ({excerpt(one.about, 120)})" if one.about else ""
        of = f"{excerpt(one.title, 80)}{about}, line {one.line}, on {excerpt(one.path)}"
        yield f"Document: {one.uri}: {of}: “{excerpt(one.words)}”"


def format_quote_notes(found: "DocumentQuotes") -> Iterator[str]:
    """Yield notes about documents that are not quoted."""
    if found.more:
        verb = "mentions" if found.more == 1 else "mention"
        yield f"{format_count(found.more, 'more document')} of the project {verb} the changed files."
    if found.unread:
        yield f"{format_count(found.unread, 'document')} of the project not searched: unreadable, or too many."


SCHEME = "architecture://"
MOST = 5
MOST_READ = 500
SECONDS = 8.0
"""Seconds for all documents: the quotes are an addition to the answer."""


@frozen
class DocumentQuotes:
    """Quotes from documents.

    Args:
        quotes: The most specific ones first.
        more: How many further documents mention the change.
        unread: How many documents were not searched.
    """

    quotes: tuple[DocumentQuote, ...] = ()
    more: int = 0
    unread: int = 0


async def find_quotes(ctx: Context, forge: Forge, pull: PullRequest, paths: Sequence[str]) -> DocumentQuotes:
    """Find what decision records, guidelines and patterns say about changed files.

    The documents are those of the project that the server runs for. If its working directory is a clone of another
    repository, none is quoted.

    Args:
        ctx: The call.
        forge: The forge.
        pull: The pull request.
        paths: The changed files, including their paths before a rename.
    """
    rows: Sequence[Resource] = ()
    found: list[tuple[Resource, PathMention | None]] = []
    with anyio.move_on_after(SECONDS):
        rows = await ctx.resources(SCHEME) if paths else ()
        if not rows or await _is_other_repository(ctx, forge, pull):
            return DocumentQuotes()
        await map_concurrently(rows[:MOST_READ], partial(_search_document, ctx, list_path_names(paths), found))
    quoted = [_create_quote(row, mention) for row, mention in found if mention is not None]
    quoted.sort(key=lambda quote: (quote.path.endswith("/"), -quote.path.count("/"), quote.uri))
    return DocumentQuotes(tuple(quoted[:MOST]), len(quoted[MOST:]), len(rows) - len(found))


async def _search_document(
    ctx: Context, names: Mapping[str, str], found: list[tuple[Resource, PathMention | None]], row: Resource
) -> None:
    """Search one document. One that cannot be read counts as unread."""
    try:
        content: Content = await ctx.resource(row.uri)
    except StithyError:
        return
    text = content.body if isinstance(content.body, str) else ""
    found.append((row, await ctx.thread(find_mention, text, names)))


async def _is_other_repository(ctx: Context, forge: Forge, pull: PullRequest) -> bool:
    """Return whether the server runs in a clone of another repository. A fork has the same name."""
    here = find_clone()
    if here is None:
        return False
    try:
        home, named = await ctx.repository(str(here))
    except StithyError:
        return True
    return named.name.lower() != pull.ref.repository.name.lower() or home.config.url != forge.config.url


def _create_quote(row: Resource, mention: PathMention) -> DocumentQuote:
    return DocumentQuote(
        uri=row.uri,
        title=row.title or row.name,
        about=row.description,
        line=mention.line,
        path=mention.path,
        words=mention.words,
    )
