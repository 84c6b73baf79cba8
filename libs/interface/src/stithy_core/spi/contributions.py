"""What plugins contribute beside tools and forges: settings, commands, services, routes, resources, prompts, stores."""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from attrs import frozen

from stithy_core.errors import NotFound
from stithy_core.spi.runtime import Context, Scope
from stithy_core.spi.tools import Ref

if TYPE_CHECKING:
    from stithy_core.spi.routes import Request, Response
    from stithy_core.spi.stores import Store


@frozen(kw_only=True, eq=False)
class Settings:
    """A plugin's table of stithy.toml.

    Args:
        table: The name of the table.
        cls: The attrs class of its values, which has a default for each.
    """

    table: str
    cls: type


@frozen(kw_only=True, eq=False)
class Command:
    """A subcommand: `stithy NAME …`.

    Args:
        name: Its name, which no command of the core has.
        help: One line for `stithy --help`.
        run: Receives the remaining arguments, and returns the exit code. An async function runs with the plugins'
            services and can call tools; a plain one runs without an event loop.
    """

    name: str
    help: str
    run: Ref | Callable[[Scope, Sequence[str]], int | Awaitable[int]]


@frozen
class Finding:
    """One line of `stithy doctor`.

    Args:
        level: With an error, the exit code of `stithy doctor` is 1.
        text: What was found.
        remedy: What to do about it; empty if there is nothing to do.
    """

    level: Literal["ok", "warning", "error"]
    text: str
    remedy: str = ""


@frozen(kw_only=True, eq=False)
class Check:
    """A check of `stithy doctor`.

    Args:
        name: The subject of its lines.
        run: Returns the findings.
    """

    name: str
    run: Ref | Callable[[Scope], Awaitable[Iterable[Finding]]]


@frozen(kw_only=True, eq=False)
class Service:
    """Background work.

    Args:
        name: Its name in reports.
        run: Runs as long as the server, and is cancelled at its end. It is started again if it raises.
    """

    name: str
    run: Ref | Callable[[Scope], Awaitable[None]]


@frozen(kw_only=True, eq=False)
class Route:
    """An HTTP route, served when the server serves over HTTP.

    Exceptions of the handler become responses: a `StithyError` by `error_response`, any other a masked 500, a handler
    that takes longer than `seconds` a 504. A GET cannot write: the forges' clients refuse it.

    Args:
        method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`; HEAD is answered by the route of GET.
        path: The path from the root, with variables of one segment each in braces: `/repos/{owner}/{repo}`. `/mcp`,
            `/healthz`, `/readyz`, `/metrics` and `/.well-known/` are reserved.
        handler: Handles a request. Its `Context` is that of a tool's call, without progress reports.
        seconds: The time limit; `context.remaining()` returns what is left.
    """

    method: str
    path: str
    handler: "Ref | Callable[[Context, Request], Awaitable[Response]]"
    seconds: float = 30.0


@frozen(kw_only=True, eq=False)
class StoreKind:
    """A kind of store that several servers share, chosen by the scheme of `store` in `[http]`.

    Args:
        scheme: The scheme of its URLs, such as `redis`.
        open: Called once with the URL and a store in the memory of this process, whose counts are there for when the
            shared service fails. It connects at the first use, and raises a `ConfigError` for an invalid URL. The URL
            may hold a password, so no error shows it.
    """

    scheme: str
    open: "Ref | Callable[[str, Store], Store]"


@frozen(kw_only=True)
class Resource:
    """A resource, read by its URI.

    Args:
        uri: Its URI, with the prefix of its provider.
        name: Its name, for programs.
        title: A few words for people.
        description: Its content, for agents.
        mime_type: The type of its content.
    """

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"


@frozen(kw_only=True)
class ResourceTemplate:
    """A family of resources.

    Args:
        uri: The RFC 6570 template of their URIs: `notes://{name}`.
        name: Its name, for programs.
        title: A few words for people.
        description: Their content, for agents.
        mime_type: The type of their content.
    """

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"


@frozen(kw_only=True)
class PromptArgument:
    """An argument of a prompt.

    Args:
        name: Its name.
        description: Its meaning, for people.
        required: Whether the server refuses a request without it.
    """

    name: str
    description: str = ""
    required: bool = False


@frozen(kw_only=True)
class Prompt:
    """A text that a user can start a conversation with.

    Args:
        name: Unique among all prompts.
        title: A few words for a person.
        description: The purpose.
        arguments: Its arguments.
        workflow: Whether it starts a workflow: the server then adds a handle to its messages, and tools that take a
            `WorkflowArg` get the prompt's arguments and the results of the tools before them.
    """

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    workflow: bool = False


@frozen
class PromptMessage:
    """One message of a prompt.

    Args:
        text: Its text.
        role: Whose message it is.
    """

    text: str
    role: Literal["user", "assistant"] = "user"


@frozen
class Content:
    """The content of a resource with its media type; without one, a str is `text/plain`, bytes have none.

    Args:
        body: The content.
        mime_type: Its type.
    """

    body: str | bytes
    mime_type: str


_HOST_PLACEHOLDER = re.compile(r"\$(?:(?P<place>[1-9]\d{0,8})|@|\*|ARGUMENTS|\{[^{}]{1,50}\})", re.ASCII)


def is_host_placeholder(value: str, count: int | None = None) -> bool:
    """Return whether an argument of a prompt is the host's own placeholder: `$1`, `$ARGUMENTS`, `${title}`.

    opencode gets the prompt of a slash command with these as arguments, and fills the text in when the command is used.
    So the text must hold them, and nothing can be looked up by them.

    Args:
        value: The argument.
        count: The number of the prompt's arguments, if known. Hosts number them from 1 on, so `$5` is a price where the
            prompt has fewer.
    """
    found = _HOST_PLACEHOLDER.fullmatch(value.strip())
    return found is not None and (count is None or not found["place"] or int(found["place"]) <= count)


class ResourceProvider:
    """Resources under one URI prefix. Override the methods that apply.

    Attributes:
        scope: What it can use of the server.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def list(self) -> Sequence[Resource]:
        """Return the current resources.

        Of a long list that did not change, return the same tuple again: then its pages cost little.
        """
        return ()

    async def read(self, uri: str) -> str | bytes | Content:
        """Return the content of a resource; a `Content` has its media type.

        Raises:
            NotFound: No resource has the URI.
        """
        raise NotFound(f"no resource {uri}", suggestion="resources/list lists the available ones.")

    async def templates(self) -> Sequence[ResourceTemplate]:
        """Return the templates of resources."""
        return ()

    async def complete(self, template: str, argument: str, value: str) -> Sequence[str]:
        """Return values for a template's variable that begin with `value`, best first."""
        return ()


class PromptProvider:
    """Prompts. Override the methods that apply.

    Attributes:
        scope: What it can use of the server.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def list(self) -> Sequence[Prompt]:
        """Return the current prompts."""
        return ()

    async def get(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        """Return the messages of a prompt for its arguments.

        Raises:
            NotFound: No prompt has the name.
        """
        raise NotFound(f"no prompt {name!r}", suggestion="prompts/list lists the available ones.")

    async def complete(self, prompt: str, argument: str, value: str) -> Sequence[str]:
        """Return values for an argument that begin with `value`, best first."""
        return ()


@frozen(kw_only=True, eq=False)
class Resources:
    """A provider of resources.

    Args:
        prefix: The prefix that all its URIs share: `notes://`.
        provider: Its class.
    """

    prefix: str
    provider: Ref | type[ResourceProvider]


@frozen(kw_only=True, eq=False)
class View:
    """A page that shows the answers of a tool, in hosts with the MCP extension for apps: `io.modelcontextprotocol/ui`.

    Other hosts are not told of it. A provider of resources reads its URI, as `text/html;profile=mcp-app`.

    Args:
        tool: The name of the tool, of any plugin; a view of a tool that is not served has no effect.
        uri: The URI of the page: `ui://…`.
    """

    tool: str
    uri: str


@frozen(kw_only=True, eq=False)
class Prompts:
    """A provider of prompts.

    Args:
        provider: Its class.
    """

    provider: Ref | type[PromptProvider]
