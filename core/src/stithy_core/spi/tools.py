"""A tool as its plugin declares it."""

from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias

from attrs import frozen
from typing_extensions import TypeVar

from stithy_core.spi.runtime import Context, SyncContext

if TYPE_CHECKING:
    from stithy_core.spi.capabilities import Operation

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
    """A tool: what it is called, what it takes, and what runs.

    The result class is the return annotation of the handler.

    Args:
        name: `^[A-Za-z0-9_-]{1,64}$`, unique across plugins.
        title: A few words for a person.
        description: What an agent reads when it chooses: what it does, when to use it, what it does not do.
        input: A frozen attrs class; its fields' `Annotated` types carry descriptions and limits.
        handler: A `Ref` or the function itself.
        needs: The operations it uses, such as `Comments.create`; docs and errors say by them where the tool works.
        effects: What a call leaves behind; everything but READ is refused in read-only mode.
        duration: quick ends after 10 seconds, slow after 30, long reports progress and ends after 30 minutes.
        budget: How many bytes the answer may have, structured content and text together; the text at most half of it.
        toolset: The set it is switched on and off with.
        error_prefix: What begins the message of every failed call: "Failed to create pull request comment: ".
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
