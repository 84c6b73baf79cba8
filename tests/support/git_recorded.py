"""A server's API and its git, live or as both were recorded: a cassette, and beside it a bundle of its branches.

A recording of a question has the API's answers and all that git could have fetched then, so that stithy's own git
fetches it again from a real `git http-backend`.
"""

import os
from contextlib import contextmanager
from urllib.parse import urlsplit

from attrs import evolve
from git_forge import Handler, git, serving
from lab import CASSETTES, recorded, tape_of

REFS = ("refs/heads/*", "refs/pull/*/head")


@contextmanager
def answering(lab, server, name):
    """Give a lab whose server answers as it does now, which is recorded if wanted, or as it did then.

    Args:
        lab: The repository.
        server: The folder of the recording, or which live server.
        name: Of the recording.
    """
    if lab.live:
        _keep(lab, name)
        with recorded(lab, name):
            yield lab
        return
    tape = tape_of(server, name)
    served = lab.folder / name
    git(lab.folder, "clone", "-q", "--mirror", str(bundle_of(server, name)), str(served / f"{lab.repository}.git"))
    with serving(served, handler=_player(tape, server)) as found:
        yield evolve(lab, url=found.url)
    assert not tape.missed


def bundle_of(server, name):
    """Give where the branches of a recording are."""
    return CASSETTES / server / f"{name}.bundle"


def address_of(lab):
    """Give where git reads and writes a live repository."""
    place = urlsplit(lab.url)
    path = f"{place.path}/{lab.repository}.git"
    return place._replace(netloc=f"{lab.owner}:{lab.token}@{place.netloc}", path=path).geturl()


def _keep(lab, name):
    if not (server := os.environ.get("STITHY_RECORD")):
        return
    copy = lab.folder / f"{name}.git"
    git(lab.folder, "init", "-q", "--bare", str(copy))
    git(copy, "fetch", "-q", address_of(lab), *(f"{ref}:{ref}" for ref in REFS))
    git(copy, "bundle", "create", "-q", str(bundle_of(server, name)), "--all")


def _player(tape, server):
    class Player(Handler):
        """Plays the API back; what git asks is answered from the repository."""

        def do_GET(self):  # noqa: N802 -- the name http.server looks for
            path, _, query = self.path.partition("?")
            if not path.startswith("/api/"):
                return self.backend(path, query)
            exchange = tape.play(self.command, self.path, b"").at({f"https://{server}.example": self.server.served.url})
            return self.give(exchange.status, exchange.headers, exchange.body)

        do_POST = do_GET

    return Player
