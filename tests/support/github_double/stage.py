"""A test's world: served by the double where it is installed, else played back from a recording.

`STITHY_RECORD=github` records what stithy sends into `cassettes/github`, a file a test.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import httpx
import pytest
from attrs import frozen

from github_double import contract
from github_double.answering import Double
from github_double.graph import schema
from github_double.records import Repository
from github_double.requests import GRAPHQL
from github_double.scene import conformance
from github_double.server import running
from github_double.world import World
from stithy_core.spi import IssueRef, PullRequestRef, RepositoryRef
from stithy_testing import Tape, playback
from stithy_testing.cassette_recorder import record_cassette
from stithy_testing.cassettes import build_key

FOLDER = "github"
HOST, STORAGE = "github.example", "storage.github.example"
CASSETTES = Path(__file__).parents[3] / "cassettes" / FOLDER
PATIENCE = 0.03
LARGEST = 400_000
"""The largest recording in bytes; a test that needs more reads many pages, and needs the double itself."""
SENT = ("authorization", "accept", "content-type", "x-github-api-version")
MISSING = "it needs GitHub's published description: make contract"


@frozen(kw_only=True)
class Served:
    """A server of a world; `double` is None for a recording, whose state a test cannot read."""

    url: str
    world: World
    double: Double | None = None


def is_installed() -> bool:
    """Return whether the packages of `make contract` are installed."""
    return contract.is_installed() and schema.is_installed()


def recording_of(request: pytest.FixtureRequest, folder: str = "") -> str:
    """Return the name of a test's recording; empty where none is kept, since the test reads the double's state."""
    if request.node.get_closest_marker("contract") is not None:
        return ""
    test = re.sub(r"\btest_", "", f"{folder} {request.node.path.stem} {request.node.name}")
    return re.sub(r"[^a-z0-9]+", "-", test.lower()).strip("-")


@contextmanager
def serving(name: str, world: World) -> Iterator[Served]:
    """Serve a world, which is equal in each run of the test.

    Args:
        name: The recording's name; empty where none is kept.
        world: The data of the responses.
    """
    path = CASSETTES / f"{name}.yaml"
    if is_installed():
        with running(world) as double, _record(path, double) if name else nullcontext():
            yield Served(url=double.url, world=world, double=double)
        return
    if not path.exists():
        pytest.skip(MISSING)
    tape = Tape.read([path])
    with playback(tape, hosts=(HOST, STORAGE)) as url:
        yield Served(url=url, world=world)
    assert not tape.missed


@contextmanager
def _record(path: Path, double: Double) -> Iterator[None]:
    if os.environ.get("STITHY_RECORD") != FOLDER:
        yield
        return
    # A recording holds whole responses, never a 304, and every concurrent request.
    double.validators, double.patience = False, PATIENCE
    with record_cassette(path, url=double.url, host=HOST, others={double.storage: STORAGE}) as cassette:
        yield
        ask_again(double, {build_key(kept.method, kept.uri, kept.body) for kept in cassette.requests})
    if not path.exists():
        path.write_text("interactions: []\nversion: 1\n")
    elif path.stat().st_size > LARGEST:
        path.unlink()


def ask_again(double: Double, kept: set[Any]) -> None:
    """Repeat requests that stithy sent without awaiting the response; the next time it may await them."""
    for asked in list(double.asked):
        reading = asked.reads or (asked.path == GRAPHQL and b"mutation" not in asked.body)
        if reading and build_key(asked.method, asked.path + asked.tail, asked.body) not in kept:
            headers = {name: asked.headers[name] for name in SENT if name in asked.headers}
            httpx.request(asked.method, f"{double.url}{asked.path}{asked.tail}", headers=headers, content=asked.body)


@contextmanager
def stage_of(name: str) -> Iterator[tuple[Served, dict[str, Any]]]:
    """Serve the world of the conformance kit; yield the server and all fields of its stage but the forge."""
    scene = conformance()
    repository, former = ref_of(scene.repository), RepositoryRef(scene.world.user.login, "before-conformance")
    fields = {
        "author": scene.world.user.login,
        "token": scene.world.token,
        "other_token": scene.world.other_token,
        "other_author": scene.world.other_user.login,
        "repository": repository,
        "absent": RepositoryRef(scene.world.user.login, "absent"),
        "former": former,
        "archived": IssueRef(ref_of(scene.archived.repository), scene.archived.number),
        "run": str(scene.run.id),
        "issue": IssueRef(repository, scene.issue.number),
        "closed": IssueRef(repository, scene.closed.number),
        "pr": PullRequestRef(repository, scene.pull.number),
        "merged": PullRequestRef(repository, scene.merged.number),
        "draft": PullRequestRef(repository, scene.draft.number),
    }
    with serving(f"conformance-{name}", scene.world) as served:
        yield served, fields


def ref_of(repository: Repository) -> RepositoryRef:
    return RepositoryRef(repository.owner.login, repository.name)
