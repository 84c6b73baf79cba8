"""Immutable models of prompts."""

from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class TemplateArgument:
    """An argument of a prompt; `longest` is its maximum length in characters."""

    name: str
    description: str = ""
    required: bool = False
    longest: int = 100_000


@frozen(kw_only=True)
class TemplateMessage:
    """A message with placeholders."""

    role: Literal["user", "assistant"]
    text: str


@frozen(kw_only=True)
class PromptTemplate:
    """A prompt with placeholders.

    Args:
        name: Lower-case letters, digits and `-`.
        title: A short title for people.
        description: Its purpose.
        arguments: Its arguments.
        messages: Its messages.
        workflow: Whether it starts a workflow; None if that depends on whether it refers to a tool that takes a
            workflow.
        path: Path of its file, relative to the project; empty for a built-in prompt.
    """

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[TemplateArgument, ...] = ()
    messages: tuple[TemplateMessage, ...]
    workflow: bool | None = None
    path: str = ""
