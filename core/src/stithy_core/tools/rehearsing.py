"""Dry runs: a call that writes nothing, and says what it would have written."""

from collections.abc import Iterator
from typing import Annotated

from attrs import frozen

from stithy_core.errors import Unsupported
from stithy_core.redaction import redact
from stithy_core.spi import Meta, Unknown
from stithy_core.spi.write_guard import PlannedWrite, WriteGuard
from stithy_core.tools.hints import hints_of, noted
from stithy_core.tools.registry import DRY_RUN, Tool
from stithy_core.tools.schema import Schema, output_schema

NO_ANSWER = Unknown(
    "nothing was sent, so it is not known what the forge would answer, nor what the tool would do or write after that",
    "Call again without dry_run.",
)
NOTHING = "The call would write nothing: what it is to bring about is there already."


@frozen(kw_only=True)
class WouldSend:
    """A request that was not sent, or an operation that was not begun."""

    method: str | None
    url: str | None
    body: Annotated[str | None, Meta("The JSON that would be sent", echo=True, cut=True)]
    operation: Annotated[str | None, Meta("Where the forge is not written to by HTTP", echo=True, cut=True)]

    def lines(self) -> Iterator[str]:
        """Give the lines of it."""
        yield f"{self.method} {self.url}" if self.method else str(self.operation or "a write that does not say what")
        if self.body:
            yield self.body


@frozen(kw_only=True)
class DryRun:
    """What a dry run answers, in the place of the tool's own result."""

    dry_run: bool = True
    requests: tuple[WouldSend, ...]
    result: str | Unknown

    def render(self) -> Iterator[str]:
        """Say first that nothing was done."""
        yield "Dry run: nothing was sent."
        if isinstance(self.result, str):
            yield self.result
        for request in self.requests:
            yield from request.lines()


def dry_run_of(passage: WriteGuard) -> DryRun:
    """Give the answer of a dry run that has come to its end, or to its first write."""
    return DryRun(
        requests=tuple(map(_shown, passage.planned)),
        result=NO_ANSWER if passage.planned else NOTHING,
    )


def _shown(planned: PlannedWrite) -> WouldSend:
    texts = {name: redact(getattr(planned, name)) or None for name in ("method", "url", "body", "operation")}
    return WouldSend(**texts)


def asks_itself(tool: Tool) -> bool:
    """Say whether a tool takes `dry_run` itself: then its own result is the answer of a dry run."""
    return any((noted(hint).name or name) == DRY_RUN for name, hint in hints_of(tool.spec.input).items())


def check_rehearsable(tool: Tool) -> None:
    """Pass a tool whose writes are all a forge's, where the door stops them.

    Raises:
        Unsupported: What it writes elsewhere nobody could stop, so that it is not even begun.
    """
    from stithy_core.spi.capabilities import WRITING

    if asks_itself(tool) or (tool.is_async and any(operation in WRITING for operation in tool.spec.needs)):
        return
    raise Unsupported(
        f"{tool.spec.name} cannot say beforehand what it would write; nothing was done",
        suggestion="Call it without dry_run, or not at all.",
    )


def with_dry_answer(schema: Schema) -> Schema:
    """Describe a result that a dry run may take the place of."""
    dry = output_schema(DryRun)
    required = [{"required": schema["required"]}] if schema.get("required") else [{}]
    return {word: value for word, value in schema.items() if word != "required"} | {
        "properties": schema["properties"] | dry["properties"] | schema["properties"],
        "anyOf": [*required, {"required": dry["required"]}],
    }
