"""Forges that keep the heads of pull requests in other places: other refs than Gitea's, or no ref at all.

Each is the double of `git_forge` with another `head_ref`; `move_heads` moves the refs in its repositories accordingly.
"""

from types import ModuleType
from typing import Any

from git_forge import Workshop, git

from stithy_core.plugins import Entry
from stithy_core.plugins.installed_plugins import scan_plugins
from stithy_core.spi import Contribution, ForgeKind, PullRequest, hookimpl
from stithy_gitea.forge import Gitea


class MergeRequestForge(Gitea):
    """Keeps heads under another name, as GitLab does."""

    def head_ref(self, pull: PullRequest) -> str | None:
        """Return a ref of a merge request."""
        return f"refs/merge-requests/{pull.ref.number}/head"


class ChangeForge(Gitea):
    """Has no branches for changes: the ref depends on the patch set, as Gerrit's does."""

    def head_ref(self, pull: PullRequest) -> str | None:
        """Return the ref of the current patch set, which the record has as its branch."""
        return pull.head.branch

    def push_ref(self, pull: PullRequest) -> str | None:
        """Return the ref that makes each commit a new patch set."""
        return f"refs/for/{pull.base.branch}"


class BranchForge(Gitea):
    """Keeps no ref of a pull request, as Bitbucket Cloud and Azure DevOps."""

    def head_ref(self, pull: PullRequest) -> str | None:
        """Return None."""
        return None


class SpacedForge(Gitea):
    """Returns a ref that git does not accept."""

    def head_ref(self, pull: PullRequest) -> str | None:
        """Return a ref with a space."""
        return f"refs/merge requests/{pull.ref.number}/head"


SHAPES: dict[str, type[Gitea]] = {
    "merge-requests": MergeRequestForge,
    "changes": ChangeForge,
    "branches": BranchForge,
    "forks": BranchForge,
    "spaced": SpacedForge,
}


def list_entries() -> list[Entry]:
    """Return the installed plugins, and one with a forge kind for each shape."""
    kinds = [ForgeKind(name=name, title=name, forge=forge) for name, forge in SHAPES.items()]
    module: Any = ModuleType("stithy_shapes")
    module.STITHY_API = 1
    module.stithy_forges = hookimpl(lambda: kinds)
    return [*scan_plugins(), Entry(Contribution("stithy-shapes", "1.0", "shapes"), load=lambda: module)]


def move_heads(shop: Workshop, shape: str) -> None:
    """Move the head of each pull request to where a forge of the shape keeps it.

    With `changes` there are no branches; with `forks`, they are in `guest/anvil`. Both have main as the only target.
    """
    if shape == "forks":
        fork_repository(shop)
    for number, row in shop.pulls.items():
        head, branch = row["head"], row["head"]["ref"]
        git(shop.bare, "update-ref", "-d", f"refs/pull/{number}/head")
        if shape == "merge-requests":
            git(shop.bare, "update-ref", f"refs/merge-requests/{number}/head", head["sha"])
        elif shape == "changes":
            ref = f"refs/changes/{number % 100:02}/{number}/1"
            git(shop.bare, "update-ref", ref, head["sha"])
            row["head"] = head | {"ref": ref}
        elif shape == "forks":
            row["head"] = head | {"repo": {"full_name": "guest/anvil", "archived": False}}
        if shape in {"changes", "forks"}:
            row["base"] = row["base"] | {"ref": "main", "sha": git(shop.bare, "rev-parse", "main")}
            git(shop.bare, "update-ref", "-d", f"refs/heads/{branch}")
    git(shop.bare, "gc", "-q", "--prune=now")


def fork_repository(shop: Workshop) -> None:
    """Copy the repository to `guest/anvil`, which accepts pushes."""
    fork = find_fork(shop)
    git(shop.bare.parent, "clone", "-q", "--bare", str(shop.bare), str(fork))
    for name in ("uploadpack.allowFilter", "uploadpack.allowAnySHA1InWant", "http.receivepack"):
        git(fork, "config", name, "true")


def find_fork(shop: Workshop) -> Any:
    """Return the folder of the fork."""
    return shop.bare.parent.parent / "guest" / "anvil.git"


def delete_branch(shop: Workshop, branch: str, *, fork: bool = False) -> None:
    """Delete a branch, and the commits that only it has."""
    bare = find_fork(shop) if fork else shop.bare
    git(bare, "update-ref", "-d", f"refs/heads/{branch}")
    git(bare, "reflog", "expire", "--expire=now", "--all")
    git(bare, "gc", "-q", "--prune=now")
