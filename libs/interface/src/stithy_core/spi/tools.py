"""A tool as its plugin declares it, the notes on its fields, and the results of its handler.

A note is written as `Annotated[int, Meta("The maximum number", ge=1, le=100)]`. A result is a class with `render()`;
it has a `Page` for each list to page through, and shortened texts.
"""

import json
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Literal,
    Protocol,
    Self,
    TypeAlias,
    runtime_checkable,
)

from attrs import Factory, frozen
from typing_extensions import TypeVar

from stithy_core.spi.runtime import Context, SyncContext

if TYPE_CHECKING:
    from stithy_core.spi.capabilities import Operation


@frozen(eq=False, repr=False)
class Meta:
    """Constraints and description of a value, for its JSON Schema.

    The note belongs to the type, so that an alias carries it and the items of a list can have their own.

    Args:
        description: One sentence for the agent.
        ge: The smallest number allowed.
        le: The greatest number allowed.
        pattern: A regular expression that a string must match somewhere (ECMA dialect, as JSON Schema says).
        min_length: Fewest characters, or items.
        max_length: Most characters, or items.
        examples: Values worth showing.
        preferable: Whether a user may store a preference for it. The argument must have a default; a preference is for
            all the tools that have an argument of its name.
        name: The name on the wire, if it is not a valid Python name ("+1").
        message: The error text for an invalid value, in place of the general one.
        cut: Whether the texts of a result's field may be cut short when the answer is too large: True for texts of
            people, which may be cut very short; False for names and decisions; None leaves it to the server, which cuts
            no text of up to 256 characters and no single word of up to 1,024.
        rest: The call or the resource that returns the whole text: "pr_comment_get with this id".
        instead: Arguments of the tool that may be passed in place of a required one. Its default is None.
        echo: Whether a result's field repeats what the caller wrote: then no hidden character is removed from it.
        local: Whether an argument names a file or a folder of the server's machine: over HTTP, where callers are
            on other machines, the tool has no such argument. It must have a default.
        from_clone: Whether callers on the server's machine may leave out an argument that is otherwise required, since
            `Context.repository(None)` finds the clone in the working directory. Its default is None.
    """

    description: str = ""
    ge: float | None = None
    le: float | None = None
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    examples: tuple[Any, ...] = ()
    preferable: bool = False
    name: str | None = None
    message: str = ""
    cut: bool | None = None
    rest: str = ""
    instead: tuple[str, ...] = ()
    echo: bool = False
    local: bool = False
    from_clone: bool = False


PullRequestArg: TypeAlias = Annotated[str, Meta("owner/repo#123 or its URL")]
RepositoryArg: TypeAlias = Annotated[str, Meta("owner/repo or its URL")]
CURSOR_ARGUMENT = "cursor"
WORKFLOW_ARGUMENT = "workflow_handle"
DRY_RUN_ARGUMENT = "dry_run"
CursorArg: TypeAlias = str | None
"""The answer that has a next page shows its cursor, so that the argument needs no description."""
WorkflowArg: TypeAlias = Annotated[
    str | None, Meta("Handle of the workflow that a prompt began", name=WORKFLOW_ARGUMENT, max_length=64)
]
"""A tool that has an argument of this type takes part in workflows, whatever the field is called."""


A = TypeVar("A", default=Any)

Ref: TypeAlias = str
"""`"package.module:name"`: imported when it is first needed."""

Handler: TypeAlias = Callable[[Context, A], Awaitable[object]] | Callable[[SyncContext, A], object]
"""Async, or plain: a plain handler runs in a worker thread, so that it may keep a CPU busy."""

Duration: TypeAlias = Literal["quick", "slow", "long"]


BYTE_BUDGET = 16_384
"""Largest size of an answer in bytes, structured content and text together, where a tool sets no other."""
_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


def json_bytes(value: object) -> int:
    """Return the bytes that a value takes on the wire: UTF-8 of compact JSON, escapes included."""
    text = _JSON.encode(value)
    return len(text) if text.isascii() else len(text.encode())


class Effects(Enum):
    """What a call leaves behind: `ADD` twice adds two; `CHANGE` twice changes nothing more."""

    READ = "read"
    ADD = "add"
    CHANGE = "change"
    DELETE = "delete"


@frozen(kw_only=True, eq=False, repr=False)
class ToolSpec(Generic[A]):
    """A tool: its name, its arguments and its handler.

    The result class is the return annotation of the handler.

    Args:
        name: `^[A-Za-z0-9_-]{1,64}$`, unique across plugins.
        title: A few words for a person.
        description: For the agent that chooses a tool: what it does, when to use it, what it does not do.
        input: A frozen attrs class; its fields' `Annotated` types carry descriptions and limits.
        handler: A `Ref` or the function itself.
        needs: The operations it uses, such as `Comments.create`; they decide which forges it supports.
        effects: What a call leaves behind; everything but READ is refused in read-only mode.
        duration: quick ends after 10 seconds, slow after 30, long reports progress and ends after 30 minutes.
        budget: The largest size of an answer in bytes, structured content and text together; the text at most half.
        toolset: The toolset that settings switch it on and off with.
        opt_in: Whether it is served only if settings name its toolset. The list of all tools goes to the model with
            each request, so a tool that few people need should not be in it by default.
        error_prefix: The beginning of the message of every failed call: "Failed to create pull request comment: ".
        keywords: What people call it, in phrases, the most usual first: "CI failures". Hosts that search for tools find
            it by these, and the server's instructions begin with the first of each tool.
        likely_first: Whether sessions often begin with it: the server then imports its handler while the client is
            idle, ahead of its first call.
        prepare: What the server then calls in a step of its own, to import what the handler imports only when it runs.
            It asks no forge.
    """

    name: str
    title: str
    description: str
    input: type[A]
    handler: Ref | Handler[A]
    needs: Sequence["Operation"] = ()
    effects: Effects = Effects.READ
    duration: Duration = "quick"
    budget: int = BYTE_BUDGET
    toolset: str = ""
    opt_in: bool = False
    error_prefix: str = ""
    keywords: Sequence[str] = ()
    likely_first: bool = False
    prepare: Ref | Callable[[], object] | None = None


JOINER = "\u200d"
FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))
STEPS = 32
"""The maximum number of code points that a grapheme is searched back for."""


class Abridged(str):
    """A part of a text that knows the length of the whole text, which is the one to report.

    Args:
        text: The part.
        whole: The number of characters of the whole text.
    """

    __slots__ = ("whole",)

    whole: int

    def __new__(cls, text: str, whole: int) -> Self:
        """Create the string and set `whole`."""
        made = super().__new__(cls, text)
        made.whole = whole
        return made


def whole_length(text: str) -> int:
    """Return the number of characters of a text, or of the whole text that it was cut from."""
    length: int = getattr(text, "whole", len(text))
    return length


def excerpt(text: str, most: int = 200) -> str:
    """Return the beginning of a text in one line; if it is cut, with the length of the whole: `Lorem… [812 chars]`.

    Args:
        text: The text; an `Abridged` one reports the length of its whole.
        most: The maximum number of characters to show.
    """
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    return f"{line[: grapheme_boundary(line, most)]}… [{whole_length(text)} chars]"


def format_count(count: int | str, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `1 file`, `2,000 files`, `3 replies`.

    Args:
        count: The number; a text, such as `at least 3`, counts as more than one.
        noun: The noun in the singular.
        plural: Its plural, if that does not follow the rule.
    """
    if count == 1:
        return f"1 {noun}"
    is_regular = not noun.endswith("y") or noun[-2:-1] in "aeiou"
    plural = plural or (f"{noun}s" if is_regular else f"{noun[:-1]}ies")
    return f"{count:,} {plural}" if isinstance(count, int) else f"{count} {plural}"


def grapheme_boundary(text: str, at: int) -> int:
    """Return the start of the grapheme at an index, at most `STEPS` code points back."""
    for here in range(at, max(0, at - STEPS), -1):
        if here >= len(text) or not _extends_grapheme(text, here):
            return here
    return 0 if at <= STEPS else at


def _extends_grapheme(text: str, at: int) -> bool:
    """Return whether a code point extends the one before it (a subset of Unicode Annex 29)."""
    before, char = text[at - 1], text[at]
    if char < "\u0300":
        return before == "\r" and char == "\n"
    if before == JOINER or char in "\u200c\u200d" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return True
    if char in FLAGS:
        return (at - len(text[:at].rstrip(FLAGS))) % 2 == 1  # two letters make one flag
    jamo = "\u1160" <= char <= "\u11ff"
    return jamo or "\U000e0020" <= char <= "\U000e007f" or unicodedata.category(char)[0] == "M"


T = TypeVar("T")


class Hint(str):
    """A line of `render()` that no field contains: why a list is empty, what to do next.

    Some hosts pass on the object alone, so the server also puts these lines into the object, as `note`.
    """

    __slots__ = ()


@runtime_checkable
class Result(Protocol):
    """A frozen attrs class that can be rendered as a few lines of text."""

    def render(self) -> Iterable[str]:
        """Return the lines of the text block, most important first.

        It is called after pages were cut, so that it shows what is sent, and possibly again on copies with shorter
        texts. Never leave out ids, locations and verdicts; shorten long texts by `excerpt`. A line that says more than
        the fields is a `Hint`.
        """
        ...


@frozen
class Page(Generic[T]):
    """A list of a result that the server may cut to its size budget.

    A result may have several; one cursor pages through all of them, in the order of the fields.

    Args:
        items: The items that were read, in their final order.
        key: Returns an item's key: unique within the result, stable while the list changes, and short, since the
            cursor contains it.
        partial: Whether more items exist than were read.
        limit: The maximum number of items that the caller asked for.
        total: The number of items that exist; `len(items)` by default if nothing is missing, otherwise None (unknown).
    """

    items: Sequence[T]
    key: Callable[[T], str]
    partial: bool = False
    limit: int | None = None
    total: int | None = Factory(lambda self: None if self.partial else len(self.items), takes_self=True)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)
