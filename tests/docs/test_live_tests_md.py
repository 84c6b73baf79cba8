"""docs/live-tests.md: its names are those of the lab, and what it says of skipped tests is so."""

import re
from pathlib import Path

import pytest
from gitea_world import ARCHIVE, FORMER, NAME
from lab import LIVE, READER

ROOT = Path(__file__).parents[2]
PAGE = "live-tests.md"
ONE = f"cd {ROOT} && python -m pytest -p no:cacheprovider -q -m live tests/comments/test_pr_comments.py -k is_created"


@pytest.mark.parametrize("server", LIVE)
@pytest.mark.parametrize("word", ["URL", "TOKEN"])
def test_every_variable_has_a_row(page, server, word):
    assert re.search(rf"^\| .*`STITHY_LIVE_{server}_{word}`", page(PAGE), re.MULTILINE)


@pytest.mark.parametrize("name", [READER, "lab-renamed", "STITHY_RECORD", "RECORDED"])
def test_a_name_of_the_lab_is_told(page, name):
    places = (ROOT / "tests/support/lab.py", ROOT / "tests/comments/test_pr_comments.py")
    assert any(name in place.read_text(encoding="utf-8") for place in places)
    assert f"`{name}`" in page(PAGE)


def test_every_world_is_told_with_its_tests(page):
    """The name of a repository that tests make and delete; another one of that name would be lost."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'^WORLD = "(.+)"$', text, re.MULTILINE):
            (row,) = [row for row in page(PAGE).splitlines() if row.startswith(f"| `{path.relative_to(ROOT)}` |")]
            assert f"the repository `{name}`" in row
            assert ("not on Forgejo" in row) is ("GITEA_ONLY" in text)
            assert ("a fork of it" in row) is ("/forks" in text or "forks{" in text)


@pytest.mark.parametrize("name", [NAME, FORMER, ARCHIVE])
def test_the_world_of_the_suite_is_told(page, name):
    assert f"`{name}`" in page(PAGE)


def test_the_page_names_where_workflow_steps_run(page):
    text = (ROOT / "tests/support/runner.py").read_text(encoding="utf-8")
    assert '"bash"' in text
    assert '"user": "nobody"' in text
    assert "runs their steps with bash on the machine of the tests" in page(PAGE)


def test_everything_that_a_test_may_lack_has_a_row(page):
    names = re.findall(r'"(\w+)": lacks_', (ROOT / "tests/conftest.py").read_text())
    assert names == re.findall(r"^\| `(\w+)` \|", page(PAGE).split("| Name |")[1], re.MULTILINE)


def test_a_server_that_is_not_named_is_skipped_with_what_is_missing(run):
    code, output = run(ONE)
    assert code == 0
    assert "set STITHY_LIVE_FORGEJO_URL and STITHY_LIVE_FORGEJO_TOKEN" in output


def test_a_required_test_fails_instead_of_being_skipped(run):
    code, output = run(ONE, STITHY_REQUIRES="live")
    assert code == 1
    assert "it needs a forge" in output


def test_make_live_is_what_runs_them():
    assert re.search(r"^live:.*\n\t.*-m live", (ROOT / "Makefile").read_text(), re.MULTILINE)
