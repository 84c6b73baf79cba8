"""Names, arguments and descriptions of the tools: all that the server needs at start-up (ARCH-3 to ARCH-8)."""

from typing import Annotated, Any, Literal, TypeAlias

from attrs import frozen

from stithy_core.spi import Changes, CursorArg, Meta, ToolSpec, WorkflowArg

LONGEST = 50_000
MOST_FILES = 200
ALTERNATIVES = ("files", "diff", "pr")


@frozen(kw_only=True)
class ValidateAgainstPattern:
    """Arguments of `validate-against-pattern`."""

    code: Annotated[str | None, Meta("Code to validate", max_length=LONGEST, instead=ALTERNATIVES)] = None
    pattern_name: Annotated[
        str,
        Meta("Name of pattern to validate against (e.g., 'repository-pattern')", min_length=1, max_length=500),
    ]
    language: Annotated[str | None, Meta("Programming language (optional)", max_length=50)] = None
    path: Annotated[
        str | None,
        Meta("Path of the code, for rules that apply to some files", max_length=1_000),
    ] = None
    files: Annotated[
        list[Annotated[str, Meta(max_length=1_000)]] | None,
        Meta(
            "Paths or globs such as src/**/*.py",
            max_length=MOST_FILES,
            local=True,
        ),
    ] = None
    diff: Annotated[str | None, Meta("A git diff; only added lines are checked", max_length=500_000)] = None
    pr: Annotated[
        str | None,
        Meta("owner/repo#123 or its URL", max_length=2_000),
    ] = None
    workflow: WorkflowArg = None
    cursor: CursorArg = None


@frozen(kw_only=True)
class CheckDocuments:
    """Arguments of `check_architecture_docs`."""

    resource_type: Literal["guidelines", "patterns", "adr", "all"] = "all"
    path: Annotated[str, Meta("Beginning of their paths", max_length=500)] = ""
    severity: Literal["error", "warning"] = "warning"
    graph: Annotated[bool, Meta("Also draw the records as Mermaid")] = False
    cursor: CursorArg = None


DATE_PATTERN = r"^\d{4}-\d{2}-\d{2}$"
StatusName: TypeAlias = Literal[
    "proposed", "accepted", "rejected", "deprecated", "superseded", "draft", "on_hold", "implemented", "unknown"
]


@frozen(kw_only=True)
class SearchArchitecture:
    """Arguments of `search-architecture`."""

    query: Annotated[str, Meta("Search query", min_length=1, max_length=500)]
    resource_type: Annotated[
        Literal["guidelines", "patterns", "adr", "all"], Meta("Filter by resource type (default: all)")
    ] = "all"
    max_results: Annotated[int, Meta("Maximum results to return (default: 10)", ge=1, le=20)] = 10
    status: Annotated[tuple[StatusName, ...], Meta(max_length=9)] = ()
    tag: Annotated[str | None, Meta(max_length=100)] = None
    since: Annotated[str | None, Meta("Decided on 2026-01-31 or later", pattern=DATE_PATTERN)] = None
    until: Annotated[str | None, Meta("Decided by then", pattern=DATE_PATTERN)] = None


@frozen(kw_only=True)
class CheckAlignment:
    """Arguments of `check-adr-alignment`."""

    decision_description: Annotated[str, Meta("Description of the proposed decision", min_length=1, max_length=5_000)]
    decision_context: Annotated[str | None, Meta("Context or problem being addressed (optional)", max_length=2_000)] = (
        None
    )


def list_tools() -> list[ToolSpec[Any]]:
    """Return the tools."""
    return [_make_validate_tool(), _make_check_tool(), _make_search_tool(), _make_alignment_tool()]


def _make_validate_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="validate-against-pattern",
        title="Validate code against a pattern",
        description="Validates code against documented architectural patterns\n"
        "Checks by the rules in the pattern's document: compliant, violations or not_checkable. Its prose is returned"
        " as a checklist.",
        input=ValidateAgainstPattern,
        handler="stithy_archdocs.validation.validation_tool:validate",
        needs=[Changes.files],  # only for the argument pr
        duration="slow",
        error_prefix="Failed to validate against pattern: ",
        keywords=("architecture decisions", "does my code follow the rules"),
    )


def _make_check_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="check_architecture_docs",
        title="Check the architecture documents",
        description="Check guidelines, patterns and architecture decision records for problems: duplicate numbers,"
        " broken links, one-sided supersessions, placeholders, statuses, front matter, overdue reviews, rules that fail"
        " their samples.",
        input=CheckDocuments,
        handler="stithy_archdocs.checking.check_tool:check_documents",
        duration="slow",
        error_prefix="Failed to check architecture documents: ",
        keywords=("architecture decisions", "lint ADRs, broken records"),
    )


def _make_search_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="search-architecture",
        title="Search the architecture documents",
        description="Searches architectural documentation by keywords: guidelines, patterns and architecture"
        " decision records. Returns the best section of each document, and its URI.",
        input=SearchArchitecture,
        handler="stithy_archdocs.search.search_tool:search_documents",
        error_prefix="Failed to search architecture documents: ",
        keywords=("architecture decisions", "ADRs, design rules, why was it decided"),
    )


def _make_alignment_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="check-adr-alignment",
        title="Check a proposal against the decision records",
        description="Checks if a decision aligns with existing ADRs\n"
        "Returns the records that matter, with passages. supports and conflicts are certain; judge candidates"
        " yourself. An empty result proves nothing: call search-architecture, too."
        " decision_description: what is to be done, in one or two sentences; decision_context: the reasons.",
        input=CheckAlignment,
        handler="stithy_archdocs.alignment.alignment_tool:check_alignment",
        duration="slow",
        error_prefix="Failed to check ADR alignment: ",
        keywords=("architecture decisions", "does my plan contradict an ADR"),
    )
