"""A caller's text is sent unchanged; hidden characters are removed from texts of other users."""

import pytest

from stithy_core.spi import PullRequestRef
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

FORGE = '[forges.play]\nkind = "sandbox"\n'
PULL = {"repository": "smith/anvil", "pull_request_number": 2}
WRITTEN = "soft\u00adhyphen, \u202eturned\u202c, \u200bnothing\ufeff, 👩‍👩‍👧‍👦 می‌خواهم"
READ = "softhyphen, turned, nothing, 👩‍👩‍👧‍👦 می‌خواهم"


async def test_a_comment_is_posted_and_said_back_as_it_was_written(tmp_path):
    app = make_app(tmp_path, FORGE)
    async with connect(app) as client:
        posted = await client.call_tool("pr_comment_create", PULL | {"comment": WRITTEN})
    forge, repository = await app.forges.repository("play:smith/anvil")
    there = list(await forge.comments.list(PullRequestRef(repository, 2)))[-1]
    assert there.body == posted.structured_content["comment"]["body"] == WRITTEN
    assert WRITTEN in posted.content[0].text


async def test_a_comment_is_read_without_hidden_characters_and_that_is_said(tmp_path):
    async with connect(make_app(tmp_path, FORGE)) as client:
        await client.call_tool("pr_comment_create", PULL | {"comment": WRITTEN})
        read = await client.call_tool("pr_comment_list", PULL)
    assert read.structured_content["comments"][-1]["body"] == READ
    assert read.structured_content["hidden_characters_removed"] == 5
    assert READ in read.content[0].text
    assert read.content[0].text.splitlines()[-1] == "5 hidden characters were removed from texts"


async def test_a_comment_larger_than_an_answer_is_cut_and_its_address_has_the_rest(tmp_path):
    async with connect(make_app(tmp_path, FORGE)) as client:
        made = await client.call_tool("pr_comment_create", PULL | {"comment": "word " * 9_000})
        read = await client.call_tool("pr_comment_list", PULL | {"limit": 100})
        while "cuts" not in read.structured_content:
            more = {"cursor": read.structured_content["nextCursor"]}
            read = await client.call_tool("pr_comment_list", PULL | {"limit": 100} | more)
    assert [row["rest"] for row in made.structured_content["cuts"]] == ["url"]
    assert [row["rest"] for row in read.structured_content["cuts"]] == ["comments[0].url"]
    assert read.structured_content["comments"][0]["body"].endswith("… [45000 chars]")
    assert len(read.structured_content["comments"]) == 1
