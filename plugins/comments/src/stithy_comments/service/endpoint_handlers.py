"""The handlers of the service's endpoints, for paths that name a forge and a pull request or an issue."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import ceil
from urllib.parse import urlencode

from attrs import frozen

from stithy_comments.service.query_parameters import COMBINED, PAGE_SIZE, RAW, TIMELINE, QueryParameters, parse_query
from stithy_comments.service.shared_answers import ConversationRequest, create_etag, get_answer, has_etag
from stithy_comments.settings import CommentsSettings
from stithy_comments.stream.stream_selection import Selection
from stithy_comments.tools.stream_tool import Source
from stithy_core.spi import (
    Context,
    Forge,
    InvalidArguments,
    IssueRef,
    NotFound,
    RepositoryRef,
    Request,
    Response,
)

ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
NUMBER = re.compile(r"[1-9][0-9]{0,9}")
GITHUB = "github"
"""The alias of the forge for `/repos/…`; without a forge of this alias, github.com."""
JSON = "application/json; charset=utf-8"
KEPT = "private, no-cache"
"""A client may store an answer and must revalidate it before each reuse."""


async def resolve_path(ctx: Context, parameters: Mapping[str, str]) -> tuple[Forge, IssueRef]:
    """Return the forge and the reference that a path names; each part is checked before any request to the forge.

    Raises:
        InvalidArguments: A part of the path is invalid.
        NotFound: No forge has that alias.
        Refused: The settings do not allow the repository.
    """
    owner, repo = (_check_part(parameters, part, NAME) for part in ("owner", "repo"))
    number = int(_check_part(parameters, "number", NUMBER))
    alias = _check_part(parameters, "alias", ALIAS) if "alias" in parameters else ""
    try:
        forge, repository = await _repository(ctx, alias, f"{owner}/{repo}")
    except InvalidArguments as error:
        raise NotFound(error.message, suggestion=error.suggestion) from error
    return forge, IssueRef(repository, number)


async def _repository(ctx: Context, alias: str, name: str) -> tuple[Forge, RepositoryRef]:
    try:
        return await ctx.repository(f"{alias or GITHUB}:{name}")
    except InvalidArguments:
        if alias:
            raise
        return await ctx.repository(f"https://github.com/{name}")  # no forge has the alias github


def _check_part(parameters: Mapping[str, str], part: str, form: re.Pattern[str]) -> str:
    value = parameters[part]
    if form.fullmatch(value) and value not in (".", ".."):
        return value
    row = {"path": part, "given": value[:80], "allowed": form.pattern}
    remedy = f"Correct {part} in the path."
    message = f"invalid {part} {value[:80]!r}; expected {form.pattern}"
    raise InvalidArguments(message, suggestion=remedy, details={"errors": [row]})


@frozen(kw_only=True)
class Endpoint:
    """The properties of an endpoint.

    Args:
        parameters: The names of its query parameters.
        include: The one source that it returns; None if the caller chooses.
        of_pull_request: Whether the number must be a pull request's.
    """

    parameters: tuple[str, ...]
    include: Source | None
    of_pull_request: bool

    def selection(self, options: QueryParameters, settings: CommentsSettings) -> Selection:
        """Return the part of the conversation to read."""
        return Selection(
            include=(self.include,) if self.include else options.include,
            events=options.events,
            since=options.since,
            until=options.until,
            most=options.max_items,
            bots=settings.bots,
            verdicts=self.include is None,  # like GitHub's own list of review comments
        )


async def get_review_comments(ctx: Context, request: Request) -> Response:
    """Return the review comments of a pull request."""
    return await _respond(ctx, request, Endpoint(parameters=RAW, include="review", of_pull_request=True))


async def get_comments(ctx: Context, request: Request) -> Response:
    """Return the general conversation of an issue or a pull request."""
    return await _respond(ctx, request, Endpoint(parameters=RAW, include="issue", of_pull_request=False))


async def get_timeline(ctx: Context, request: Request) -> Response:
    """Return the timeline of an issue or a pull request."""
    return await _respond(ctx, request, Endpoint(parameters=TIMELINE, include="timeline", of_pull_request=False))


async def get_combined(ctx: Context, request: Request) -> Response:
    """Return the whole conversation of a pull request as one list."""
    return await _respond(ctx, request, Endpoint(parameters=COMBINED, include=None, of_pull_request=True))


async def get_document(ctx: Context, request: Request) -> Response:  # noqa: ARG001 -- the signature of a handler
    """Return the OpenAPI document."""
    text = _document()
    return _response(request, text, create_etag(text))


async def _respond(ctx: Context, request: Request, endpoint: Endpoint) -> Response:
    options = parse_query(request.query, endpoint.parameters)
    forge, ref = await resolve_path(ctx, request.parameters)
    pull = forge.names.create_pull_request_ref(ref.repository, ref.number)
    question = ConversationRequest(
        forge=forge,
        ref=pull if endpoint.of_pull_request else ref,
        selection=endpoint.selection(options, ctx.settings(CommentsSettings)),
        options=options,
        identity=request.identity,
    )
    found = await get_answer(ctx, question)
    links = _links(request.path, options, request.query, found.body.count)
    return _response(request, found.body.written, found.tag, links=links)


def _response(request: Request, written: bytes, tag: str, *, links: str = "") -> Response:
    headers = {"ETag": tag, "Cache-Control": KEPT} | ({"Link": links} if links else {})
    if has_etag(request.headers.get("if-none-match", ""), tag):
        return Response(status=304, headers=headers)
    return Response(body=written, headers={"Content-Type": JSON} | headers)


def _links(path: str, options: QueryParameters, query: Mapping[str, Sequence[str]], count: int) -> str:
    """Format the `Link` header for the pages around this one, as GitHub does (RFC 8288)."""
    if not options.is_paged:
        return ""
    values_by_name = {name: values[0] for name, values in query.items()}
    numbered = (
        (rel, urlencode(values_by_name | {"page": number}))
        for rel, number in _pages(options.page or 1, max(1, ceil(count / (options.per_page or PAGE_SIZE))))
    )
    return ", ".join(f'<{path}?{written}>; rel="{rel}"' for rel, written in numbered)


def _pages(page: int, last: int) -> Iterator[tuple[str, int]]:
    if page > 1:
        yield from (("first", 1), ("prev", min(page - 1, last)))
    if page < last:
        yield from (("next", page + 1), ("last", last))


@cache
def _document() -> bytes:
    return files("stithy_comments.service").joinpath("openapi.json").read_bytes()
