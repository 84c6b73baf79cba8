"""Cursors outlive the server that wrote them, and are shared by servers of one key."""

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

FORGE = '[forges.play]\nkind = "sandbox"\n'
CALL = {"repository": "smith/anvil", "pull_request_number": 2, "limit": 1}


async def page(folder, key, **cursor):
    async with connect(make_app(folder, FORGE, environ={"STITHY_CURSOR_KEY": key})) as client:
        return await client.call_tool("pr_comment_list", CALL | cursor)


async def second_page(folder, first_key, second_key):
    first = await page(folder, first_key)
    return await page(folder, second_key, cursor=first.structured_content["nextCursor"])


@pytest.mark.parametrize("key", ["", "a key that replicas share"])
async def test_another_server_goes_on_where_one_ended(tmp_path, monkeypatch, key):
    """Without a key that was given, by the file in the user's folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert not (await second_page(tmp_path, key, key)).is_error
    assert (tmp_path / "state" / "stithy" / "cursor-key").exists() == (not key)


async def test_a_server_of_another_key_says_how_to_begin_again(tmp_path):
    answer = await second_page(tmp_path, "the key of one team", "the key of another team")
    assert answer.is_error
    assert answer.structured_content["suggestion"] == "Omit the cursor to get the first page."
