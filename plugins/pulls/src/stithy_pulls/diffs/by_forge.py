"""What changed, as the forge's API tells it: where git cannot answer."""

from stithy_core.spi import FileChange, Forge, Maybe, PullRequest, StithyError, Unknown
from stithy_pulls.diffs.hunks import parse_hunks
from stithy_pulls.diffs.records import ChangedFile, DiffHunk, PullDiff

STATUSES = {"copied": "added", "changed": "modified", "unchanged": "modified"}
UNASKED = Unknown("the forge gave no diff of it")


async def read_forge_diff(forge: Forge, pull: PullRequest, fault: StithyError) -> PullDiff:
    """Ask the forge, and say why git was not.

    Args:
        forge: The forge.
        pull: The pull request.
        fault: Why git could not answer.
    """
    files = await forge.changes.files(pull.ref, patches=True)
    note = f"Read from the forge's API alone: {fault.message}"
    return PullDiff(changes=tuple(map(_change, files)), found_by="forge", cut=files.cut, notes=(note,))


def _change(file: FileChange) -> ChangedFile:
    hunks = _hunks(file.patch)
    return ChangedFile(
        path=file.path,
        status=STATUSES.get(file.status, file.status),
        additions=file.additions,
        deletions=file.deletions,
        hunks=hunks,
        previous_path=file.previous_path,
        kind="submodule" if _is_submodule(hunks) else _kind(file),
    )


def _hunks(patch: Maybe[str] | None) -> Maybe[tuple[DiffHunk, ...]]:
    if patch is None:
        return UNASKED
    return patch if isinstance(patch, Unknown) else parse_hunks(patch)


def _kind(file: FileChange) -> str:
    """A file of which no line was counted and that has no text is no text, as far as forges tell."""
    blank = isinstance(file.patch, Unknown) and not file.additions and not file.deletions
    return "binary" if blank and file.status != "renamed" else "text"


def _is_submodule(hunks: Maybe[tuple[DiffHunk, ...]]) -> bool:
    lines = [line for hunk in hunks for line in hunk.lines] if isinstance(hunks, tuple) else []
    return bool(lines) and all(line.text.startswith("Subproject commit ") for line in lines)
