"""What the tools are called, take and promise: all that a start needs of them (ARCH-3 to ARCH-8)."""

from typing import Annotated, Any, Literal, TypeAlias

from attrs import frozen

from stithy_archdocs.validation import spec as validation
from stithy_core.spi import CursorArg, Meta, ToolSpec


@frozen(kw_only=True)
class CheckDocuments:
    """Which documents, and how strictly."""

    resource_type: Annotated[Literal["guidelines", "patterns", "adr", "all"], Meta("Which documents to look at")] = (
        "all"
    )
    path: Annotated[str, Meta("Only documents whose path begins so", max_length=500)] = ""
    severity: Annotated[Literal["error", "warning"], Meta("The least severity to tell")] = "warning"
    graph: Annotated[bool, Meta("Whether to draw the decisions and their relations as Mermaid text")] = False
    cursor: CursorArg = None


DAY = r"^\d{4}-\d{2}-\d{2}$"
State: TypeAlias = Literal[
    "proposed", "accepted", "rejected", "deprecated", "superseded", "draft", "on_hold", "implemented", "unknown"
]


@frozen(kw_only=True)
class SearchArchitecture:
    """What is looked for, and in what (ARCH-5)."""

    query: Annotated[str, Meta("Search query", min_length=1, max_length=500)]
    resource_type: Annotated[
        Literal["guidelines", "patterns", "adr", "all"], Meta("Filter by resource type (default: all)")
    ] = "all"
    max_results: Annotated[int, Meta("Maximum results to return (default: 10)", ge=1, le=20)] = 10
    status: Annotated[tuple[State, ...], Meta("Only decision records that stand so", max_length=9)] = ()
    tag: Annotated[str | None, Meta("Only documents that their front matter tags so", max_length=100)] = None
    since: Annotated[str | None, Meta("Only records decided on this day or later: 2026-01-31", pattern=DAY)] = None
    until: Annotated[str | None, Meta("Only records decided on this day or earlier", pattern=DAY)] = None


@frozen(kw_only=True)
class CheckAlignment:
    """What is proposed (ARCH-7)."""

    decision_description: Annotated[str, Meta("Description of the proposed decision", min_length=1, max_length=5_000)]
    decision_context: Annotated[str | None, Meta("Context or problem being addressed (optional)", max_length=2_000)] = (
        None
    )


def tools() -> list[ToolSpec[Any]]:
    """Give the tools."""
    return [validation.tool(), _checking(), _search(), _alignment()]


def _checking() -> ToolSpec[Any]:
    return ToolSpec(
        name="check_architecture_docs",
        title="What is wrong with the architecture documents",
        description="Look through guidelines, patterns and architecture decision records for what is wrong with"
        " them: duplicate numbers, broken links, supersessions that one side alone tells or that lead nowhere,"
        " placeholders, statuses that cannot be read or contradict each other, front matter that is no YAML, review"
        " dates that have passed, rules that fail their own samples. Each problem has its file and line."
        " graph=true draws the decisions as Mermaid.",
        input=CheckDocuments,
        handler="stithy_archdocs.checking.tool:check",
        duration="slow",
        error_prefix="Failed to check architecture documents: ",
    )


def _search() -> ToolSpec[Any]:
    return ToolSpec(
        name="search-architecture",
        title="Search the architecture documents",
        description="Searches architectural documentation by keywords: guidelines, patterns and architecture"
        " decision records. Each result is the best section of one document, with its place, an excerpt and the"
        " URI to read it whole.",
        input=SearchArchitecture,
        handler="stithy_archdocs.search.finding:search",
        error_prefix="Failed to search architecture documents: ",
    )


def _alignment() -> ToolSpec[Any]:
    return ToolSpec(
        name="check-adr-alignment",
        title="Check a proposal against the decisions",
        description="Checks if a decision aligns with existing ADRs\n"
        "Each record in which a relation is recognized supports it, conflicts with it or is related, with evidence."
        " About eight of ten are right: read the evidence. An empty answer does not show that no record is"
        " about it: search, too. Superseded, rejected, deprecated and proposed records are related. Say in"
        " decision_description what is to be done, in a sentence or two; reasons belong in decision_context.",
        input=CheckAlignment,
        handler="stithy_archdocs.alignment.aligning:align",
        duration="slow",
        error_prefix="Failed to check ADR alignment: ",
    )
