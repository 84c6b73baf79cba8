"""Statuses and jobs of a commit, on real servers whose workflow a runner really ran (tests/support/runner.py)."""

import base64
import io
import zipfile

import pytest
from runner import Runner
from worlds import forge_of, pull_request_of, repository_of

from stithy_core.spi import Forbidden, NotFound, Unknown, Unsupported, Verdict

pytestmark = pytest.mark.anyio

WORLD = "checks"
WORKFLOW = """\
name: tests
on:
  pull_request:
  workflow_dispatch:
jobs:
  unit:
    runs-on: host
    steps:
      - {name: begin, run: echo collected 2 items}
      - {name: pytest, run: "echo FAILED test_basket.py::test_total; exit 1"}
  lint:
    runs-on: host
    steps:
      - {name: lint, run: "echo clean; echo done > $ARTIFACT"}
  after:
    needs: unit
    runs-on: host
    steps:
      - {run: echo never}
"""


def make(lab):
    content = base64.b64encode(WORKFLOW.encode()).decode()
    change = {"content": content, "message": "Test", "branch": "main", "new_branch": "basket"}
    made = lab.setup("POST", f"/repos/{lab.repository}/contents/.gitea/workflows/tests.yml", change)
    commit = made.json()["commit"]["sha"]
    lab.setup("POST", f"/repos/{lab.repository}/pulls", {"title": "Basket", "head": "basket", "base": "main"})
    registration = lab.setup("POST", f"/repos/{lab.repository}/actions/runners/registration-token").json()["token"]
    Runner(lab.url, registration).work(2)
    status = f"/repos/{lab.repository}/statuses/{commit}"
    for word in ("pending", "success", "error", "failure", "warning", "skipped", "banana"):
        lab.setup("POST", status, {"state": word, "context": f"ci {word}", "description": f"It is {word}"})
    lab.setup("POST", status, {"state": "success", "context": "ci pending", "target_url": "https://ci.example/1"})
    parent = lab.setup("GET", f"/repos/{lab.repository}/branches/main").json()["commit"]["id"]
    for number in range(51):
        lab.setup("POST", f"/repos/{lab.repository}/statuses/{parent}", {"state": "success", "context": f"{number:02}"})


async def test_x(world):
    async with forge_of(world) as forge:
        r, pr = repository_of(world), pull_request_of(world)
        head = (await forge.pull_requests.get(pr)).head.commit
        for f in await forge.checks.of(r, head): print(f)
        for f in await forge.checks.runs(r, head):
            print(f)
            for j in await forge.checks.jobs(r, f.id):
                print(j)
                try: print(b"".join([p async for p in forge.checks.log(r, j.id)]))
                except Exception as e: print(repr(e))
            for a in await forge.checks.artifacts(r, f.id):
                print(a)
                print(b"".join([p async for p in forge.checks.artifact(r, a.id)]))
        for x in ("999999", "abc"):
            for what in ("jobs", "artifacts"):
                try: print(await getattr(forge.checks, what)(r, x))
                except Exception as e: print(what, x, repr(e))
            for what in ("log", "artifact"):
                try: print([p async for p in getattr(forge.checks, what)(r, x)])
                except Exception as e: print(what, x, repr(e))
    async with forge_of(world, token=world.stranger_token) as forge:
        print("READER")
        for f in await forge.checks.of(r, head): print(f)
        x = await forge.checks.runs(r, head); print(x.cut, x.items)
        try: print(await forge.identity.me())
        except Exception as e: print(repr(e), e.suggestion)
    assert 0
