"""Notes on the fields of argument and result classes: `Annotated[int, Meta("How many at most", ge=1, le=100)]`."""

from typing import Annotated, Any, TypeAlias

from attrs import frozen


@frozen(eq=False, repr=False)
class Meta:
    """Constraints and description of a value, for its JSON Schema.

    The note belongs to the type, so that an alias carries it and the items of a list can have their own.

    Args:
        description: One sentence for the agent.
        ge: The smallest number allowed.
        le: The greatest number allowed.
        pattern: A regular expression that a string must match somewhere (ECMA dialect, as JSON Schema says).
        min_length: Fewest characters, or items.
        max_length: Most characters, or items.
        examples: Values worth showing.
        preferable: Whether a user may store a preference for it. The argument must have a default; a preference is for
            all the tools that have an argument of its name.
        name: The wire's name, where it is no Python name ("+1").
        message: What to answer instead of the general text when the value does not fit.
        cut: Whether the texts of a result's field may be cut short when the answer is too large: True for what people
            wrote, which may be cut very short; False for what names or decides something; None leaves it to the server,
            which cuts no text of 256 characters and no single word of 1,024.
        rest: The call or the resource that has the whole of what was cut: "pr_comment_get with this id".
        instead: Arguments of the tool that make a required one dispensable: where one of them is given, it may be left
            out. Its default is None.
        echo: Whether a result's field says back what the caller wrote: then no hidden character is taken out of it.
        local: Whether an argument names a file or a folder of the server's machine: over HTTP, where callers are
            on other machines, the tool has no such argument. It must have a default.
    """

    description: str = ""
    ge: float | None = None
    le: float | None = None
    pattern: str | None = None
    min_length: int | None = None
    max_length: int | None = None
    examples: tuple[Any, ...] = ()
    preferable: bool = False
    name: str | None = None
    message: str = ""
    cut: bool | None = None
    rest: str = ""
    instead: tuple[str, ...] = ()
    echo: bool = False
    local: bool = False


PullRequestArg: TypeAlias = Annotated[
    str, Meta("The pull request: owner/repo#123, its URL or alias:owner/repo#123", examples=("owner/repo#123",))
]
RepositoryArg: TypeAlias = Annotated[
    str, Meta("The repository: owner/repo, its URL or alias:owner/repo", examples=("owner/repo",))
]
CURSOR_ARGUMENT = "cursor"
WORKFLOW_ARGUMENT = "workflow_handle"
DRY_RUN_ARGUMENT = "dry_run"
CursorArg: TypeAlias = Annotated[str | None, Meta("nextCursor of the previous answer, unchanged")]
WorkflowArg: TypeAlias = Annotated[
    str | None, Meta("Handle of the workflow that a prompt began", name=WORKFLOW_ARGUMENT, max_length=64)
]
"""A tool that has an argument of this type takes part in workflows, whatever the field is called."""
