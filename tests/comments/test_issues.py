"""issue_list and pr_list, on recordings of real servers and on live ones."""

import pytest

pytestmark = pytest.mark.anyio

ALL = {"pull_request_number": None}


def text(result):
    return result.content[0].text


def times(row):
    created, updated = row["created_at"], row["updated_at"]
    return created if updated == created else f"{created}, updated {updated}"


def numbers(result, of="issues"):
    return [row["number"] for row in result.structured_content[of]]


async def test_issues_are_listed_without_pull_requests(lab):
    """A lab has a pull request, #1, and an issue, #2."""
    result = await lab.call("issue_list", **ALL)
    (row,) = result.structured_content["issues"]
    assert set(row) == {"number", "title", "state", "author", "labels", "comments", "created_at", "updated_at", "url"}
    assert (row["number"], row["title"], row["author"], row["comments"]) == (2, "It does not greet", lab.owner, 0)
    assert row["url"].endswith(f"/{lab.repository}/issues/2")
    assert result.structured_content["total"] == 1
    assert text(result).splitlines() == [
        f"1 of 1 open issues in {lab.repository}, newest first",
        f"- #2 It does not greet: open, by {lab.owner}, {times(row)}",
        f"URL: {row['url'].removesuffix('2')}ID",
    ]


async def test_pull_requests_are_listed_with_their_branches(lab):
    result = await lab.call("pr_list", **ALL)
    (row,) = result.structured_content["pull_requests"]
    assert {name: row[name] for name in ("number", "head", "base", "from_fork", "draft", "merged", "labels")} == {
        "number": 1,
        "head": "greet",
        "base": "main",
        "from_fork": False,
        "draft": False,
        "merged": False,
        "labels": [],
    }
    assert f"- #1 Greet: open, by {lab.owner}, greet -> main, {times(row)}" in text(result)


async def test_a_draft_is_told_from_what_is_ready(lab):
    lab.setup("PATCH", f"/repos/{lab.repository}/pulls/1", {"title": "WIP: Greet"})
    result = await lab.call("pr_list", **ALL)
    assert result.structured_content["pull_requests"][0]["draft"] is True
    assert "- #1 WIP: Greet: open draft, by " in text(result)


async def test_what_was_merged_is_closed_and_says_so(lab):
    lab.until("pulls/1", lambda pull: pull["mergeable"])
    lab.post("pulls/1/merge", {"Do": "merge"})
    none = await lab.call("pr_list", **ALL)
    result = await lab.call("pr_list", **ALL, state="closed")
    (row,) = result.structured_content["pull_requests"]
    assert (row["state"], row["merged"]) == ("closed", True)
    assert "- #1 Greet: merged, by " in text(result)
    assert text(none) == f"No open pull requests in {lab.repository}"


async def test_a_list_is_of_one_state_or_of_all(lab):
    for title in ("It greets twice", "It greets nobody"):
        lab.post("issues", {"title": title, "closed": True})
    found = {state: await lab.call("issue_list", **ALL, state=state) for state in ("open", "closed", "all")}
    assert {state: numbers(result) for state, result in found.items()} == {
        "open": [2],
        "closed": [4, 3],
        "all": [4, 3, 2],
    }
    assert [result.structured_content["total"] for result in found.values()] == [1, 2, 3]
    assert text(found["all"]).startswith(f"3 of 3 issues in {lab.repository}, newest first\n")


async def test_a_list_goes_on_behind_its_cursor(lab):
    label = (lab.post("labels", {"name": "bug", "color": "#ee0701"}) or {}).get("id")
    for title in ("three", "four", "five", "six"):
        lab.post("issues", {"title": title, "labels": [label]})
    first = await lab.call("issue_list", **ALL, limit=2)
    second = await lab.call("issue_list", **ALL, limit=2, cursor=first.structured_content["nextCursor"])
    third = await lab.call("issue_list", **ALL, limit=2, cursor=second.structured_content["nextCursor"])
    assert [numbers(page) for page in (first, second, third)] == [[6, 5], [4, 3], [2]]
    assert "nextCursor" not in third.structured_content
    assert f"- #6 six [bug]: open, by {lab.owner}, " in text(first)


async def test_an_empty_list_of_issues_says_so(lab):
    result = await lab.call("issue_list", **ALL, state="closed")
    assert result.structured_content["issues"] == []
    assert text(result) == f"No closed issues in {lab.repository}"


async def test_a_list_of_a_repository_that_is_not_there(lab):
    result = await lab.call("issue_list", **ALL, repository=f"{lab.owner}/nothing")
    assert result.structured_content["error"].startswith("Failed to list issues: lab has no repository ")
