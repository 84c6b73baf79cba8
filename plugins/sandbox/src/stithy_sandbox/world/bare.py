"""Repositories of a world as bare repositories on disk, for git to read."""

import zlib
from collections.abc import Iterator
from pathlib import Path

from stithy_core.spi import RepositoryRef
from stithy_sandbox.world.history import Snapshot
from stithy_sandbox.world.objects import GitObject, commit_object, objects_of
from stithy_sandbox.world.records import Pull
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import ends

CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[uploadpack]\n\tallowFilter = true\n"


def write_bare(store: Store, repository: RepositoryRef, folder: Path) -> Path:
    """Write or update a bare repository with its branches and `refs/pull/<number>/head`, and return its path.

    Args:
        store: The world.
        repository: The repository.
        folder: The parent folder.
    """
    record = store.repository(repository)
    bare = folder / record.ref.namespace / f"{record.ref.name}.git"
    for name in ("objects", "refs/heads"):
        (bare / name).mkdir(parents=True, exist_ok=True)
    (bare / "config").write_text(CONFIG)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    for snapshot in record.history.snapshots.values():
        _keep(bare, snapshot)
    pulls = [one for one in record.conversations.values() if isinstance(one, Pull)]
    heads = {f"refs/heads/{branch}": sha for branch, sha in record.history.branches.items()}
    tips = {f"refs/pull/{one.subject.ref.number}/head": ends(store, one)[1].sha for one in pulls}
    lines = [f"{sha} {ref}\n" for ref, sha in sorted((heads | tips).items())]
    (bare / "packed-refs").write_text("".join(["# pack-refs with: sorted \n", *lines]), encoding="utf-8")
    return bare


def _keep(bare: Path, snapshot: Snapshot) -> None:
    if _place(bare, snapshot.sha).exists():
        return
    for one in _objects(snapshot):
        place = _place(bare, one.sha)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(zlib.compress(one.content))


def _objects(snapshot: Snapshot) -> Iterator[GitObject]:
    """Iterate over the objects of a commit, the commit last: if it exists on disk, all its objects do."""
    yield from objects_of(snapshot.tree)
    yield commit_object(
        snapshot.tree,
        parents=snapshot.parents,
        author=snapshot.author,
        at=snapshot.at,
        message=snapshot.message,
    )


def _place(bare: Path, sha: str) -> Path:
    return bare / "objects" / sha[:2] / sha[2:]
