"""The forge-neutral records: frozen, without any I/O. This module has references, unknown values and lists.

`conversations` has people and what they write, `code` what they change, `verdicts` what machines and rules say of it.

Ids are strings, times are timezone-aware and in UTC. What a forge does not know is `Unknown` in the field's place,
never a guess: see docs/design.md#unknown-values.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn, TypeAlias, TypeVar, overload

from attrs import field, frozen

T = TypeVar("T")
S = TypeVar("S")


@frozen
class Unknown:
    """A value that is not known, with the reason; it travels unchanged from the forge to the agent.

    Args:
        reason: Why it is not known.
        remedy: What would make it known.
        shown: A binding enum's own "unknown", or False, to show in the field's place; None leaves the field out.
    """

    reason: str
    remedy: str = ""
    shown: str | bool | None = field(default=None, kw_only=True)

    def __bool__(self) -> NoReturn:
        """Neither true nor false, so that `if thread.resolved` cannot mistake it for either."""
        raise TypeError(f"not known: {self.reason}; compare with `is True` or `is False`")


Maybe: TypeAlias = T | Unknown
"""A value, or the reason why it is not known: `resolved: Maybe[bool]`."""


NOT_REPORTED = Unknown("the forge does not say")
"""In the place of what a forge leaves out."""


@frozen
class RepositoryRef:
    """A repository by name.

    Args:
        namespace: One or more segments, `owner` or `group/team`; empty on a forge whose repositories need none.
        name: The last segment.
    """

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


@frozen
class IssueRef:
    """An issue by number; a pull request's conversation is addressed in the same way.

    Args:
        repository: The repository that numbers it.
        number: Its number there, from 1 on.
    """

    repository: RepositoryRef
    number: int

    def __str__(self) -> str:
        return f"{self.repository}{self.short}"

    @property
    def short(self) -> str:
        """The mark and the number, which name it within its repository: `#7`."""
        return f"#{self.number}"


@frozen
class PullRequestRef(IssueRef):
    """A pull request by number: wherever an issue's conversation is meant, it may stand too.

    It never equals the `IssueRef` of the same number. `ForgeNames.create_pull_request_ref` creates it with the mark.

    Args:
        mark: The character before its number. On a forge that numbers issues and pull requests apart it is not "#", so
            that the texts of both differ.
    """

    mark: str = field(default="#", kw_only=True, eq=False, repr=False)

    @property
    def short(self) -> str:
        """The mark and the number, which name it within its repository: `!7`, or `#7` without two number spaces."""
        return f"{self.mark}{self.number}"


@frozen(eq=False)
class Listing(Sequence[T]):
    """Items in the order of the forge, or of the operation that returned them.

    Args:
        items: The items that were read.
        total: The number of items that exist, if the forge reports it reliably; otherwise None.
        cut: Why items are missing; empty if all were read.
    """

    items: tuple[T, ...] = ()
    total: int | None = field(default=None, kw_only=True)
    cut: str = field(default="", kw_only=True)

    def map(self, change: Callable[[T], S]) -> "Listing[S]":
        """Return a listing with `change` applied to each item, and the same total and cut."""
        return Listing(tuple(change(item) for item in self.items), total=self.total, cut=self.cut)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self.items[index]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[T]:
        return iter(self.items)
