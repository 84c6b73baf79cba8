"""Shell words for the remotes of a user's clone: no remote is surely called `origin`, and no ref is surely current."""

import re
import shlex
from collections.abc import Mapping, Sequence
from urllib.parse import quote

from attrs import frozen

from stithy_core.spi import Forge, PullRequest, RepositoryRef, StithyError


@frozen
class ShellRemote:
    """A repository that git reads or writes.

    Args:
        repository: Its name on the forge.
        url: Its URL; empty if it is unknown.
        paths: The ends of the URLs by which a clone may know it, such as `project/repo` and `project/_git/repo`.
    """

    repository: str
    url: str
    paths: tuple[str, ...]

    def to_shell(self) -> str:
        """Return a shell expression: the clone's remote for this repository, or else its URL.

        A user's own remote may have any name, and may use the user's SSH key.
        """
        paths = "|".join(re.sub(r"[].^$*+?(){}|[\\]", r"\\\g<0>", path) for path in self.paths)
        pattern = shlex.quote(f"[/:]({paths})([.]git)?/?$")
        find = (
            f"git config --get-regexp '^remote[.].*[.]url$' {pattern} | sed -n '1s/^remote[.]\\(.*\\)[.]url .*/\\1/p'"
        )
        return f'"$({find} | grep . || echo {shlex.quote(self.url or f"<{self.repository}>")})"'


@frozen
class PushTarget:
    """Where a new head of a pull request is pushed: a repository, and the full ref (`Forge.push_ref`)."""

    remote: ShellRemote
    ref: str

    @property
    def is_branch(self) -> bool:
        """Whether it is the branch of the pull request. Otherwise each commit is a new version of a pull request."""
        return self.ref.startswith("refs/heads/")


DEEPEN = ' $([ "$(git rev-parse --is-shallow-repository)" = false ] || echo --unshallow)'
"""An option of git fetch that a shallow clone needs; a clone with the whole history refuses it."""


def format_fetch_line(
    fetches: Mapping[ShellRemote, Sequence[str]], commits: Sequence[str], *options: str, deepen: bool = False
) -> str:
    """Return a line that fetches refs, and fails if the clone does not have all of the commits then.

    A forge moves the ref of a pull request some time after a push. Steps that used the old commit would drop the last
    push.

    Args:
        fetches: Refs, SHAs or refspecs by repository.
        commits: The SHAs that the following steps name.
        options: Options of git fetch.
        deepen: Whether a shallow clone gets the whole history of what is fetched.
    """
    words = shlex.join(("--no-tags", *options)) + (DEEPEN if deepen else "")
    line = " && ".join(f"git fetch {words} {remote.to_shell()} {shlex.join(refs)}" for remote, refs in fetches.items())
    late = (
        "The forge does not serve a commit that its API names: it is still processing a push, or a branch was"
        " rewritten. Run this line again in some seconds; if it fails again, request the steps again."
    )
    check = f"git rev-list --no-walk --quiet {' '.join(commits)}"
    return f"{line} && ({check} || {format_stop(late)})" if commits else line


def format_stop(text: str) -> str:
    """Return shell code that prints a text and leaves a subshell with status 1; the user's own shell continues."""
    return f"{{ echo {shlex.quote(text)} >&2; exit 1; }}"


async def find_push_target(forge: Forge, pull: PullRequest) -> PushTarget | None:
    """Return where a new head of a pull request is pushed; None if it cannot be updated."""
    ref, repository = forge.push_ref(pull), pull.head.repository
    return PushTarget(await find_remote(forge, repository), ref) if ref and repository else None


async def find_remote(forge: Forge, repository: RepositoryRef) -> ShellRemote:
    """Return the remote of a repository. Its URL is empty if the settings do not allow the forge to name it."""
    name = str(repository)
    paths = tuple(dict.fromkeys((name, quote(name), forge.names.format_repository_path(repository))))
    try:
        return ShellRemote(name, (await forge.changes.git(repository)).url, paths)
    except StithyError:
        return ShellRemote(name, "", paths)
