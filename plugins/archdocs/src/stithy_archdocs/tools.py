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
        Meta("Path of the code in the project, for rules that apply only to some files", max_length=1_000),
    ] = None
    files: Annotated[
        list[Annotated[str, Meta(max_length=1_000)]] | None,
        Meta(
            "Files of the project instead of code: paths or globs",
            max_length=MOST_FILES,
            examples=(["src/**/*.py"],),
            local=True,
        ),
    ] = None
    diff: Annotated[
        str | None, Meta("A git diff instead of code: only added lines are checked", max_length=500_000)
    ] = None
    pr: Annotated[
        str | None,
        Meta("A pull request instead of code: owner/repo#123, its URL or alias:owner/repo#123", max_length=2_000),
    ] = None
    workflow: WorkflowArg = None
    cursor: CursorArg = None


@frozen(kw_only=True)
class CheckDocuments:
    """Arguments of `check_architecture_docs`."""

    resource_type: Annotated[Literal["guidelines", "patterns", "adr", "all"], Meta("Kind of documents to check")] = (
        "all"
    )
    path: Annotated[str, Meta("Only documents whose path starts with this", max_length=500)] = ""
    severity: Annotated[Literal["error", "warning"], Meta("Lowest severity to report")] = "warning"
    graph: Annotated[bool, Meta("Also draw the decision records and their relations as Mermaid")] = False
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
    status: Annotated[
        tuple[StatusName, ...], Meta("Only decision records with one of these statuses", max_length=9)
    ] = ()
    tag: Annotated[str | None, Meta("Only documents with this tag in their front matter", max_length=100)] = None
    since: Annotated[
        str | None, Meta("Only records decided on or after this date (2026-01-31)", pattern=DATE_PATTERN)
    ] = None
    until: Annotated[str | None, Meta("Only records decided on or before this date", pattern=DATE_PATTERN)] = None


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
        "Checks by the syntax and import rules in the pattern's document, not by its prose. verdict is compliant,"
        " violations or not_checkable (no rule for this code, unknown language, code that cannot be parsed); the"
        " requirements in prose are returned as an unchecked checklist. Read-only.",
        input=ValidateAgainstPattern,
        handler="stithy_archdocs.validation.validation_tool:validate",
        needs=[Changes.files],  # only for the argument pr
        duration="slow",
        error_prefix="Failed to validate against pattern: ",
    )


def _make_check_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="check_architecture_docs",
        title="Check the architecture documents",
        description="Check guidelines, patterns and architecture decision records for problems: duplicate numbers,"
        " broken links, supersessions that only one side states or that lead nowhere, placeholders, unknown or"
        " conflicting statuses, invalid front matter, overdue reviews, rules that fail their own samples. Each"
        " problem has its file and line. graph=true draws the decision records as Mermaid.",
        input=CheckDocuments,
        handler="stithy_archdocs.checking.check_tool:check_documents",
        duration="slow",
        error_prefix="Failed to check architecture documents: ",
    )


def _make_search_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="search-architecture",
        title="Search the architecture documents",
        description="Searches architectural documentation by keywords: guidelines, patterns and architecture"
        " decision records. Each result is the best section of one document, with its path and lines, an excerpt,"
        " and the URI of the whole document.",
        input=SearchArchitecture,
        handler="stithy_archdocs.search.search_tool:search_documents",
        error_prefix="Failed to search architecture documents: ",
    )


def _make_alignment_tool() -> ToolSpec[Any]:
    return ToolSpec(
        name="check-adr-alignment",
        title="Check a proposal against the decision records",
        description="Checks if a decision aligns with existing ADRs\n"
        "Each record found supports the proposal, conflicts with it or is related, with evidence. About 8 of 10"
        " classifications are right: read the evidence. An empty result proves nothing: call search-architecture, too."
        " Superseded, rejected, deprecated and proposed records count as related. decision_description: what is to be"
        " done, in one or two sentences; decision_context: the reasons.",
        input=CheckAlignment,
        handler="stithy_archdocs.alignment.alignment_tool:check_alignment",
        duration="slow",
        error_prefix="Failed to check ADR alignment: ",
    )
