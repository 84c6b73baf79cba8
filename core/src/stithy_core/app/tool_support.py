"""On which forges a tool works, and why not on others: its `needs`, compared with what each kind declares."""

from collections.abc import AsyncIterator, Mapping, Sequence

from attrs import frozen

from stithy_core.app.assembly import App
from stithy_core.errors import StithyError
from stithy_core.plugins import resolve
from stithy_core.redaction import redact
from stithy_core.spi import Forge, ForgeKind, Operation, declared_support, operations
from stithy_core.tools import Tool

ALWAYS = "always"
NEVER = "never"
BROKEN = "cannot be loaded"


@frozen
class OperationSupport:
    """One operation, and what each kind of forge declares about it: always, since …, probed or never."""

    operation: str
    declared: Mapping[str, str]


@frozen
class ServerAnswer:
    """Whether the server of a configured forge supports an operation: `answer` is yes, no or unknown."""

    forge: str
    operation: str
    answer: str
    reason: str = ""
    remedy: str = ""


def describe_needs(app: App, wanted: Sequence[Operation]) -> Sequence[OperationSupport]:
    """Return what each kind of forge declares about operations; no server is asked."""
    forges = {name: _loaded(kind) for name, kind in sorted(app.forges.kinds.items())}
    return [
        OperationSupport(
            operation.__qualname__,
            {name: declared_support(forge, operation) if forge else BROKEN for name, forge in forges.items()},
        )
        for operation in wanted
    ]


def _loaded(kind: ForgeKind) -> type[Forge] | None:
    """Return the class of a kind; None if it cannot be loaded."""
    try:
        forge: type[Forge] = resolve(kind.forge)
    except StithyError:
        return None
    return forge


def summarize_needs(needs: Sequence[OperationSupport], kind: str) -> str:
    """Return in a few words whether a kind supports all operations that are needed."""
    lacking = [need.operation for need in needs if need.declared[kind] == NEVER]
    if lacking:
        return f"no: {', '.join(lacking)}"
    limits = [f"{need.operation} {need.declared[kind]}" for need in needs if need.declared[kind] != ALWAYS]
    return ", ".join(limits) or "yes"


def format_tool_table(app: App) -> Sequence[str]:
    """Return a Markdown table of tools by kinds of forge; tools that need no forge are left out."""
    tools = [tool for tool in app.executor.registry.tools.values() if tool.spec.needs]
    rows = [(f"`{tool.spec.name}`", describe_needs(app, tool.spec.needs)) for tool in tools]
    return _lines(app, "Tool", rows)


def format_operation_table(app: App) -> Sequence[str]:
    """Return a Markdown table of operations by kinds of forge."""
    return _lines(app, "Operation", [(f"`{need.operation}`", [need]) for need in describe_needs(app, operations())])


def _lines(app: App, what: str, rows: Sequence[tuple[str, Sequence[OperationSupport]]]) -> list[str]:
    kinds = sorted(app.forges.kinds)
    titles = [app.forges.kinds[kind].title for kind in kinds]
    written = [[name, *(_cell(needs, kind) for kind in kinds)] for name, needs in rows]
    return [f"| {' | '.join(cells)} |" for cells in ([what, *titles], ["---"] * (len(kinds) + 1), *written)]


def _cell(needs: Sequence[OperationSupport], kind: str) -> str:
    """Format a cell; a row of one operation does not repeat its name."""
    said = summarize_needs(needs, kind)
    return said.removeprefix(f"{needs[0].operation} ").partition(":")[0] if len(needs) == 1 else said


async def ask_forges(app: App, tool: Tool) -> AsyncIterator[ServerAnswer]:
    """Iterate over what the server of each configured forge says of the operations that a tool needs."""
    for alias in app.forges.configured:
        for operation in tool.spec.needs:
            yield await _asked(app, alias, operation)


async def _asked(app: App, alias: str, operation: Operation) -> ServerAnswer:
    name = operation.__qualname__
    try:
        support = await app.forges.forge(alias).supports(operation)
    except StithyError as error:
        return ServerAnswer(alias, name, "unknown", redact(error.message), redact(error.suggestion))
    return ServerAnswer(alias, name, "yes" if support else "no", support.reason, support.remedy)
