"""get_pull_request_conversation (SERVE-5): one list of everything written, through the tool."""

from datetime import UTC, datetime

import pytest
from attrs import evolve

from stithy_core.spi import NOT_REPORTED, Event, User, UserKind

pytestmark = pytest.mark.anyio

FIELDS = {"id", "type", "author", "created_at", "updated_at", "body", "url", "html_url"}
OPTIONAL = {"file_path", "line", "commit_id", "in_reply_to_id", "review_state"}
EVERYTHING = {"include": ["review", "issue", "timeline"], "events": ["all"]}
AT = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


async def ask(smithy, **arguments):
    return await smithy.client.call_tool("get_pull_request_conversation", {"pr": "smith/anvil#2"} | arguments)


async def read(smithy, **arguments):
    """Call it, and give the object."""
    result = await ask(smithy, **arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


async def rows(smithy, **arguments):
    return (await read(smithy, **arguments))["comments"]


async def read_error(smithy, **arguments):
    result = await ask(smithy, **arguments)
    assert result.is_error
    return result.structured_content


def add_event(smithy, name, kind, at=AT, **fields):
    """Add an event to the pull request."""
    event = Event(id=name, kind=kind, at=at, raw=kind, **fields)
    smithy.world.pull(smithy.pr).events.append(event)


def unknown(answer, field):
    return next(row["reason"] for row in answer["unknown"] if row["field"] == field)


async def test_verdicts_remarks_and_comments_are_one_list_oldest_first(smithy):
    async with smithy() as play:
        answer = await read(play)
    found = [(row["id"], row["type"], row["author"]["login"]) for row in answer["comments"]]
    talk = ["6 issue apprentice", "7 review smith", "8 review smith", "10 review smith", "12 review apprentice"]
    assert [" ".join(row) for row in found] == [*talk, "13 issue smith", "15 review striker"]
    assert (answer["pull_request"], answer["total"]) == ("smith/anvil#2", 7)
    assert answer["read"] == {"comments": 2, "reviews": 2, "threads": 2}
    assert "summary" not in answer


async def test_every_item_has_the_fields_of_the_specification_and_no_other(smithy):
    async with smithy() as play:
        add_event(play, "e1", "labeled", text="bug", actor=User(login="smith", id="1"))
        for row in await rows(play, **EVERYTHING):
            assert row.keys() >= FIELDS
            assert row.keys() <= FIELDS | OPTIONAL
            assert row["author"].keys() == {"login", "type"}
            assert all(isinstance(row[name], str) for name in row.keys() - {"author", "line"})


async def test_a_remark_says_where_it_stands_and_what_it_answers(smithy):
    async with smithy() as play:
        opening, answer = [row for row in await rows(play) if row.get("file_path") == "anvil/temper.py"]
    assert (opening["line"], "in_reply_to_id" in opening) == (3, False)
    assert (answer["line"], answer["in_reply_to_id"], answer["body"]) == (3, opening["id"], "Done.")
    assert len(answer["commit_id"]) == 40


async def test_a_verdict_has_its_state_and_its_words(smithy):
    async with smithy() as play:
        asked = next(row for row in await rows(play) if row.get("review_state") == "changes_requested")
    assert (asked["type"], asked["body"]) == ("review", "The unit must be said.")
    assert "file_path" not in asked


async def test_the_apis_address_is_the_url_where_there_is_one(smithy):
    async with smithy() as play:
        play.world.add_comment(play.pr, "Here.", api_url="http://sandbox.invalid/api/comments/16")
        *_, plain, addressed = await rows(play)
    assert addressed["url"] == "http://sandbox.invalid/api/comments/16"
    assert addressed["html_url"].endswith(f"#issuecomment-{addressed['id']}")
    assert plain["url"] == plain["html_url"]


async def test_the_lines_have_ids_places_and_verdicts(smithy):
    async with smithy() as play:
        text = (await ask(play)).content[0].text
    assert text.startswith("7 of 7 items on smith/anvil#2; reviews are of ab24984bee unless marked\n")
    assert "- [7] review, smith, 2026-01-05T09:07:00Z, changes_requested: The unit must be said." in text
    assert "- [12] review, apprentice, 2026-01-05T09:12:00Z, anvil/temper.py:3, answers 10: Done." in text


async def test_the_text_has_the_commits_the_edits_the_bots_and_the_urls(smithy):
    """Hosts that get the text alone do not see the fields."""
    async with smithy() as play:
        pull = play.world.pull(play.pr)
        old = evolve(pull.reviews[0], commit="0" * 40, author=User(login="robot", id="9", kind=UserKind.BOT))
        pull.reviews[0] = old
        pull.comments[0] = evolve(pull.comments[0], updated_at=AT, body="Ready " * 200)
        text = (await ask(play)).content[0].text
    assert "- [7] review, robot (bot), 2026-01-05T09:07:00Z, commit 0000000000, changes_requested: The unit" in text
    assert "- [6] issue, apprentice, 2026-01-05T09:06:00Z, updated 2026-01-05T09:30:00Z: Ready Ready" in text
    page = "http://sandbox.invalid/smith/anvil/pulls/2"
    urls = f"URL: {page}#issuecomment-ID (issue), #pullrequestreview-ID (review), #discussion_rID (review comment)"
    assert text.splitlines()[-2:] == [urls, "A whole text: pull_request_read with id=ID and method=get_comments"]


async def test_an_empty_conversation_says_so(smithy):
    async with smithy() as play:
        result = await ask(play, include=["timeline"], events=["milestoned"])
    assert result.structured_content["comments"] == []
    assert result.content[0].text.splitlines()[0] == "No items on smith/anvil#2"


async def test_a_timelines_reviews_labels_and_commits_are_listed_and_others_counted(smithy):
    async with smithy() as play:
        add_event(play, "e1", "labeled", text="bug")
        add_event(play, "e2", "renamed", text="Harder")
        add_event(play, "e3", "assigned", text="smith")
        answer = await read(play, include=["timeline"])
    kinds = [row["body"].partition(":")[0] for row in answer["comments"]]
    assert sorted(set(kinds)) == ["committed", "labeled", "reviewed"]
    assert "assigned 1, commented 2, renamed 1, review_commented 3; pass events=" in answer["left_out"][0]


async def test_a_timeline_repeats_nothing_that_is_there(smithy):
    """Wrong elsewhere: timeline and comments merged, and every item twice."""
    async with smithy() as play:
        found = await rows(play, **EVERYTHING)
        apart = await rows(play)
    assert [row for row in found if row["type"] != "timeline"] == apart
    assert {row["body"] for row in found if row["type"] == "timeline"} == {
        "committed: Harden the horn",
        "committed: Temper it",
    }


async def test_a_timeline_alone_says_what_reviews_came_to(smithy):
    async with smithy() as play:
        found = await rows(play, include=["timeline"], events=["reviewed"])
    assert [(row["type"], row["review_state"]) for row in found] == [
        ("timeline", "changes_requested"),
        ("timeline", "approved"),
    ]


async def test_a_commit_is_named_by_its_id(smithy):
    async with smithy() as play:
        found = await rows(play, include=["timeline"], events=["committed"])
    assert [row["commit_id"] for row in found] == [row["id"] for row in found]


async def test_an_event_by_nobody_is_the_ghosts_and_says_that_it_is_not_known(smithy):
    async with smithy() as play:
        add_event(play, "e1", "labeled", text="bug")
        answer = await read(play, include=["timeline"], events=["labeled"])
    assert answer["comments"][0]["author"] == {"login": "ghost", "type": "User"}
    assert unknown(answer, "comments[0].author.login").startswith("the forge reports no author")


async def test_an_event_without_a_time_stands_last_and_is_never_left_out(smithy):
    async with smithy() as play:
        add_event(play, "e1", "labeled", at=None, text="bug")
        answer = await read(play, include=["issue", "timeline"], since="2026-01-05T09:10:00Z")
    assert "created_at" not in answer["comments"][-1]
    assert answer["comments"][-1]["body"] == "labeled: bug"
    place = len(answer["comments"]) - 1
    assert unknown(answer, f"comments[{place}].created_at") == "the forge does not report the time"


async def test_a_draft_stands_last_and_is_marked(smithy):
    async with smithy() as play:
        draft = play.world.add_review(play.pr, "pending", "Not yet.", submitted_at=None)
        play.world.add_thread(play.pr, "anvil/horn.py", 2, "Nor this.", review=draft.id, pending=True)
        *_, remark, verdict = await rows(play)
    assert (verdict["body"], verdict["review_state"], "created_at" in verdict) == ("Not yet.", "pending", False)
    assert (remark["body"], remark["review_state"]) == ("Nor this.", "pending")


async def test_a_verdict_of_the_forges_own_word_is_not_taken_for_another(smithy):
    async with smithy() as play:
        play.world.add_review(play.pr, "recused", "Not me.")
        answer = await read(play)
    assert "review_state" not in answer["comments"][-1]
    assert "'recused'" in unknown(answer, "comments[7].review_state")


@pytest.mark.parametrize(
    ("user", "author"),
    [
        (User(login="ghost", kind=UserKind.GHOST), {"login": "ghost", "type": "User"}),
        (User(login="gate", id="9", kind=UserKind.BOT), {"login": "gate", "type": "Bot"}),
        (User(login="codecov-commenter", id="9"), {"login": "codecov-commenter", "type": "Bot"}),
        (User(login="our-gate", id="9"), {"login": "our-gate", "type": "Bot"}),
        (User(login="coderabbit-fan-123", id="9"), {"login": "coderabbit-fan-123", "type": "User"}),
    ],
)
async def test_people_are_told_from_bots_and_from_nobody(smithy, user, author):
    async with smithy('[comments]\nbots = ["our-gate"]\n') as play:
        play.world.add_comment(play.pr, "Hm.", user)
        assert (await rows(play))[-1]["author"] == author


async def test_an_account_of_an_unknown_sort_says_so(smithy):
    async with smithy() as play:
        play.world.add_comment(play.pr, "From afar.", User(login="wanderer", kind=NOT_REPORTED))
        answer = await read(play)
    assert answer["comments"][-1]["author"] == {"login": "wanderer", "type": "User"}
    assert unknown(answer, "comments[7].author.type") == NOT_REPORTED.reason


async def test_since_gives_what_was_edited_then_though_it_is_older(smithy):
    async with smithy() as play:
        play.world.edit_comment(play.pr, "6", "Ready now.")
        found = await rows(play, since="2026-01-05T09:14:00Z")
    assert [row["id"] for row in found] == ["6", "15"]


async def test_until_gives_what_was_written_by_then(smithy):
    async with smithy() as play:
        answer = await read(play, until="2026-01-05T11:07:00+02:00")
    assert [row["id"] for row in answer["comments"]] == ["6", "7"]
    assert answer["total"] == 2


async def test_a_day_is_its_first_moment_in_utc(smithy):
    async with smithy() as play:
        assert not await rows(play, until="2026-01-05")
        assert len(await rows(play, since="2026-01-05", until="2026-01-06")) == 7


async def test_the_newest_are_kept_and_it_is_said_how_many_are_older(smithy):
    async with smithy() as play:
        result = await ask(play, max_items=2)
    answer = result.structured_content
    assert [row["id"] for row in answer["comments"]] == ["13", "15"]
    assert (answer["total"], answer["left_out"]) == (7, ["the 5 oldest of 7 items: max_items is 2"])
    first, second, *_ = result.content[0].text.splitlines()
    assert first.startswith("2 of 7 items on smith/anvil#2;")
    assert second == "Left out: the 5 oldest of 7 items: max_items is 2"


async def test_a_long_conversation_comes_in_pages_and_its_summary_once(smithy):
    async with smithy() as play:
        for number in range(60):
            play.world.add_comment(play.pr, f"{number} " + "words " * 100)
        answer = await read(play, summarize="brief")
        found, given = answer["comments"], [answer]
        while cursor := answer.get("nextCursor"):
            answer = await read(play, summarize="brief", cursor=cursor)
            given.append(answer)
            found = found + answer["comments"]
    assert len(given) > 2
    assert len({row["id"] for row in found}) == len(found) == 67
    assert [row["created_at"] for row in found] == sorted(row["created_at"] for row in found)
    assert ["summary" in one for one in given] == [True, *(False for _ in given[1:])]


async def test_a_single_text_larger_than_an_answer_is_cut_and_says_where_the_whole_is(smithy):
    async with smithy() as play:
        play.world.add_comment(play.pr, "x" * 60_000)
        answer = await read(play, max_items=1)
    (row,) = answer["comments"]
    assert row["body"].endswith("… [60000 chars]")
    assert answer["cuts"][0]["rest"].startswith("pull_request_read with this id")


async def test_a_thread_that_was_not_read_whole_is_named(smithy):
    async with smithy() as play:
        thread = await play.thread(14)
        play.world.pull(play.pr).threads[thread.id] = evolve(thread, cut="only the first 100 could be read")
        answer = await read(play)
    assert answer["left_out"] == [f"thread {thread.id} on anvil/horn.py: only the first 100 could be read"]
    assert "total" not in answer


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"since": "yesterday"}, "since must be a date and time such as 2026-01-31T12:00:00Z"),
        ({"since": "2026-01-06", "until": "2026-01-05"}, "until must not be before since"),
        ({"events": ["merged"]}, "events requires timeline in include"),
        ({"include": []}, "include must be a list of at least 1"),
        ({"include": ["reviews"]}, "must be one of review, issue, timeline"),
        ({"max_items": 0}, "max_items must be at least 1"),
        ({"max_items": 2_001}, "max_items must be at most 2000"),
        ({"summary_budget_chars": 0}, "summary_budget_chars must be at least 1"),
        ({"summarize": "short"}, "summarize must be one of none, brief, compact"),
    ],
)
async def test_arguments_that_do_not_fit_are_named(smithy, arguments, message):
    async with smithy() as play:
        error = await read_error(play, **arguments)
    assert error["category"] == "user"
    assert message in error["error"]


async def test_an_issue_is_no_pull_request(smithy):
    async with smithy() as play:
        error = await read_error(play, pr="smith/anvil#1")
    assert error["error"].endswith("smith/anvil#1 is an issue, not a pull request")
