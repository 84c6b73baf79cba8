"""The files of a commit, as far as the server puts them on one page; its answers are those of its source."""

import json

import pytest

from stithy_core.spi import NotFound, RepositoryRef
from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

LAB = RepositoryRef("smith", "lab")
ROWS = [{"path": "src", "type": "tree"}, {"path": "src/a.py", "type": "blob"}, {"path": "sub", "type": "commit"}]


def tape_of(status, body):
    tape = Tape()
    repository = {"id": 1, "full_name": str(LAB), "name": LAB.name, "owner": {"login": LAB.namespace}}
    paths = {"/git/trees/abc?recursive=true&per_page=100000": (status, body), "": (200, repository)}
    for path, (code, said) in paths.items():
        answer = {"status": {"code": code}, "headers": {"Content-Type": ["application/json"]}}
        request = {"method": "GET", "uri": f"/api/v1/repos/{LAB}{path}", "body": ""}
        tape.add(request, answer | {"body": {"string": json.dumps(said)}})
    return tape


@pytest.fixture
def tree(tmp_path):
    async def reading(status, body):
        with playback(tape_of(status, body)) as url:
            app = make_app(tmp_path, f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n')
            async with connect(app):
                try:
                    return await app.forges.forge("lab").changes.tree(LAB, "abc")
                except NotFound as error:  # here, since beyond it stands in a group
                    return error

    return reading


async def test_the_files_of_a_commit_are_listed(tree):
    found = await tree(200, {"tree": ROWS, "truncated": False, "total_count": 3})
    assert (tuple(found), found.total, found.cut) == (("src/a.py", "sub"), 2, "")


async def test_more_than_a_page_is_said(tree):
    found = await tree(200, {"tree": ROWS, "truncated": True, "total_count": 9_000})
    assert (len(found), found.total, found.cut) == (2, None, "the server returns at most 2 files of a commit")


async def test_a_commit_that_is_not_there_is_a_wrong_question_to_the_server(tree):
    error = await tree(400, {"message": "object does not exist [id: abc, rel_path: ]"})
    assert error.message == "smith/lab has no commit abc"
