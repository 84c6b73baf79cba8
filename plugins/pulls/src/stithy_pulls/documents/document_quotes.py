"""Reading the documents of the server's project, whoever serves them: this plugin asks the core alone for them."""

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
    grapheme_boundary,
    map_concurrently,
)
from stithy_pulls.git.working_clone import find_clone
from stithy_pulls.phrases import format_count

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


def format_quotes(quotes: Iterable[DocumentQuote]) -> Iterator[str]:
    """Give a line for each: which document, what it speaks of, and its words."""
    for one in quotes:
        about = f" ({excerpt(one.about, 120)})" if one.about else ""
        of = f"{excerpt(one.title, 80)}{about}, line {one.line}, on {excerpt(one.path)}"
        yield f"Document: {one.uri}: {of}: “{excerpt(one.words)}”"


def format_quote_notes(found: "DocumentQuotes") -> Iterator[str]:
    """Say what is missing."""
    if found.more:
        verb = "mentions" if found.more == 1 else "mention"
        yield f"{format_count(found.more, 'more document')} of the project {verb} the changed files."
    if found.unread:
        yield f"{format_count(found.unread, 'document')} of the project not searched: unreadable, or too many."


SCHEME = "architecture://"
MOST = 5
MOST_READ = 500
SECONDS = 8.0
"""How long it may take in all: it is something beside the answer."""


@frozen
class DocumentQuotes:
    """What documents say.

    Args:
        quotes: Those that are nearest to the change first.
        more: How many other documents speak of it, too.
        unread: How many documents nobody looked into.
    """

    quotes: tuple[DocumentQuote, ...] = ()
    more: int = 0
    unread: int = 0


async def find_quotes(ctx: Context, forge: Forge, pull: PullRequest, paths: Sequence[str]) -> DocumentQuotes:
    """Find what decision records, guidelines and patterns say of changed files.

    Documents are those of the project that the server runs for. Where its working directory is a clone of another
    repository, they say nothing of this one.

    Args:
        ctx: The call.
        forge: The forge.
        pull: The pull request.
        paths: The changed files, where they were before a move, too.
    """
    rows: Sequence[Resource] = ()
    found: list[tuple[Resource, PathMention | None]] = []
    with anyio.move_on_after(SECONDS):
        rows = await ctx.resources(SCHEME) if paths else ()
        if not rows or await _is_another(ctx, forge, pull):
            return DocumentQuotes()
        await map_concurrently(rows[:MOST_READ], partial(_look, ctx, list_path_names(paths), found))
    quoted = [_quote(row, mention) for row, mention in found if mention is not None]
    quoted.sort(key=lambda quote: (quote.path.endswith("/"), -quote.path.count("/"), quote.uri))
    return DocumentQuotes(tuple(quoted[:MOST]), len(quoted[MOST:]), len(rows) - len(found))


async def _look(
    ctx: Context, names: Mapping[str, str], found: list[tuple[Resource, PathMention | None]], row: Resource
) -> None:
    """Look into one document; one that cannot be read stays unread."""
    try:
        content: Content = await ctx.resource(row.uri)
    except StithyError:
        return
    text = content.body if isinstance(content.body, str) else ""
    found.append((row, await ctx.thread(find_mention, text, names)))


async def _is_another(ctx: Context, forge: Forge, pull: PullRequest) -> bool:
    """Say whether the server runs in a clone of something else; a fork has the same name."""
    here = find_clone()
    if here is None:
        return False
    try:
        home, named = await ctx.repository(str(here))
    except StithyError:
        return True
    return named.name.lower() != pull.ref.repository.name.lower() or home.config.url != forge.config.url


def _quote(row: Resource, mention: PathMention) -> DocumentQuote:
    return DocumentQuote(
        uri=row.uri,
        title=row.title or row.name,
        about=row.description,
        line=mention.line,
        path=mention.path,
        words=mention.words,
    )
