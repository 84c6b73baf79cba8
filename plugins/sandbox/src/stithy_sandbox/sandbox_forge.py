"""The sandbox: all capabilities over one world, and its repositories as bare repositories on disk, for git to read."""

import zlib
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from weakref import finalize

from stithy_core.spi import Forge, ForgeConfig, Http, RepositoryRef, Version
from stithy_sandbox.capabilities.code_capabilities import SandboxChanges, SandboxChecks
from stithy_sandbox.capabilities.conversation_capabilities import (
    SandboxComments,
    SandboxIdentity,
    SandboxIssues,
    SandboxPullRequests,
    SandboxReviews,
    SandboxRules,
    SandboxThreads,
)
from stithy_sandbox.sample import create_sample_world
from stithy_sandbox.world import World
from stithy_sandbox.world.git_objects import GitObject, create_commit_object, iterate_objects
from stithy_sandbox.world.history import Snapshot
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.views import find_ends
from stithy_sandbox.world.world_records import Pull

GIT_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n[uploadpack]\n\tallowFilter = true\n"


class Sandbox(Forge):
    """A forge in memory; it never uses `http`. A test may replace its `world`."""

    capabilities = (
        SandboxIssues,
        SandboxPullRequests,
        SandboxComments,
        SandboxReviews,
        SandboxThreads,
        SandboxChanges,
        SandboxChecks,
        SandboxRules,
        SandboxIdentity,
    )

    def __init__(self, config: ForgeConfig, http: Http) -> None:
        super().__init__(config, http)
        self._folder: Path | None = None

    @cached_property
    def world(self) -> World:
        """What the forge holds; at first the sample data."""
        return create_sample_world(self.config.url)

    async def identify(self) -> Version:
        """Return the plugin's own version."""
        return Version("sandbox", version("stithy-sandbox"))

    def now(self) -> datetime:
        """Return the world's time in UTC: it has a clock of its own."""
        return self.world.now()

    def write_bare(self, repository: RepositoryRef) -> Path:
        """Write a repository to a folder for git to read, and return its path; it is removed with this process."""
        if self._folder is None:
            self._folder = Path(mkdtemp(prefix="stithy-sandbox-"))
            finalize(self, rmtree, self._folder, ignore_errors=True)
        return _write_bare_repository(self.world, repository, self._folder)


def _write_bare_repository(store: Store, repository: RepositoryRef, folder: Path) -> Path:
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
    (bare / "config").write_text(GIT_CONFIG)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    for snapshot in record.history.snapshots.values():
        _write_commit(bare, snapshot)
    pulls = [one for one in record.conversations.values() if isinstance(one, Pull)]
    heads = {f"refs/heads/{branch}": sha for branch, sha in record.history.branches.items()}
    tips = {f"refs/pull/{one.subject.ref.number}/head": find_ends(store, one)[1].sha for one in pulls}
    lines = [f"{sha} {ref}\n" for ref, sha in sorted((heads | tips).items())]
    (bare / "packed-refs").write_text("".join(["# pack-refs with: sorted \n", *lines]), encoding="utf-8")
    return bare


def _write_commit(bare: Path, snapshot: Snapshot) -> None:
    if _object_path(bare, snapshot.sha).exists():
        return
    for one in _iterate_commit_objects(snapshot):
        place = _object_path(bare, one.sha)
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(zlib.compress(one.content))


def _iterate_commit_objects(snapshot: Snapshot) -> Iterator[GitObject]:
    """Iterate over the objects of a commit, the commit last: if it exists on disk, all its objects do."""
    yield from iterate_objects(snapshot.tree)
    yield create_commit_object(
        snapshot.tree,
        parents=snapshot.parents,
        author=snapshot.author,
        at=snapshot.at,
        message=snapshot.message,
    )


def _object_path(bare: Path, sha: str) -> Path:
    return bare / "objects" / sha[:2] / sha[2:]
