"""Guards of forge access: what a plugin declares and implements to check what tools ask of a forge and are answered."""

from collections.abc import Callable, Iterator
from inspect import BoundArguments
from typing import TYPE_CHECKING, Any

from attrs import frozen

from stithy_core.model import IssueRef, RepositoryRef
from stithy_core.spi.tools import Ref

if TYPE_CHECKING:
    from stithy_core.spi.capabilities import Operation
    from stithy_core.spi.forge import Forge, ForgeConfig


class ForgeGuard:
    """Base class of guards; each forge has one object for each guard, created at the forge's first use.

    Args:
        forge: The forge itself, without guards. The forge's own plugin calls that one, too.
    """

    def __init__(self, forge: "Forge") -> None:
        self.forge = forge

    def before(self, operation: "Operation", arguments: BoundArguments) -> None:
        """Check a call before the forge is asked.

        Args:
            operation: The operation, as its base class has it: `Comments.create`.
            arguments: The arguments that were passed; defaults are not among them.

        Raises:
            StithyError: The call is refused.
        """

    async def after(self, operation: "Operation", arguments: BoundArguments, answer: Any) -> Any:
        """Return the answer as tools may see it. Streams, of which nothing is checked, do not pass here.

        Raises:
            StithyError: The answer is withheld.
        """
        return answer


@frozen(kw_only=True, eq=False, repr=False)
class ForgeGuardSpec:
    """A guard of forge access.

    Args:
        name: What errors and logs call it.
        guard: A `ForgeGuard` class, or a `Ref` to it: anything that makes a guard of a forge.
        applies: Whether a forge gets the guard; asked once for each forge. Other forges are not slowed down.
        order: Guards of lower order are asked first.
    """

    name: str
    guard: "Ref | Callable[[Forge], ForgeGuard]"
    applies: "Callable[[ForgeConfig], bool]" = lambda config: True  # noqa: ARG005 -- all forges
    order: int = 0


def repositories_in(arguments: BoundArguments) -> Iterator[RepositoryRef]:
    """Iterate over the repositories that the arguments of an operation name."""
    for value in arguments.arguments.values():
        if isinstance(value, IssueRef):
            yield value.repository
        elif isinstance(value, RepositoryRef):
            yield value
