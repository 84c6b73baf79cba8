"""What `validate-against-pattern` takes and promises: all that a start needs of it."""

from typing import Annotated

from attrs import frozen

from stithy_core.spi import Changes, CursorArg, Meta, ToolSpec, WorkflowArg

LONGEST = 50_000
MOST_FILES = 200
OTHERS = ("files", "diff", "pr")


@frozen(kw_only=True)
class ValidateAgainstPattern:
    """Which code, against which document."""

    code: Annotated[str | None, Meta("Code to validate", max_length=LONGEST, instead=OTHERS)] = None
    pattern_name: Annotated[
        str,
        Meta("Name of pattern to validate against (e.g., 'repository-pattern')", min_length=1, max_length=500),
    ]
    language: Annotated[str | None, Meta("Programming language (optional)", max_length=50)] = None
    path: Annotated[
        str | None,
        Meta("Where the code stands or will stand, for rules that are for some files only", max_length=1_000),
    ] = None
    files: Annotated[
        list[Annotated[str, Meta(max_length=1_000)]] | None,
        Meta(
            "Files of the project in place of code: paths or globs",
            max_length=MOST_FILES,
            examples=(["src/**/*.py"],),
            local=True,
        ),
    ] = None
    diff: Annotated[
        str | None, Meta("A diff as git writes it, in place of code: only its new lines are judged", max_length=500_000)
    ] = None
    pr: Annotated[
        str | None,
        Meta("A pull request in place of code: owner/repo#123, its URL or alias:owner/repo#123", max_length=2_000),
    ] = None
    workflow: WorkflowArg = None
    cursor: CursorArg = None


def tool() -> ToolSpec:
    """Return the tool of ARCH-3."""
    return ToolSpec(
        name="validate-against-pattern",
        title="Validate code against a pattern",
        description="Validates code against documented architectural patterns\n"
        "By rules of syntax and imports that the pattern's document carries, never by words. verdict is compliant,"
        " violations or not_checkable (no rule for this code, unknown language, code that cannot be parsed); what the"
        " document says in prose comes back as an unchecked checklist. Changes nothing.",
        input=ValidateAgainstPattern,
        handler="stithy_archdocs.validation.validating:validate",
        needs=[Changes.files],  # for pr alone
        duration="slow",
        error_prefix="Failed to validate against pattern: ",
    )
