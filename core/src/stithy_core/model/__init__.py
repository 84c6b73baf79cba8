"""The forge-neutral vocabulary: frozen records without any I/O. Here is what names a thing.

`conversations` has people and what they say, `code` what they changed, `verdicts` what machines and rules say of it,
and `listing` holds many of them.

Ids are strings, times are timezone-aware and in UTC. What a forge does not know is `Unknown` in the field's place,
never a guess: see docs/design.md#unknown-values.
"""

from typing import NoReturn, TypeAlias, TypeVar

from attrs import frozen

T = TypeVar("T")


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
    shown: str | bool | None = None

    def __bool__(self) -> NoReturn:
        """Neither true nor false, so that `if thread.resolved` cannot mistake it for either."""
        raise TypeError(f"not known: {self.reason}; compare with `is True` or `is False`")


Maybe: TypeAlias = T | Unknown
"""A value, or the reason why it is not known: `resolved: Maybe[bool]`."""


NOT_REPORTED = Unknown("the forge does not say")
"""In the place of what a forge leaves out."""


@frozen
class RepositoryRef:
    """A repository by name: `namespace` has one or more segments, `owner` or `group/team`."""

    namespace: str
    name: str

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


@frozen
class IssueRef:
    """An issue by number; a pull request's conversation is addressed in the same way."""

    repository: RepositoryRef
    number: int

    def __str__(self) -> str:
        return f"{self.repository}#{self.number}"


@frozen
class PullRequestRef(IssueRef):
    """A pull request by number: wherever an issue's conversation is meant, it may stand too."""
