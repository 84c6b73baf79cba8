"""Reading the documents of the server's project, whoever serves them: this plugin asks the core alone for them."""

from collections.abc import Mapping, Sequence
from functools import partial

import anyio
from attrs import frozen

from stithy_core.spi import Content, Context, Forge, PullRequest, Resource, StithyError, map_concurrently
from stithy_pulls.documents.quoting import DocumentQuote, PathMention, find_mention, list_path_names
from stithy_pulls.git.local import find_clone

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
