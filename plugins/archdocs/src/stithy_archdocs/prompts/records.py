"""A prompt as it is written: frozen records."""

from typing import Literal

from attrs import frozen


@frozen(kw_only=True)
class Argument:
    """What a prompt wants to be told; `longest` is in characters."""

    name: str
    description: str = ""
    required: bool = False
    longest: int = 100_000


@frozen(kw_only=True)
class Message:
    """One message, with its placeholders."""

    role: Literal["user", "assistant"]
    text: str


@frozen(kw_only=True)
class Template:
    """One prompt.

    Args:
        name: Letters, digits and `-`.
        title: A few words for a person.
        description: What it is for.
        arguments: What it wants to be told.
        messages: What it says.
        workflow: Whether it begins a workflow; None leaves it to whether it names a tool that takes one.
        path: Its file, relative to the project; empty for what is built in.
    """

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[Argument, ...] = ()
    messages: tuple[Message, ...]
    workflow: bool | None = None
    path: str = ""
