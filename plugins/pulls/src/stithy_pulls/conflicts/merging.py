"""A merge without a working tree, and what git says of it (git-merge-tree(1))."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from attrs import Factory, frozen

from stithy_pulls.git.faults import failed
from stithy_pulls.git.repository import OID, Repository

CONFLICTING = 1
UNRELATED = "refusing to merge unrelated histories"
UNFETCHED = "promisor remote"


class Side(NamedTuple):
    """A file on one side, as git has it: its mode in octal and its object."""

    mode: str
    oid: str


@frozen
class Record:
    """One of git's own messages: which paths it is about, its type and its text."""

    paths: tuple[str, ...]
    kind: str
    text: str


@frozen
class Merged:
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
    stages: Mapping[str, Mapping[int, Side]] = Factory(dict)
    records: Sequence[Record] = ()
    refused: str = ""


class Unfetched(Exception):
    """The server does not give single files."""


async def merge(repository: Repository, ours: str, theirs: str) -> Merged:
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
        stages, records = parse(rest)
        return Merged(ran.code == 0, tree, stages, records)
    if UNRELATED in ran.said:
        return Merged(clean=False, refused="the two have no commit in common: git refuses to merge unrelated histories")
    if UNFETCHED in ran.said and repository.lazy:
        raise Unfetched
    raise failed("merge", ran.code, ran.said)


def parse(rest: bytes) -> tuple[dict[str, dict[int, Side]], list[Record]]:
    """Read what stands behind the tree: files in conflict, an empty field, messages."""
    fields = [field.decode(errors="surrogateescape") for field in rest.split(b"\0")]
    stages: dict[str, dict[int, Side]] = {}
    end = fields.index("") if "" in fields else len(fields)
    for field in fields[:end]:
        told, _, path = field.partition("\t")
        mode, oid, stage = told.split(" ")
        stages.setdefault(path, {})[int(stage)] = Side(mode, oid)
    return stages, list(_records(iter(fields[end + 1 :])))


def _records(fields: Iterator[str]) -> Iterator[Record]:
    """Read `n`, n paths, type and text, again and again; advice on submodules follows the last one as free text."""
    for count in fields:
        if not count.isascii() or not count.isdecimal():
            return
        paths = tuple(next(fields, "") for _ in range(int(count)))
        kind, text = next(fields, ""), next(fields, "")
        yield Record(paths, kind, text.rstrip("\n"))
