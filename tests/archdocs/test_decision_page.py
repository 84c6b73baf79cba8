"""The page of the decision records over HTTP."""

import pytest

from stithy_testing import browse, make_app

pytestmark = pytest.mark.anyio

OLD = "# 1. Poll the forges\n\n## Status\n\nSuperseded by [ADR 2](0002-webhooks.md)\n"
NEW = "# 2. Limits < 5 & webhooks\n\n## Status\n\nAccepted\n\nSupersedes [ADR 1](0001-poll.md)\n"


@pytest.fixture
def open_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()

    async def read():
        async with browse(make_app(tmp_path)) as request:
            return await request("GET", "/ui/decisions")

    return read


async def test_records_and_relations_are_a_picture_and_a_table(open_page, tmp_path):
    """Titles are escaped."""
    folder = tmp_path / "docs" / "adr"
    folder.mkdir(parents=True)
    (folder / "0001-poll.md").write_text(OLD)
    (folder / "0002-webhooks.md").write_text(NEW)
    page = (await open_page()).body.decode()
    title = "2. Limits &lt; 5 &amp; webhooks"
    assert 'aria-label="2 decision records and 1 relation"' in page
    assert f"<tr><td>{title}</td><td>accepted</td><td>supersedes 1. Poll the forges</td></tr>" in page
    assert page.count("<path") == 1
    assert "< 5" not in page


async def test_without_records_the_page_says_so(open_page):
    page = await open_page()
    assert (page.status, b"There are no decision records." in page.body) == (200, True)
    assert "script" not in {name.lower(): value for name, value in page.headers.items()}["content-security-policy"]
