"""pull_request_read on the sandbox: what each method gives, as an object and as text."""

import pytest
from following import read_items, read_pages

from stithy_core.spi import Unknown, User, UserKind

pytestmark = pytest.mark.anyio

PARTS = {"details", "diff", "files", "status", "checks", "comments", "reviews", "review_comments", "item", "parts"}
FIELDS = {
    "get": {"details"},
    "get_diff": {"diff"},
    "get_files": {"files"},
    "get_status": {"status", "checks"},
    "get_comments": {"comments"},
    "get_reviews": {"reviews"},
    "get_review_comments": {"review_comments"},
}


def reader(here):
    """Return a function that reads the sandbox's pull request."""

    async def read(method, **arguments):
        given = {"pull_number": None, "pullNumber": 2, "method": method} | arguments
        return await here.call("pull_request_read", **given)

    return read


@pytest.mark.parametrize("method", FIELDS)
async def test_a_method_gives_its_part_and_no_other(smithy, method):
    async with smithy() as here:
        found = (await reader(here)(method)).structured_content
    assert PARTS & found.keys() == FIELDS[method]
    assert (found["pull_request"], found["method"]) == ("smith/anvil#2", method)


async def test_get_says_what_the_pull_request_is(smithy):
    async with smithy() as here:
        result = await reader(here)("get")
    details = result.structured_content["details"]
    assert (details["title"], details["body"], details["state"]) == ("Harden the horn", "Closes #1.", "open")
    assert details["mergeable"] is True
    assert (details["head"]["branch"], details["base"]["branch"]) == ("harden-horn", "main")
    assert (details["changed_files"], details["additions"], details["deletions"]) == (3, 20, 0)
    assert details["head"]["commit"][:10] in result.content[0].text


async def test_get_says_who_is_asked_and_what_it_is_marked_with(smithy):
    async with smithy() as here:
        pull = here.world.pull(here.pr)
        fields = {"requested_reviewers": (User(login="striker"),), "requested_teams": ("smiths",), "draft": True}
        made = here.world.add_pull_request(here.pr.repository, "Later", branch=pull.subject.head.branch, **fields)
        result = await reader(here)("get", pullNumber=made.number)
    details = result.structured_content["details"]
    assert (details["requested_reviewers"], details["requested_teams"]) == (["striker"], ["smiths"])
    assert "open, draft" in result.content[0].text
    assert "review requested of striker, smiths" in result.content[0].text


async def test_unknown_fields_are_neither_true_nor_false(smithy):
    async with smithy() as here:
        here.world.add_pull_request(here.pr.repository, "Odd", draft=Unknown("it was not said", "Ask again."))
        result = await reader(here)("get", pullNumber=3)
    assert "draft" not in result.structured_content["details"]
    row = {"field": "details.draft", "reason": "it was not said", "remedy": "Ask again."}
    assert row in result.structured_content["unknown"]
    assert "draft" not in result.content[0].text.split("unknown:")[0]


async def test_files_have_their_counts_and_former_paths(smithy):
    async with smithy() as here:
        files = (await reader(here)("get_files")).structured_content["files"]
    assert files[1] == {
        "path": "anvil/temper.py",
        "previous_path": "anvil/heat.py",
        "status": "renamed",
        "additions": 5,
        "deletions": 0,
    }
    assert [file["path"] for file in files] == ["anvil/horn.py", "anvil/temper.py", "tests/test_horn.py"]


async def test_reviews_have_verdicts_and_what_was_written(smithy):
    """A review that asks for changes counts, though it has no comment in the diff."""
    async with smithy() as here:
        result = await reader(here)("get_reviews")
    found = [(row["author"], row["state"], row["body"]) for row in result.structured_content["reviews"]]
    assert found[0] == ("smith", "changes_requested", "The unit must be said.")
    assert "[7] smith: changes_requested" in result.content[0].text


async def test_review_comments_come_thread_after_thread(smithy):
    """With numeric ids, the thread's id, the place and whether it is settled; a reply names what it answers."""
    async with smithy() as here:
        rows = (await reader(here)("get_review_comments")).structured_content["review_comments"]
    places = [(row["id"], row["thread_id"], row["path"], row["line"], row["resolved"]) for row in rows]
    assert places == [
        (8, "9", "anvil/horn.py", 14, False),
        (10, "11", "anvil/temper.py", 3, True),
        (12, "11", "anvil/temper.py", 3, True),
    ]
    assert [row.get("in_reply_to_id") for row in rows] == [None, None, 10]


async def test_a_place_of_several_lines_has_both_ends(smithy):
    """Prevents: threads without the comment's id and the line where they start."""
    async with smithy() as here:
        here.world.add_thread(here.pr, "anvil/horn.py", 9, "All of it?", start_line=4, side="LEFT", outdated=True)
        result = await reader(here)("get_review_comments")
    row = result.structured_content["review_comments"][0]
    assert (row["start_line"], row["line"], row["side"], row["outdated"]) == (4, 9, "LEFT", True)
    assert f"[{row['id']}] anvil/horn.py:4-9 (old side), thread {row['thread_id']} (open, outdated)" in (
        result.content[0].text
    )


async def test_a_comment_on_the_whole_file_has_no_line(smithy):
    async with smithy() as here:
        here.world.add_thread(here.pr, "anvil/horn.py", None, "Split this file.")
        row = (await reader(here)("get_review_comments")).structured_content["review_comments"][0]
    assert "line" not in row
    assert row["body"] == "Split this file."


async def test_whether_a_thread_is_resolved_may_be_unknown(smithy):
    """Prevents: resolved threads shown as open where the state could not be read."""
    why = Unknown("the server was not asked")
    async with smithy() as here:
        here.world.add_thread(here.pr, "anvil/horn.py", 1, "Why?", resolved=why)
        result = await reader(here)("get_review_comments")
    assert "resolved" not in result.structured_content["review_comments"][0]
    assert result.structured_content["unknown"][0]["reason"] == "the server was not asked"
    assert "(resolution unknown)" in result.content[0].text


async def test_a_deleted_author_costs_no_other_comment(smithy):
    """Prevents: one null user drops the page."""
    async with smithy() as here:
        here.world.add_comment(here.pr, "Gone by now.", User(login="ghost", kind=UserKind.GHOST))
        found = await read_items(reader(here), "comments", method="get_comments", limit=2)
    assert [row["author"] for row in found] == ["apprentice", "smith", "ghost"]


async def test_pages_never_end_early(smithy):
    """Prevents: a short page taken for the last one."""
    async with smithy() as here:
        for number in range(40):
            here.world.add_comment(here.pr, f"{number} " + "word " * 300 * (number % 3))
        pages = await read_pages(reader(here), method="get_comments", limit=100)
    ids = [row["id"] for page in pages for row in page.structured_content["comments"]]
    assert len(pages) > 2
    assert len(ids) == len(set(ids)) == 42
    assert {page.structured_content["total"] for page in pages} == {42}


async def test_an_issue_is_no_pull_request(smithy):
    async with smithy() as here:
        results = [await reader(here)(method, pullNumber=1) for method in FIELDS]
    for result in results:
        assert result.structured_content["error"].startswith("Failed to read pull request: ")
        assert "issue" in result.structured_content["error"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"pullNumber": 0}, "pullNumber must be positive"),
        ({"method": "get_everything"}, "get_everything"),
        ({"owner": "../.."}, "owner must be"),
        ({"method": "get_diff", "id": 5}, "method get_diff does not accept an id"),
        ({"limit": 101}, "limit"),
    ],
)
async def test_contradictory_arguments_are_refused(smithy, arguments, said):
    async with smithy() as here:
        result = await reader(here)(**{"method": "get"} | arguments)
    assert result.is_error
    assert said in str(result.structured_content)
    assert result.structured_content["code"] == -32602


async def test_pages_go_on_while_the_list_grows(smithy):
    """A page goes on behind the last comment seen, though others have come before it meanwhile."""
    async with smithy() as here:
        for number in range(30):
            here.world.add_thread(here.pr, "b.py", number, "Why?")
        read = reader(here)
        first = (await read("get_review_comments", limit=20)).structured_content
        here.world.add_thread(here.pr, "a.py", 1, "Before all others.")
        rest = (await read("get_review_comments", limit=20, cursor=first["nextCursor"])).structured_content
    ids = [row["id"] for page in (first, rest) for row in page["review_comments"]]
    assert len(ids) == len(set(ids)) == 33


async def test_a_list_goes_on_though_the_last_row_seen_has_gone(smithy):
    async with smithy() as here:
        for number in range(9):
            here.world.add_comment(here.pr, f"{number}")
        read = reader(here)
        first = (await read("get_comments", limit=4)).structured_content
        comments = here.world.pull(here.pr).comments
        comments[:] = [comment for comment in comments if comment.id != str(first["comments"][-1]["id"])]
        rest = await read_items(read, "comments", method="get_comments", limit=4, cursor=first["nextCursor"])
    assert [row["body"] for row in rest] == ["2", "3", "4", "5", "6", "7", "8"]


async def test_why_there_is_more_than_the_forge_gives_is_said(smithy):
    """And then nobody says how many there are."""
    async with smithy() as here:
        here.world.add_thread(here.pr, "a.py", 1, "Why?", cut="only its first 100 comments were read")
        result = await reader(here)("get_review_comments")
    assert result.structured_content["cut"].endswith("only its first 100 comments were read")
    assert "total" not in result.structured_content
    assert "The list is incomplete: of thread" in result.content[0].text


async def test_its_ids_are_accepted_by_replies(smithy):
    """REPLY-8, REPLY-14: one reply to each thread, each in the right one."""
    async with smithy() as here:
        rows = await read_items(reader(here), "review_comments", method="get_review_comments")
        for row in rows:
            if "in_reply_to_id" not in row:
                given = {"comment_id": row["id"], "body": f"To {row['body']}"}
                assert not (await here.call("reply_to_review_comment", **given)).is_error
        after = await read_items(reader(here), "review_comments", method="get_review_comments")
    opened = {row["id"]: row["body"] for row in after if "in_reply_to_id" not in row}
    new = [row for row in after if row["id"] not in {old["id"] for old in rows}]
    assert [row["body"] for row in new] == [f"To {opened[row['in_reply_to_id']]}" for row in new]
    assert len(new) == len(opened) == 2


async def test_a_draft_comment_is_said_to_be_one(smithy):
    async with smithy() as here:
        here.world.add_thread(here.pr, "a.py", 1, "Not sent yet.", pending=True)
        result = await reader(here)("get_review_comments")
    assert result.structured_content["review_comments"][0]["pending"] is True
    assert ", pending, " in result.content[0].text
