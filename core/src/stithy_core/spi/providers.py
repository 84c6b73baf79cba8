"""Resources and prompts: providers, since documents come, change and go while the server runs."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from attrs import frozen

from stithy_core.errors import NotFound
from stithy_core.spi.runtime import Scope
from stithy_core.spi.tools import Ref


@frozen(kw_only=True)
class Resource:
    """A document that can be read by its URI."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"


@frozen(kw_only=True)
class ResourceTemplate:
    """A family of documents: `uri` is an RFC 6570 template."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = "text/plain"


@frozen(kw_only=True)
class PromptArgument:
    """What a prompt wants to be told."""

    name: str
    description: str = ""
    required: bool = False


@frozen(kw_only=True)
class Prompt:
    """A text that a user can start a conversation with.

    Args:
        name: Unique among all prompts.
        title: A few words for a person.
        description: What it is for.
        arguments: What it wants to be told.
        workflow: Whether it begins a workflow: the server then adds a handle to its messages, and tools that take a
            `WorkflowArg` know what the prompt was given and what the tools before them found.
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
    """What a document holds, where its kind must be said: a text alone is `text/plain`, bytes are just bytes."""

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
    """Documents under one URI prefix: override what you have."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def list(self) -> Sequence[Resource]:
        """Give the documents that are there now."""
        return ()

    async def read(self, uri: str) -> str | bytes | Content:
        """Read one document; a `Content` says what kind it is of.

        Raises:
            NotFound: There is none of that URI.
        """
        raise NotFound(f"no resource {uri}", suggestion="resources/list says what is there")

    async def templates(self) -> Sequence[ResourceTemplate]:
        """Give the families of documents."""
        return ()

    async def complete(self, template: str, argument: str, value: str) -> Sequence[str]:
        """Give values for a template's variable that begin with what was typed; the best first."""
        return ()


class PromptProvider:
    """Prompts: override what you have."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    async def list(self) -> Sequence[Prompt]:
        """Give the prompts that are there now."""
        return ()

    async def get(self, name: str, arguments: Mapping[str, str]) -> Sequence[PromptMessage]:
        """Fill one prompt in.

        Raises:
            NotFound: There is none of that name.
        """
        raise NotFound(f"no prompt {name!r}", suggestion="prompts/list says what is there")

    async def complete(self, prompt: str, argument: str, value: str) -> Sequence[str]:
        """Give values for an argument that begin with what was typed; the best first."""
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
