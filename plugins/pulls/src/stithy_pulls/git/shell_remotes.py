"""What commands for a person's clone share: no remote is sure to be called `origin`, and no ref to be current."""

import shlex
from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import Forge, RepositoryRef, StithyError


@frozen
class ShellRemote:
    """A repository that git reads or writes: its name on the forge, and its URL there; empty where nobody gives it."""

    repository: str
    url: str

    def to_shell(self) -> str:
        """Return an expression of a shell: the remote of the clone that has this repository, else its URL.

        A person's own remote may be called as they like, and may be one that their keys let in.
        """
        pattern = shlex.quote(f"[/:]{self.repository.replace('.', '[.]')}([.]git)?/?$")
        find = (
            f"git config --get-regexp '^remote[.].*[.]url$' {pattern} | sed -n '1s/^remote[.]\\(.*\\)[.]url .*/\\1/p'"
        )
        return f'"$({find} | grep . || echo {shlex.quote(self.url or f"<{self.repository}>")})"'


def format_fetch_line(remote: ShellRemote, refs: Sequence[str], commits: Sequence[str], *options: str) -> str:
    """Return a line that fetches refs, and fails where the clone has not all of the commits then.

    A forge moves `refs/pull/N/head` some time after a push: steps that used what it has would drop the last push.

    Args:
        remote: The repository.
        refs: Refs or refspecs.
        commits: The SHAs that the following steps name.
        options: Words for git fetch.
    """
    line = f"git fetch {shlex.join(('--no-tags', *options))} {remote.to_shell()} {shlex.join(refs)}"
    late = (
        "The forge does not give a commit that its API names: it is still processing a push, or a branch was rewritten."
        " Run this line again in some seconds; if it fails again, ask for the steps again."
    )
    check = f"git rev-list --no-walk --quiet {' '.join(commits)}"
    return f"{line} && ({check} || {format_stop(late)})" if commits else line


def format_stop(text: str) -> str:
    """Return what ends a subshell with a text; a person's own shell must go on."""
    return f"{{ echo {shlex.quote(text)} >&2; exit 1; }}"


async def find_remote(forge: Forge, repository: RepositoryRef) -> ShellRemote:
    """Return where git finds a repository; its URL is empty where the settings do not let the forge name it."""
    try:
        return ShellRemote(str(repository), (await forge.changes.git(repository)).url)
    except StithyError:
        return ShellRemote(str(repository), "")
