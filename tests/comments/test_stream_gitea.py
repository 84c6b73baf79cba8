"""get_pull_request_conversation on real servers: reviews, remarks, comments and events of one pull request."""

from itertools import groupby

import pytest
from lab import READER

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

WORLD = "lab-stream"
SUDO = f"?sudo={READER}"
GREET = "".join(f"print({line})\n" for line in range(6))
TOOL = "get_pull_request_conversation"


def make(lab):
    """Make pull request 1 and issue 2: a comment that is edited later, reviews by two, a label, a push and a draft."""
    lab.commit("main", "Greet", ("create", "greet.py", GREET), new="greet")
    lab.pull("Greet", "greet", "main")
    lab.post("issues", {"title": "It does not greet"})
    first = lab.post("issues/1/comments", {"body": "Ready for a look."})["id"]
    review(lab, "REQUEST_CHANGES", "Say hello.", 2, SUDO)
    review(lab, "COMMENT", "", 2)
    lab.post(f"issues/1/comments{SUDO}", {"body": "- [ ] Say hello in the title"})
    label = lab.post("labels", {"name": "bug", "color": "#ee0701"})["id"]
    lab.post("issues/1/labels", {"labels": [label]})
    lab.setup("PATCH", f"/repos/{lab.repository}/issues/1", {"title": "Greet all"})
    lab.commit("greet", "Go on", ("create", "more.txt", "more\n"))
    lab.setup("PATCH", f"/repos/{lab.repository}/issues/comments/{first}", {"body": "Ready, please look."})
    review(lab, "PENDING", "Not said yet.", 4)
    lab.until("issues/1/timeline", lambda rows: any(row["type"] == "pull_push" for row in rows))


def review(lab, event, body, line, who=""):
    comments = [{"path": "greet.py", "body": f"Why {line}?", "new_position": line, "old_position": 0}]
    lab.post(f"pulls/1/reviews{who}", {"event": event, "body": body, "comments": comments})


async def ask(lab, **arguments):
    settings = f'[forges.lab]\nkind = "gitea"\nurl = "{lab.url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
    app = make_app(lab.folder, settings, environ={"LAB_TOKEN": lab.token})
    async with connect(app) as client:
        return await client.call_tool(TOOL, {"pr": f"lab:{lab.repository}#1"} | arguments)


async def read(lab, **arguments):
    result = await ask(lab, **arguments)
    assert not result.is_error, result.content[0].text
    return result.structured_content


def bodies(answer):
    return {row["body"] for row in answer["comments"]}


async def test_all_that_was_said_is_one_list(world):
    """A review without a text is not an item; its remark is."""
    answer = await read(world)
    assert bodies(answer) == {
        "Ready, please look.",
        "Say hello.",
        "Why 2?",
        "- [ ] Say hello in the title",
        "Not said yet.",
        "Why 4?",
    }
    assert [row["type"] for row in answer["comments"]].count("review") == 5
    assert answer["total"] == len(answer["comments"]) == 7


async def test_items_stand_by_time_and_then_by_id_as_text_and_the_draft_last(world):
    found = (await read(world))["comments"]
    timed = [(row["created_at"], row["id"]) for row in found if "created_at" in row]
    assert timed == sorted(timed)
    assert found[-1]["body"] == "Not said yet."
    assert {row["body"] for row in found if row.get("review_state") == "pending"} == {"Not said yet.", "Why 4?"}


async def test_the_second_remark_at_a_line_answers_the_first(world):
    first, second = (row for row in (await read(world))["comments"] if row["body"] == "Why 2?")
    assert (first["file_path"], first["line"], first["author"]["login"]) == ("greet.py", 2, READER)
    assert second["in_reply_to_id"] == first["id"]
    assert first["html_url"].endswith(f"/pulls/1#issuecomment-{first['id']}")


async def test_a_timeline_adds_labels_and_pushes_and_repeats_nothing(world):
    apart = await read(world)
    answer = await read(world, include=["review", "issue", "timeline"])
    assert [row for row in answer["comments"] if row["type"] != "timeline"] == apart["comments"]
    events = [row["body"].partition(":")[0] for row in answer["comments"] if row["type"] == "timeline"]
    assert sorted({event: len(list(same)) for event, same in groupby(sorted(events))}) == ["labeled", "pushed"]
    assert "renamed 1" in answer["left_out"][0]
    assert "commented" not in answer["left_out"][0]


async def test_a_timeline_alone_says_what_the_reviews_came_to(world):
    """The servers have an event for one's own draft as well."""
    found = (await read(world, include=["timeline"], events=["reviewed"]))["comments"]
    assert [(row["author"]["login"], row["review_state"]) for row in found] == [
        (READER, "changes_requested"),
        (world.owner, "commented"),
        (world.owner, "pending"),
    ]


async def test_since_gives_what_was_edited_then_though_it_is_older(world):
    rows = (await read(world))["comments"]
    edited = next(row for row in rows if row["body"] == "Ready, please look.")
    found = (await read(world, since=edited["updated_at"]))["comments"]
    assert edited in found
    assert all(row["updated_at"] >= edited["updated_at"] for row in found if "updated_at" in row)


async def test_a_summary_says_who_asks_for_what(world):
    text = (await read(world, summarize="compact"))["summary"]["text"]
    blocking, *_ = (row for row in (await read(world))["comments"] if row["body"] == "Say hello.")
    assert f"- {READER} changes requested [{blocking['id']}]" in text
    assert f'- {READER} [{blocking["id"]}]: "Say hello."' in text
    assert f"- open greet.py:2 {READER}, 1 answered [" in text
    assert '"Say hello in the title"' in text


async def test_an_issue_is_no_pull_request(world):
    result = await ask(world, pr=f"lab:{world.repository}#2")
    assert result.is_error
    assert result.structured_content["error"].endswith("#2 is an issue, not a pull request")
