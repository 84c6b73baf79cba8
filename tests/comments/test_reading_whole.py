"""pull_request_read with an id: one text whole, in as many parts as it needs."""

import pytest
from following import read_pages

pytestmark = pytest.mark.anyio

LONGEST = 65_536
TEXTS = {
    "lines": "".join(f"line {number} of many\n" for number in range(4_000))[:LONGEST],
    "windows": ("One line, two\r\n" * 5_000)[:LONGEST],
    "one line": "x" * LONGEST,
    "emoji": ("👩‍👩‍👧‍👦 🇫🇷 e\u0301 " * 4_000)[: LONGEST - 16],
    "quotes": '"\\\t' * 10_000,
    "blank lines": "\n" * 9_000,
}


def reader(here):
    async def read(method, said, **arguments):
        given = {"pull_number": None, "pullNumber": 2, "method": method, "id": said} | arguments
        return await here.call("pull_request_read", **given)

    return read


def join_parts(pages):
    return "".join(part for page in pages for part in page.structured_content["parts"])


@pytest.mark.parametrize("name", TEXTS)
async def test_a_long_comment_is_read_whole_to_the_character(smithy, name):
    async with smithy() as here:
        made = here.world.add_comment(here.pr, TEXTS[name])
        pages = await read_pages(reader(here), method="get_comments", said=int(made.id), limit=100)
    assert join_parts(pages) == TEXTS[name]
    assert not any("hidden_characters_removed" in page.structured_content for page in pages)
    assert pages[0].structured_content["item"]["characters"] == len(TEXTS[name])


async def test_the_text_blocks_alone_have_it_all(smithy):
    """Some agents see only those."""
    async with smithy() as here:
        made = here.world.add_comment(here.pr, TEXTS["lines"])
        pages = await read_pages(reader(here), method="get_comments", said=made.id)
    said = "\n".join(page.content[0].text for page in pages)
    assert all(line in said for line in TEXTS["lines"].splitlines())


async def test_a_review_is_read_whole(smithy):
    async with smithy() as here:
        made = here.world.add_review(here.pr, "commented", TEXTS["windows"])
        pages = await read_pages(reader(here), method="get_reviews", said=made.id)
    assert join_parts(pages) == TEXTS["windows"]
    item = pages[0].structured_content["item"]
    assert (item["id"], item["author"], item["state"]) == (int(made.id), "apprentice", "commented")


async def test_a_comment_in_the_diff_is_read_whole_with_its_place(smithy):
    async with smithy() as here:
        thread = here.world.add_thread(here.pr, "anvil/horn.py", 2, TEXTS["emoji"])
        pages = await read_pages(reader(here), method="get_review_comments", said=int(thread.comments[0].id))
    assert join_parts(pages) == TEXTS["emoji"]
    item = pages[-1].structured_content["item"]
    assert (item["path"], item["line"], item["thread_id"]) == ("anvil/horn.py", 2, thread.id)


async def test_a_description_is_read_whole_by_the_pull_requests_own_number(smithy):
    async with smithy() as here:
        made = here.world.add_pull_request(here.pr.repository, "Long", body=TEXTS["lines"])
        short = await here.call("pull_request_read", pull_number=None, pullNumber=made.number, method="get")
        pages = await read_pages(reader(here), method="get", said=made.number, pullNumber=made.number)
    assert short.structured_content["cuts"][0]["rest"] == "the same call with the pull request's number as id"
    assert join_parts(pages) == TEXTS["lines"]


async def test_a_list_that_cuts_a_body_names_the_call_that_has_it(smithy):
    async with smithy() as here:
        made = here.world.add_comment(here.pr, "word " * 9_000)
        page = await here.call("pull_request_read", pull_number=None, pullNumber=2, method="get_comments", limit=100)
        while "cuts" not in page.structured_content:
            more = {"cursor": page.structured_content["nextCursor"], "limit": 100}
            page = await here.call("pull_request_read", pull_number=None, pullNumber=2, method="get_comments", **more)
        pages = await read_pages(reader(here), method="get_comments", said=int(made.id))
    assert page.structured_content["cuts"][0]["rest"] == "the same call with this id"
    assert join_parts(pages) == "word " * 9_000


async def test_an_empty_body_has_no_parts(smithy):
    async with smithy() as here:
        made = here.world.add_review(here.pr, "approved")
        result = await reader(here)("get_reviews", made.id)
    assert result.structured_content["parts"] == []
    assert result.structured_content["total"] == 0


async def test_a_text_that_was_edited_between_two_pages_is_not_mixed(smithy):
    async with smithy() as here:
        made = here.world.add_comment(here.pr, TEXTS["lines"])
        first = await reader(here)("get_comments", made.id)
        here.world.edit_comment(here.pr, made.id, "line 0, edited\n" + TEXTS["lines"])
        rest = await reader(here)("get_comments", made.id, cursor=first.structured_content["nextCursor"])
    assert rest.is_error
    assert "the text has changed since the previous page" in rest.structured_content["error"]
    assert rest.structured_content["suggestion"] == "Repeat the call without cursor to start from the first page."


async def test_a_text_that_was_shortened_between_two_pages_is_not_mixed(smithy):
    async with smithy() as here:
        made = here.world.add_comment(here.pr, TEXTS["lines"])
        first = await reader(here)("get_comments", made.id)
        here.world.edit_comment(here.pr, made.id, "Never mind.")
        rest = await reader(here)("get_comments", made.id, cursor=first.structured_content["nextCursor"])
    assert "the text has changed since the previous page" in rest.structured_content["error"]


@pytest.mark.parametrize("method", ["get", "get_comments", "get_reviews", "get_review_comments"])
async def test_a_missing_id_is_reported(smithy, method):
    async with smithy() as here:
        result = await reader(here)(method, 999)
    assert result.is_error
    assert "999" in result.structured_content["error"]


async def test_a_threads_id_leads_to_its_comments(smithy):
    async with smithy() as here:
        result = await reader(here)("get_review_comments", "11")
    assert result.structured_content["suggestion"] == (
        "This id names a thread. Read it with method get_thread, or pass the id of a comment in it: 10, 12."
    )


async def test_hidden_characters_are_taken_out_and_counted(smithy):
    """Prevents: sanitised on read, then written back. Here it is marked."""
    async with smithy() as here:
        made = here.world.add_comment(here.pr, "a\u202eb Promise<string>")
        result = await reader(here)("get_comments", made.id)
    assert result.structured_content["parts"] == ["ab Promise<string>"]
    assert result.structured_content["hidden_characters_removed"] == 1


@pytest.mark.parametrize("said", ["../6", "6?x", "", "a b", 0, -6, True])
async def test_an_invalid_id_is_refused_without_a_request(smithy, said):
    async with smithy() as here:
        result = await reader(here)("get_comments", said)
    assert result.structured_content["code"] == -32602
    assert result.structured_content["details"]["errors"][0]["path"] == "id"
