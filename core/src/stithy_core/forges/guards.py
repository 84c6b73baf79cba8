"""The guards that ask no forge anything: which repositories are touched, and what a dry run shows."""

from collections.abc import Callable, Iterator
from datetime import datetime
from inspect import BoundArguments
from typing import Any

from stithy_core.spi import ForgeConfig, IssueRef, RepositoryRef
from stithy_core.spi.capabilities import WRITING, Operation
from stithy_core.spi.write_guard import PlannedWrite


def repositories_in(arguments: BoundArguments) -> Iterator[RepositoryRef]:
    """Find the repositories that a call is about."""
    for value in arguments.arguments.values():
        if isinstance(value, IssueRef):
            yield value.repository
        elif isinstance(value, RepositoryRef):
            yield value


class Fence:
    """Keeps tools to the repositories of the settings, also where an answer leads them to another one.

    Args:
        admit: Passes a repository, or raises.
    """

    def __init__(self, admit: Callable[[RepositoryRef], None]) -> None:
        self._admit = admit

    def before(self, operation: Operation, arguments: BoundArguments) -> None:  # noqa: ARG002 -- the protocol's
        """Pass what is about a repository of the settings."""
        for repository in repositories_in(arguments):
            self._admit(repository)

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:  # noqa: ARG002 -- as above
        """Give the answer as it is."""
        return answer


class Door:
    """Stands before the writing operations of a forge that is not written to by HTTP, where no request can be shown.

    Args:
        config: The forge.
    """

    def __init__(self, config: ForgeConfig) -> None:
        self._config = config

    def before(self, operation: Operation, arguments: BoundArguments) -> None:
        """Pass what only reads, and what may write."""
        if operation in WRITING:
            given = [_shown(value) for value in arguments.args]
            named = [f"{name}={_shown(value)}" for name, value in arguments.kwargs.items() if value is not None]
            self._config.admit_write(PlannedWrite(operation=f"{operation.__qualname__}({', '.join(given + named)})"))

    async def after(self, operation: Operation, arguments: BoundArguments, answer: Any) -> Any:  # noqa: ARG002 -- as above
        """Give the answer as it is."""
        return answer


def _shown(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, IssueRef) else repr(value)
