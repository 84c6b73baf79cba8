"""Repositories as the commands for a person's clone name them: no remote can be relied on to be called `origin`."""

import shlex

from attrs import frozen

from stithy_core.spi import Forge, RepositoryRef, StithyError


@frozen
class Remote:
    """A repository that git reads or writes: its name on the forge, and its URL there; empty where nobody gives it."""

    repository: str
    url: str

    def words(self) -> str:
        """Return an expression of a shell: the remote of the clone that has this repository, else its URL.

        A person's own remote may be called as they like, and may be one that their keys let in.
        """
        pattern = shlex.quote(f"[/:]{self.repository.replace('.', '[.]')}([.]git)?/?$")
        find = (
            f"git config --get-regexp '^remote[.].*[.]url$' {pattern} | sed -n '1s/^remote[.]\\(.*\\)[.]url .*/\\1/p'"
        )
        return f'"$({find} | grep . || echo {shlex.quote(self.url or f"<{self.repository}>")})"'


async def remote_of(forge: Forge, repository: RepositoryRef) -> Remote:
    """Return where git finds a repository; its URL is empty where the settings do not let the forge name it."""
    try:
        return Remote(str(repository), (await forge.changes.git(repository)).url)
    except StithyError:
        return Remote(str(repository), "")
