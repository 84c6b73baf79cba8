"""A server's API and its git, live or as both were recorded: a cassette, and beside it a bundle of its branches.

A recording holds the API's responses and all branches of that time, so that stithy's own git fetches them again from
a real `git http-backend`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from attrs import evolve
from git_forge import Handler, git, serving
from lab import CASSETTES, Lab, record_calls, tape_of

from stithy_testing import Tape

REFS = ("refs/heads/*", "refs/pull/*/head")


@contextmanager
def open_lab(lab: Lab, server: str, name: str) -> Iterator[Lab]:
    """Yield a lab on a live server, recording it on demand, or on a recorded server.

    Args:
        lab: The repository.
        server: The folder of the recording, or which live server.
        name: The recording's name.
    """
    if lab.live:
        _keep(lab, name)
        with record_calls(lab, name):
            yield lab
        return
    tape = tape_of(server, name)
    served = lab.folder / name
    git(lab.folder, "clone", "-q", "--mirror", str(bundle_path(server, name)), str(served / f"{lab.repository}.git"))
    with serving(served, handler=_player(tape, server)) as found:
        yield evolve(lab, url=found.url)
    assert not tape.missed, tape.missed


def bundle_path(server: str, name: str) -> Path:
    """Return the path of a recording's bundle of branches."""
    return CASSETTES / server / f"{name}.bundle"


def clone_url(lab: Lab) -> str:
    """Return the URL, with credentials, of a live repository for git."""
    place = urlsplit(lab.url)
    path = f"{place.path}/{lab.repository}.git"
    return place._replace(netloc=f"{lab.owner}:{lab.token}@{place.netloc}", path=path).geturl()


def _keep(lab: Lab, name: str) -> None:
    if not (server := os.environ.get("STITHY_RECORD")):
        return
    copy = lab.folder / f"{name}.git"
    git(lab.folder, "init", "-q", "--bare", str(copy))
    git(copy, "fetch", "-q", clone_url(lab), *(f"{ref}:{ref}" for ref in REFS))
    git(copy, "bundle", "create", "-q", str(bundle_path(server, name)), "--all")


def _player(tape: Tape, server: str) -> type[Handler]:
    class Player(Handler):
        """Plays the API back, and serves git's requests from the repository."""

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            if not path.startswith("/api/"):
                return self.backend(path, query)
            exchange = tape.play(self.command, self.path, b"").replace_urls(
                {f"https://{server}.example": self.served.url}
            )
            return self.give(exchange.status, exchange.headers, exchange.body)

        do_POST = do_GET

    return Player
