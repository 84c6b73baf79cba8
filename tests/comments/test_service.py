"""The comments service (SERVE-1) on the sandbox, asked as an HTTP client asks."""

import pytest

pytestmark = pytest.mark.anyio

PULL, ISSUE = "/forges/play/repos/smith/anvil/pulls/2", "/forges/play/repos/smith/anvil/issues/2"
COMBINED = f"{PULL}/comments/combined"
STATS = {
    "total_comments": 7,
    "review_comments": 5,
    "issue_comments": 2,
    "timeline_events": 0,
}
HIDING = "soft\u00adhyphen, \u202eturned\u202c, \u200bnothing\ufeff"
FIELDS = {"id", "type", "author", "created_at", "updated_at", "body", "url", "html_url"}
OPTIONAL = {"file_path", "line", "commit_id", "in_reply_to_id", "review_state"}


async def rows(service, target):
    async with service() as get:
        status, answer, _ = await get(target)
    assert status == 200, answer
    return answer["comments"]


async def test_reviews_and_comments_are_one_list_oldest_first(service):
    found = await rows(service, COMBINED)
    assert [(row["id"], row["type"]) for row in found] == [
        *[("6", "issue"), ("7", "review"), ("8", "review"), ("10", "review")],
        *[("12", "review"), ("13", "issue"), ("15", "review")],
    ]


async def test_every_item_has_the_fields_of_the_specification_and_no_other(service):
    for row in await rows(service, f"{COMBINED}?include=review,issue,timeline&events=all"):
        assert FIELDS <= row.keys() <= FIELDS | OPTIONAL
        assert row["author"].keys() == {"login", "type"}
        assert all(isinstance(row[name], str) for name in row.keys() - {"author", "line"})


async def test_review_comments_are_those_in_the_diff_alone(service):
    found = await rows(service, f"{PULL}/comments")
    assert [row["id"] for row in found] == ["8", "10", "12"]
    assert all("file_path" in row for row in found)


async def test_issue_comments_are_the_general_conversation(service):
    found = await rows(service, f"{ISSUE}/comments")
    assert {row["type"] for row in found} == {"issue"}
    assert [row["id"] for row in found] == ["6", "13"]


async def test_a_timeline_tells_what_happened(service):
    found = await rows(service, f"{ISSUE}/timeline?events=all")
    assert {row["type"] for row in found} == {"timeline"}


async def test_an_issue_has_comments_and_a_timeline_too(service):
    async with service() as get:
        comments, timeline = [
            (await get(f"/forges/play/repos/smith/anvil/issues/1/{of}"))[0] for of in ("comments", "timeline")
        ]
    assert (comments, timeline) == (200, 200)


async def test_an_issue_is_no_pull_request(service):
    async with service() as get:
        status, answer, _ = await get("/forges/play/repos/smith/anvil/pulls/1/comments/combined")
    assert (status, answer["error"]["code"]) == (404, "not_found")


async def test_a_summary_has_its_text_within_the_budget_and_its_counts(service):
    async with service() as get:
        _, answer, _ = await get(f"{COMBINED}?summarize=compact&summary_budget_chars=300")
    characters = sum(len(row["body"]) for row in answer["comments"])
    assert answer["summary"]["stats"] == STATS | {"characters": characters}
    assert 0 < len(answer["summary"]["text"]) <= 300


async def test_without_summarize_the_answer_lacks_a_summary(service):
    async with service() as get:
        _, answer, _ = await get(COMBINED)
    assert answer.keys() == {"comments"}


async def test_raw_lists_are_summed_up_on_demand(service):
    async with service() as get:
        _, answer, _ = await get(f"{ISSUE}/comments?summarize=brief")
    assert answer["summary"]["stats"]["total_comments"] == 2


async def test_hidden_characters_are_removed_and_counted(service):
    async with service() as get:
        get.world.add_comment(get.pr, HIDING)
        _, answer, _ = await get(f"{ISSUE}/comments")
    assert answer["comments"][-1]["body"] == "softhyphen, turned, nothing"
    assert answer["hidden_characters_removed"] == 5


async def test_half_a_surrogate_pair_does_no_harm(service):
    async with service() as get:
        get.world.add_comment(get.pr, "half \ud83d")
        _, answer, _ = await get(f"{ISSUE}/comments")
    assert answer["comments"][-1]["body"] == "half ?"


async def test_events_of_other_kinds_are_counted_with_the_way_to_them(service):
    async with service() as get:
        _, answer, _ = await get(f"{ISSUE}/timeline")
    assert answer["left_out"][0].startswith("events of other kinds: ")
    assert answer["left_out"][0].endswith("pass events=all to include them")


async def test_an_answer_is_held_to_its_size_by_leaving_out_the_oldest(service):
    async with service() as get:
        for number in range(12):
            get.world.add_comment(get.pr, f"{number} {'é' * 500_000}")
        status, answer, _ = await get(f"{ISSUE}/comments")
    assert status == 200
    assert [row["body"].split()[0] for row in answer["comments"]] == [*"56789", "10", "11"]
    assert answer["left_out"] == [
        "the 7 oldest of 14 items: the response limit is 8,000,000 bytes; use since, until or a page to get the others"
    ]


async def test_one_text_larger_than_an_answer_is_cut_and_reported(service):
    async with service() as get:
        get.world.add_comment(get.pr, "x" * 9_000_000)
        _, answer, _ = await get(f"{ISSUE}/comments")
    assert len(answer["comments"][-1]["body"]) == 1_000_000
    assert "of its 9,000,000 characters" in answer["left_out"][0]
