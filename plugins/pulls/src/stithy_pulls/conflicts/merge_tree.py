"""Merge two commits without a working tree, by `git merge-tree` (https://git-scm.com/docs/git-merge-tree)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from attrs import Factory, frozen

from stithy_pulls.git.git_errors import create_git_error
from stithy_pulls.git.git_repository import OID, GitRepository

CONFLICTING = 1
UNRELATED = "refusing to merge unrelated histories"
UNFETCHED = "promisor remote"


class FileVersion(NamedTuple):
    """A file on one side of a merge: its mode in octal, and its object id."""

    mode: str
    oid: str


@frozen
class MergeMessage:
    """One of git's messages: the paths it is about, its type and its text."""

    paths: tuple[str, ...]
    kind: str
    text: str


@frozen
class MergeResult:
    """The result of a merge.

    Args:
        clean: Whether the merge has no conflict, by git's exit status: some conflicts list no file.
        tree: The id of the tree that git wrote, with conflict markers in its files.
        stages: By path and stage (1 the common ancestor, 2 ours, 3 theirs), the versions in conflict.
        records: Git's messages.
        refused: Why git refuses to merge the two commits; empty if it does not.
    """

    clean: bool
    tree: str = ""
    stages: Mapping[str, Mapping[int, FileVersion]] = Factory(dict)
    records: Sequence[MergeMessage] = ()
    refused: str = ""


class PartialFetchUnsupported(Exception):
    """The server does not support partial fetches, so git cannot fetch a missing file."""


async def merge_commits(repository: GitRepository, ours: str, theirs: str, *, immutable: bool = False) -> MergeResult:
    """Merge one commit into another.

    Args:
        repository: A repository with both commits.
        ours: The ref of the side that is merged into. Git writes this name into conflict markers.
        theirs: The ref of the side that is merged.
        immutable: Whether both are ids of commits that exist: the result is kept then.

    Raises:
        GitError: A commit does not exist, or git failed.
        PartialFetchUnsupported: A file is missing, and the server does not support partial fetches.
    """
    words = ("merge-tree", "--write-tree", "-z", "--messages", ours, theirs)
    output = await repository.git(*words, network=True, allowed_codes=range(256), time_factor=10, immutable=immutable)
    head, _, rest = output.stdout.partition(b"\0")
    tree = head.decode(errors="replace")
    if output.exit_code in {0, CONFLICTING} and OID.fullmatch(
        tree
    ):  # git exits with 1 for an unknown ref, too, but prints no tree
        stages, records = parse_merge_output(rest)
        return MergeResult(output.exit_code == 0, tree, stages, records)
    if UNRELATED in output.stderr:
        return MergeResult(
            clean=False, refused="git refuses to merge unrelated histories: the two branches have no common commit"
        )
    if UNFETCHED in output.stderr and repository.lazy:
        raise PartialFetchUnsupported
    raise create_git_error("merge", output.exit_code, output.stderr)


def parse_merge_output(rest: bytes) -> tuple[dict[str, dict[int, FileVersion]], list[MergeMessage]]:
    """Parse the output after the tree: files in conflict, an empty field, then messages.

    Returns:
        The versions by path and stage, and the messages.
    """
    fields = [field.decode(errors="surrogateescape") for field in rest.split(b"\0")]
    stages: dict[str, dict[int, FileVersion]] = {}
    end = fields.index("") if "" in fields else len(fields)
    for field in fields[:end]:
        entry, _, path = field.partition("\t")
        mode, oid, stage = entry.split(" ")
        stages.setdefault(path, {})[int(stage)] = FileVersion(mode, oid)
    return stages, list(_parse_messages(iter(fields[end + 1 :])))


def _parse_messages(fields: Iterator[str]) -> Iterator[MergeMessage]:
    """Yield messages, each as `n`, n paths, a type and a text. Advice about submodules may follow as free text."""
    for count in fields:
        if not count.isascii() or not count.isdecimal():
            return
        paths = tuple(next(fields, "") for _ in range(int(count)))
        kind, text = next(fields, ""), next(fields, "")
        yield MergeMessage(paths, kind, text.rstrip("\n"))
