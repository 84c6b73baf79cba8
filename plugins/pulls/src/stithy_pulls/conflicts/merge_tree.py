"""A merge without a working tree, and what git says of it (git-merge-tree(1))."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from attrs import Factory, frozen

from stithy_pulls.git.git_errors import create_git_error
from stithy_pulls.git.git_repository import OID, GitRepository

CONFLICTING = 1
UNRELATED = "refusing to merge unrelated histories"
UNFETCHED = "promisor remote"


class FileVersion(NamedTuple):
    """A file on one side, as git has it: its mode in octal and its object."""

    mode: str
    oid: str


@frozen
class MergeMessage:
    """One of git's own messages: which paths it is about, its type and its text."""

    paths: tuple[str, ...]
    kind: str
    text: str


@frozen
class MergeResult:
    """What a merge comes to.

    Args:
        clean: Whether there is no conflict; the exit status says it, since some conflicts list no file.
        tree: The tree that was written, with conflict markers in its files.
        stages: By path and stage (1 the common ancestor, 2 ours, 3 theirs), what is in conflict.
        records: Git's messages.
        refused: Why git does not merge the two at all; empty where it does.
    """

    clean: bool
    tree: str = ""
    stages: Mapping[str, Mapping[int, FileVersion]] = Factory(dict)
    records: Sequence[MergeMessage] = ()
    refused: str = ""


class PartialFetchUnsupported(Exception):
    """The server does not give single files."""


async def merge_commits(repository: GitRepository, ours: str, theirs: str) -> MergeResult:
    """Merge one commit into another.

    Args:
        repository: Which has both.
        ours: The name of the side that is merged into; git writes names into its markers as they are given.
        theirs: That of what is merged.

    Raises:
        NoGit: There is no such commit, or git failed.
        Unfetched: A file is missing, and the server does not give it.
    """
    words = ("merge-tree", "--write-tree", "-z", "--messages", ours, theirs)
    ran = await repository.git(*words, network=True, fine=range(256), times=10)
    head, _, rest = ran.out.partition(b"\0")
    tree = head.decode(errors="replace")
    if ran.code in {0, CONFLICTING} and OID.fullmatch(tree):  # an unknown ref ends with 1 as well
        stages, records = parse_merge_output(rest)
        return MergeResult(ran.code == 0, tree, stages, records)
    if UNRELATED in ran.said:
        return MergeResult(
            clean=False, refused="the two have no commit in common: git refuses to merge unrelated histories"
        )
    if UNFETCHED in ran.said and repository.lazy:
        raise PartialFetchUnsupported
    raise create_git_error("merge", ran.code, ran.said)


def parse_merge_output(rest: bytes) -> tuple[dict[str, dict[int, FileVersion]], list[MergeMessage]]:
    """Read what stands behind the tree: files in conflict, an empty field, messages."""
    fields = [field.decode(errors="surrogateescape") for field in rest.split(b"\0")]
    stages: dict[str, dict[int, FileVersion]] = {}
    end = fields.index("") if "" in fields else len(fields)
    for field in fields[:end]:
        told, _, path = field.partition("\t")
        mode, oid, stage = told.split(" ")
        stages.setdefault(path, {})[int(stage)] = FileVersion(mode, oid)
    return stages, list(_records(iter(fields[end + 1 :])))


def _records(fields: Iterator[str]) -> Iterator[MergeMessage]:
    """Read `n`, n paths, type and text, again and again; advice on submodules follows the last one as free text."""
    for count in fields:
        if not count.isascii() or not count.isdecimal():
            return
        paths = tuple(next(fields, "") for _ in range(int(count)))
        kind, text = next(fields, ""), next(fields, "")
        yield MergeMessage(paths, kind, text.rstrip("\n"))
