"""Worlds that a test module makes once on a live server, and that its tests only read.

A module says `WORLD`, the repository's name, and `make`, which fills it. Each test has a recording of its own,
`WORLD-NAME.yaml`; on a recording the world is only named.
"""

import os
import re
from contextlib import asynccontextmanager, nullcontext

import attrs
import httpx
import pytest
from lab import CASSETTES, LIVE, RECORDED, STRANGER, Lab

from stithy_core.spi import PullRequestRef, RepositoryRef
from stithy_core.testing import Tape, make_app, playback
from stithy_core.testing.recording import recording


@pytest.fixture(scope="module", params=[*RECORDED, *(pytest.param(name, marks=pytest.mark.live) for name in LIVE)])
def server(request, tmp_path_factory):
    """The module's world, on each recorded server and on each live one."""
    folder, name = tmp_path_factory.mktemp("world"), request.module.WORLD
    if request.param in RECORDED:
        yield request.param, Lab("", name, folder)
        return
    url, token = (os.environ[f"STITHY_LIVE_{request.param}_{word}"] for word in ("URL", "TOKEN"))
    me = httpx.get(f"{url}/api/v1/user", headers={"Authorization": f"token {token}"}).raise_for_status()
    lab = Lab(url.rstrip("/"), name, folder, token=token, owner=me.json()["login"], live=True)
    lab.delete()
    lab.setup("POST", "/user/repos", {"name": name, "auto_init": True, "default_branch": "main"})
    lab.make_stranger()
    request.module.make(lab)
    yield os.environ.get("STITHY_RECORD"), lab
    lab.delete()
    lab.setup("DELETE", f"/admin/users/{STRANGER}?purge=true")


@pytest.fixture
def world(request, server):
    """The module's world for one test."""
    folder, lab = server
    test = re.sub(r"\[.*", "", request.node.name).removeprefix("test_").replace("_", "-")[:50].rstrip("-")
    path = CASSETTES / (folder or "") / f"{lab.name}-{test}.yaml"
    if lab.live:
        with recording(path, url=lab.url, host=f"{folder}.example") if folder else nullcontext():
            yield lab
        return
    tape = Tape.read([path])
    with playback(tape) as url:
        yield attrs.evolve(lab, url=url)
    assert not tape.missed


@asynccontextmanager
async def forge_of(lab, *, token=None):
    """Give the forge as a tool plugin gets it; `token` for another user than the one who made the world."""
    settings = f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    app = make_app(lab.folder, settings, environ={"LAB_TOKEN": token or lab.token})
    async with app.running():
        yield app.forges.forge("lab")


def repository_of(lab):
    return RepositoryRef(lab.owner, lab.name)


def pull_request_of(lab, number=1):
    return PullRequestRef(repository_of(lab), number)
