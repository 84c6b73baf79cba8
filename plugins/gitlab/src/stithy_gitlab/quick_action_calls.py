"""The call wrapper that allows quick actions, and the result of a text that was nothing else."""

from collections.abc import Awaitable, Callable, Iterator, Sequence

from attrs import frozen

from stithy_core.spi import CallWrapper, Context, ToolCall, WrappedTool
from stithy_gitlab.quick_actions import CarriedOut


@frozen(kw_only=True)
class CarriedOutQuickActions:
    """The result of a text that GitLab carried out instead of storing it.

    Args:
        quick_actions: The words of its quick actions.
        summary: What GitLab reports of each; empty if it reports nothing.
    """

    quick_actions: tuple[str, ...]
    summary: tuple[str, ...]

    def render(self) -> Iterator[str]:
        """Iterate over the lines of text."""
        named = ", ".join(f"/{word}" for word in self.quick_actions)
        yield f"GitLab carried out {named}, and stored no comment."
        yield from self.summary


class QuickActionsWrapper(CallWrapper):
    """Wraps tools that post texts; the forge reads the argument (`is_allowed`)."""

    def result_types(self, tool: WrappedTool) -> Sequence[type]:  # noqa: ARG002 -- of the base
        """Return the class of the result of a text that was carried out."""
        return (CarriedOutQuickActions,)

    async def around(self, call: ToolCall, context: Context, proceed: Callable[[], Awaitable[object]]) -> object:  # noqa: ARG002 -- of the base
        """Run the handler, and return what GitLab carried out in place of the error for a comment that is not there."""
        try:
            return await proceed()
        except CarriedOut as done:
            words, summary = done.details["quick_actions"], done.details["summary"]
            return CarriedOutQuickActions(quick_actions=tuple(words), summary=tuple(summary))
