"""Tongs: tools of every shape, and a use of every hook beside forges.

Written for interface 1. Never edit this file: it stands for the plugins of other authors, and a test holds its checksum.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from inspect import BoundArguments
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import anyio
import stithy_tongs_spi
from attrs import frozen
from stithy_core.spi import (
    CallWrapper,
    CallWrapperSpec,
    Changed,
    Check,
    Command,
    Comments,
    ConfigError,
    Content,
    Context,
    CursorArg,
    Effects,
    Finding,
    ForgeConfig,
    ForgeError,
    ForgeGuard,
    ForgeGuardSpec,
    Hint,
    Identity,
    InvalidArguments,
    Issues,
    Maybe,
    Meta,
    NotFound,
    Operation,
    Page,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptProvider,
    Prompts,
    PullRequestArg,
    PullRequests,
    Refused,
    RepositoryArg,
    Request,
    Resource,
    ResourceProvider,
    Resources,
    ResourceTemplate,
    Response,
    Route,
    Scope,
    Service,
    Settings,
    StithyError,
    Store,
    StoreKind,
    SyncContext,
    Threads,
    ToolCall,
    ToolSpec,
    Unknown,
    User,
    WorkflowArg,
    WrappedTool,
    clean,
    error_response,
    excerpt,
    format_count,
    hookimpl,
    is_host_placeholder,
    map_concurrently,
    or_unknown,
    redact,
)

STITHY_API = 1


# --- Tools


@frozen
class ThreadsQuery:
    pr: PullRequestArg
    limit: Annotated[int, Meta("Maximum number of threads", ge=1, le=100, preferable=True)] = 30
    cursor: CursorArg = None


@frozen
class OpenThread:
    id: str
    place: str
    resolved: Maybe[bool]
    beginning: Annotated[str, Meta(cut=True, rest="the page of the pull request")]


@frozen
class OpenThreads:
    pr: str
    reader: Maybe[str]
    threads: Page[OpenThread]

    def render(self) -> Iterator[str]:
        yield f"{format_count(self.threads.total or 0, 'open thread')} of {self.pr}"
        for thread in self.threads:
            yield f"- [{thread.id}] {thread.place}: {thread.beginning}"
        yield Hint("Reply in a thread by its id.")


async def list_threads(ctx: Context, args: ThreadsQuery) -> OpenThreads:
    forge, pr = await ctx.pull_request(args.pr)
    found = []
    threads = await forge.threads.list(pr)
    for done, thread in enumerate(threads, 1):
        await ctx.progress(done, len(threads), thread.place)
        if thread.resolved is not True:
            text = excerpt(thread.comments[0].body) if thread.comments else ""
            found.append(OpenThread(thread.id, thread.place, thread.resolved, text))
    me = await or_unknown(forge.identity.me())
    reader = me if isinstance(me, Unknown) else me.login
    return OpenThreads(str(pr), reader, Page(found, key=lambda one: one.id, limit=args.limit))


@frozen
class CountQuery:
    path: Annotated[str, Meta("A folder on the server's machine", min_length=1, local=True)] = "."


@frozen
class Count:
    files: int

    def render(self) -> Iterator[str]:
        yield format_count(self.files, "file")


def count_files(ctx: SyncContext, args: CountQuery) -> Count:
    root = Path(args.path)
    if not root.is_dir():
        raise InvalidArguments(f"folder '{root}' does not exist", suggestion="Pass the path of a folder.")
    files = sorted(root.glob("*"))
    for done, path in enumerate(files, 1):
        ctx.check()
        ctx.progress(done, len(files), path.name)
    return Count(len(files))


@frozen
class NoteQuery:
    pr: PullRequestArg
    body: Annotated[str, Meta("Markdown", min_length=1, echo=True)]
    tone: Annotated[Literal["plain", "loud"], Meta("How it is said", preferable=True)] = "plain"
    workflow: WorkflowArg = None


@frozen
class Note:
    id: str
    body: Annotated[str, Meta(echo=True)]
    seen: tuple[str, ...]

    def render(self) -> Iterator[str]:
        yield f"note {self.id}: {self.body}"


async def write_note(ctx: Context, args: NoteQuery) -> Note:
    forge, pr = await ctx.pull_request(args.pr)
    text = args.body.upper() if args.tone == "loud" else args.body
    comment = await forge.comments.create(pr, text)
    seen = tuple(sorted(ctx.workflow.results)) if ctx.workflow else ()
    return Note(comment.id, comment.body, seen)


@frozen
class TalkQuery:
    repository: RepositoryArg


@frozen
class Talks:
    complete: bool
    comments: int
    pieces: tuple[str, ...]

    def render(self) -> Iterator[str]:
        yield format_count(self.comments, "comment")


async def count_talks(ctx: Context, args: TalkQuery) -> Talks:
    forge, repository = await ctx.repository(args.repository)
    counts: list[int] = []

    async def work(so_far: list[int]) -> bool:
        issues = await forge.issues.list(repository, state="all")
        talks = await map_concurrently(issues, lambda issue: forge.comments.list(issue.ref))
        so_far.extend(len(talk) for talk in talks)
        return True

    job = ctx.job(f"talks {repository}", work, counts)
    ended = await job.within(max(ctx.remaining() - 1, 1))
    pieces = tuple(piece.name for piece, _ in ctx.collect(stithy_tongs_spi.stithy_tongs_pieces))
    return Talks(ended is not None, sum(job.so_far), pieces)


@hookimpl
def stithy_tools() -> list[ToolSpec[Any]]:
    return [
        ToolSpec(
            name="tongs_threads",
            title="Open threads",
            description="Unresolved review threads of a pull request.",
            input=ThreadsQuery,
            handler="stithy_tongs:list_threads",
            needs=[Threads.list, Identity.me],
            duration="slow",
            toolset="tongs",
            error_prefix="Cannot list threads: ",
        ),
        ToolSpec(name="tongs_count", title="Files", description="Counts files.", input=CountQuery, handler=count_files),
        ToolSpec(
            name="tongs_note",
            title="Note",
            description="Adds a comment to a pull request.",
            input=NoteQuery,
            handler=write_note,
            needs=[PullRequests.get, Comments.create],
            effects=Effects.ADD,
            budget=8_192,
        ),
        ToolSpec(
            name="tongs_talks",
            title="Comments",
            description="Counts the comments of all issues.",
            input=TalkQuery,
            handler=count_talks,
            needs=[Issues.list, Comments.list],
        ),
    ]


# --- Hooks of its own


@hookimpl
def stithy_hookspecs() -> list[ModuleType]:
    return [stithy_tongs_spi]


@hookimpl(owner="stithy-tongs")
def stithy_tongs_pieces() -> list[stithy_tongs_spi.Piece]:
    return [stithy_tongs_spi.Piece("rivet")]


# --- Settings, documents and a service


@frozen
class TongsSettings:
    greeting: Annotated[str, Meta(max_length=40)] = "hello"
    every: float = 60.0


@hookimpl
def stithy_settings() -> list[Settings]:
    return [Settings(table="tongs", cls=TongsSettings)]


class Documents(ResourceProvider):
    async def list(self) -> Sequence[Resource]:
        return [Resource(uri="tongs://greeting", name="greeting", description="What it says", mime_type="text/plain")]

    async def templates(self) -> Sequence[ResourceTemplate]:
        return [ResourceTemplate(uri="tongs://{word}", name="word")]

    async def complete(self, template: str, argument: str, value: str) -> Sequence[str]:
        return [word for word in ("greeting",) if word.startswith(value)]

    async def read(self, uri: str) -> str | bytes | Content:
        if uri != "tongs://greeting":
            raise NotFound(f"no document {uri}", suggestion="Read tongs://greeting.")
        return Content(body=self.scope.settings(TongsSettings).greeting, mime_type="text/plain")


@hookimpl
def stithy_resources() -> list[Resources]:
    return [Resources(prefix="tongs://", provider=Documents)]


async def announce(scope: Scope) -> None:
    while True:
        await anyio.sleep(scope.settings(TongsSettings).every)
        await scope.changed(Changed("resources"), Changed("resource", "tongs://greeting"))


@hookimpl
def stithy_services() -> list[Service]:
    return [Service(name="tongs", run=announce)]


# --- Prompts, commands and checks


class Plans(PromptProvider):
    async def list(self) -> Sequence[Prompt]:
        piece = PromptArgument(name="piece", description="What to forge", required=True)
        return [Prompt(name="tongs_plan", title="Plan", description="Plans it", arguments=(piece,), workflow=True)]

    async def get(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        piece = arguments["piece"]
        return [PromptMessage("Plan a piece." if is_host_placeholder(piece) else f"Plan {clean(piece)}.")]


@hookimpl
def stithy_prompts() -> list[Prompts]:
    return [Prompts(provider=Plans)]


def say(scope: Scope, words: Sequence[str]) -> int:
    print(redact(" ".join(words)))
    return 0


@hookimpl
def stithy_commands() -> list[Command]:
    return [Command(name="tongs", help="Say it", run=say)]


async def check_greeting(scope: Scope) -> Iterable[Finding]:
    tool = scope.tool("tongs_threads")
    return [Finding("ok" if tool else "warning", "the tongs are there", "" if tool else "switch the toolset on")]


@hookimpl
def stithy_checks() -> list[Check]:
    return [Check(name="tongs", run=check_greeting)]


# --- Routes and stores


async def show_title(context: Context, request: Request) -> Response:
    where = request.parameters
    try:
        forge, pr = await context.pull_request(f"{where['owner']}/{where['repo']}#{where['number']}")
        pull = await forge.pull_requests.get(pr)
    except ForgeError as error:
        return error_response(error)
    author: User = pull.author
    return Response.of_json({"title": clean(pull.title), "author": author.login, "asked": request.one("asked")})


@hookimpl
def stithy_routes() -> list[Route]:
    return [Route(method="GET", path="/tongs/{owner}/{repo}/{number}", handler=show_title, seconds=20.0)]


class Shelf:
    def __init__(self, local: Store) -> None:
        self.rate_budget = local.rate_budget
        self.circuit_breakers = local.circuit_breakers
        self.ledger = local.ledger
        self.reachable = True
        self.values: dict[str, bytes] = {}

    async def get(self, key: str) -> bytes | None:
        return self.values.get(key)

    async def save(self, key: str, value: bytes) -> None:
        self.values[key] = value

    async def aclose(self) -> None:
        self.values.clear()


def open_shelf(url: str, local: Store) -> Store:
    if not url.startswith("shelf://"):
        raise ConfigError("invalid URL of the shelf", suggestion="Use shelf://host.")
    return Shelf(local)


@hookimpl
def stithy_stores() -> list[StoreKind]:
    return [StoreKind(scheme="shelf", open=open_shelf)]


# --- Calls of tools, and access to forges


TICKET = {"type": "string", "description": "The ticket that asks for the change", "default": ""}


class Tickets(CallWrapper):
    def note_schemas(self, tool: WrappedTool) -> Mapping[str, Any]:
        return {"ticket_seen": {"type": "string"}}

    def before(self, call: ToolCall) -> None:
        if call.arguments.get("tongs_ticket"):
            call.add_note("ticket_seen", call.arguments["tongs_ticket"], "A ticket was passed.")

    async def around(self, call: ToolCall, context: Context, proceed: Callable[[], Awaitable[object]]) -> object:
        self.scope.log.info("%s begins", call.tool.spec.name)
        return await proceed()

    def after(self, call: ToolCall, answer: Mapping[str, Any], error: StithyError | None) -> None:
        self.scope.log.info("%s: %s", call.tool.spec.name, error or "ok")


def is_own_note(tool: WrappedTool) -> bool:
    return tool.writes and tool.spec.name == "tongs_note"


@hookimpl
def stithy_call_wrappers() -> list[CallWrapperSpec]:
    return [CallWrapperSpec(name="tongs", wrapper=Tickets, applies=is_own_note, arguments={"tongs_ticket": TICKET})]


class NoEdits(ForgeGuard):
    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        if operation is Comments.edit:
            raise Refused("comments of this forge are not edited", suggestion="Write another one.")


def is_guarded(config: ForgeConfig) -> bool:
    return config.alias == "guarded"


@hookimpl
def stithy_guards() -> list[ForgeGuardSpec]:
    return [ForgeGuardSpec(name="tongs", guard=NoEdits, applies=is_guarded)]
