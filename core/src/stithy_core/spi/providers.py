"""Providers of resources and prompts, which may change while the server runs."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

from stithy_core.errors import NotFound
from stithy_core.spi.runtime import Scope
from stithy_core.spi.tools import Ref


@frozen(kw_only=True)
class Resource:
    """A resource, read by its URI."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"


@frozen(kw_only=True)
class ResourceTemplate:
    """A family of resources: `uri` is an RFC 6570 template."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"


@frozen(kw_only=True)
class PromptArgument:
    """An argument of a prompt."""

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
    """One message of a prompt."""

    text: str
    role: Literal["user", "assistant"] = "user"


@frozen
class Content:
    """The content of a resource with its media type; without one, a str is `text/plain`, bytes have none."""

    body: str | bytes
    mime_type: str


_HOST_PLACEHOLDER = re.compile(r"\$(?:\d+|@|\*|ARGUMENTS|\{[^{}]{1,50}\})")


def is_host_placeholder(value: str) -> bool:
    """Return whether an argument of a prompt is the host's own placeholder: `$1`, `$ARGUMENTS`, `${title}`.

    opencode gets the prompt of a slash command with these as arguments, and fills the text in when the command is used.
    So the text must hold them, and nothing can be looked up by them.
    """
    return _HOST_PLACEHOLDER.fullmatch(value.strip()) is not None


class ResourceProvider:
    """Resources under one URI prefix. Override the methods that apply."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def list(self) -> Sequence[Resource]:
        """Return the current resources."""
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
    """Prompts. Override the methods that apply."""

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
    """A provider of resources and the prefix that all its URIs share: `notes://`."""

    prefix: str
    provider: Ref | type[ResourceProvider]


@frozen(kw_only=True, eq=False)
class Prompts:
    """A provider of prompts."""

    provider: Ref | type[PromptProvider]
