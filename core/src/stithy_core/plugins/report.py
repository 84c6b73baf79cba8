"""What became of each plugin, for `stithy plugins`, `stithy doctor` and the tool `list_plugins`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from attrs import evolve, frozen

from stithy_core.plugins.loading import Plugins
from stithy_core.plugins.outcomes import Failed, display_name
from stithy_core.spi import Context, Contribution, CursorArg, Page, ToolSpec

State = Literal["loaded", "blocked", "failed"]


@frozen(kw_only=True)
class Row:
    """One plugin, or one thing it offers that failed."""

    distribution: str
    version: str
    entry_point: str
    state: State
    milliseconds: float | None = None
    notes: tuple[str, ...] | None = None
    offer: str | None = None
    stage: str | None = None
    cause: str | None = None
    remedy: str | None = None

    @property
    def name(self) -> str:
        """What the plugin is called in lists."""
        return display_name(Contribution(self.distribution, self.version, self.entry_point))

    def __str__(self) -> str:
        line = f"{self.name}: {self.state}"
        if self.state == "failed":
            what = f" ({self.offer})" if self.offer else ""
            return f"{line}{what} at {self.stage}: {self.cause}. {self.remedy}"
        return "; ".join((line, *(self.notes or ())))


@frozen
class Report:
    """All plugins, the failed ones first."""

    plugins: Page[Row]

    def render(self) -> Iterator[str]:
        """Return one line for each plugin."""
        rows = list(self.plugins)
        failed = sum(row.state == "failed" for row in rows)
        yield f"{self.plugins.total} plugins or offers, {failed} failed"
        for row in rows:
            yield f"- {row}"


def report(plugins: Plugins, failed: Iterable[Failed] = ()) -> Report:
    """Write down what became of each plugin.

    Args:
        plugins: What was loaded.
        failed: What failed afterwards, such as a tool whose schema is not valid.
    """
    rows = [_failed(failure) for failure in (*plugins.failed, *failed)]
    rows += [_row(plugin.origin, "blocked") for plugin in plugins.blocked]
    rows += [
        evolve(_row(plugin.origin, "loaded"), milliseconds=round(plugin.seconds * 1_000, 1), notes=plugin.notes or None)
        for plugin in plugins.loaded
    ]
    return Report(Page(rows, key=lambda row: f"{row.distribution}/{row.entry_point}/{row.offer}/{row.cause}"))


def _row(origin: Contribution, state: State) -> Row:
    return Row(distribution=origin.distribution, version=origin.version, entry_point=origin.entry_point, state=state)


def _failed(failure: Failed) -> Row:
    return evolve(
        _row(failure.origin, "failed"),
        stage=failure.stage,
        cause=failure.cause,
        remedy=failure.remedy,
        offer=failure.offer or None,
    )


@frozen
class ListPlugins:
    """It takes no more than where to go on."""

    cursor: CursorArg = None


def list_plugins(current: Callable[[], Report]) -> ToolSpec[ListPlugins]:
    """Make the tool that tells an agent what is loaded and what failed.

    Args:
        current: Gives the report at the time of the call.
    """

    async def answer(ctx: Context, args: ListPlugins) -> Report:  # noqa: ARG001 -- a handler's signature
        return current()

    return ToolSpec(
        name="list_plugins",
        title="Plugins of this server",
        description="Which plugins are loaded, blocked or failed, with the cause and the remedy."
        " Ask when a tool you expect is missing, or failed inside its plugin.",
        input=ListPlugins,
        handler=answer,
    )
