"""A tool as its plugin declares it, and the notes on its fields.

A note is written as `Annotated[int, Meta("The maximum number", ge=1, le=100)]`.
"""

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Generic, Literal, TypeAlias

from attrs import frozen
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


PullRequestArg: TypeAlias = Annotated[
    str, Meta("The pull request: owner/repo#123, its URL or alias:owner/repo#123", examples=("owner/repo#123",))
]
RepositoryArg: TypeAlias = Annotated[
    str, Meta("The repository: owner/repo, its URL or alias:owner/repo", examples=("owner/repo",))
]
CURSOR_ARGUMENT = "cursor"
WORKFLOW_ARGUMENT = "workflow_handle"
DRY_RUN_ARGUMENT = "dry_run"
CursorArg: TypeAlias = Annotated[str | None, Meta("nextCursor of the previous answer, unchanged")]
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
        error_prefix: The beginning of the message of every failed call: "Failed to create pull request comment: ".
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
    error_prefix: str = ""
