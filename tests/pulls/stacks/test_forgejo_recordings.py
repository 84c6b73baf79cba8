"""What a Forgejo 14 says of a pull request that it merged, by each of its ways (cassettes/forgejo-14, 72).

git was not recorded: the same history is made here, and its SHAs stand in the place of the server's.
"""

import json

import pytest
from forgejo_recorded import OWNER, read_interactions

pytestmark = pytest.mark.anyio

OWN = ("b1", {"b.txt": "b1\n"})


def read_recorded(style):
    """Return the pull request as it was read after its merge."""
    rows = [
        row
        for row in read_interactions("72")
        if row["request"]["method"] == "GET" and "/pulls/" in row["request"]["uri"]
    ]
    said = [json.loads(row["response"]["body"]["string"]) for row in rows]
    return next(pull for pull in reversed(said) if pull["title"] == style)


def find_recorded_outcome(stack, style, row):
    """Put the server's words into the API, with our SHAs."""
    shop, text = stack.shop, json.dumps(row)
    head, made = shop.git("rev-parse", style), shop.git("rev-parse", "main")
    kept = row["head"]["sha"] == row["merge_commit_sha"]
    assert kept == (head == made), "the history is as the server's"
    names = {row["merge_commit_sha"]: made, row["head"]["sha"]: head, f"{OWNER}/styles": shop.name}
    for theirs, ours in names.items():
        text = text.replace(theirs, ours)
    shop.pulls[row["number"]] = json.loads(text)


MERGES = {
    "rebase": (["--ff-only"], "fast-forward"),
    "rebase-merge": (["--no-ff"], "merge"),
    "fast-forward-only": (["--ff-only"], "fast-forward"),
    "squash": (None, "squash"),
}


@pytest.mark.parametrize("style", MERGES)
async def test_each_way_of_the_server(stack, manage, perform, subjects, style):
    options, method = MERGES[style]
    row = read_recorded(style)
    number = row["number"]
    base = stack.grow(number, style, "main", ("a1", {"base.txt": "1\n"}), ("a2", {"base.txt": "2\n"}))
    later = stack.grow(9, "feat-b", style, OWN)
    last = stack.shop.git("rev-parse", style)
    if options is None:
        stack.squash(number, style)
    else:
        stack.join(number, style, *options)
    find_recorded_outcome(stack, style, row)
    found = await manage(base, later)
    assert (found["upstream_merge_detected"], found["merge_evidence"]["method"]) == (True, method)
    assert found["last_upstream_commit"] == last
    perform(found)
    assert subjects("feat-b") == ["b1"]
