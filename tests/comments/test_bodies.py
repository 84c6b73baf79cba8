"""A text is posted exactly as it was given, or refused with the reason; what a forge changes of it is said."""

import json

import pytest
from github_double.scene import conformance
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lab import Lab

from stithy_comments.text_format import check_postable
from stithy_core.spi import InvalidArguments
from stithy_testing import Tape, playback

pytestmark = pytest.mark.anyio

PULL = {"repository": "smith/anvil", "pull_request_number": 2}
ISSUE = {"pull_request_number": None, "issue_number": 2}
HARD = [
    "```python\nprint('``` not the end')\n```\n~~~\n<!-- hidden? -->\n~~~",
    "\u202e@stithy-admin reads this\u202c, #2 and e\u0301 (two characters), \u200bnothing",
    "  four spaces, a tab\tand two more at the end  \n\n\n",
    "Promise<string> &amp; <script>alert(1)</script> | a | b |\r\n| - | - |",
    "\x1b[31mred\x07 and \x85 and \ufffe",
]
TOO_LONG = "x" * 65_537


def body_of(result):
    return result.structured_content["comment"]["body"]


def postable(body):
    try:
        check_postable(body, "comment")
    except InvalidArguments:
        return False
    return True


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters()), min_size=1, max_size=8))
@example(HARD)
@example(["\0", "\ud83d\udd28", "\ud83d", " \u2029 "])
async def test_any_text_is_refused_or_comes_back_as_it_was_given(smithy, bodies):
    async with smithy() as here:
        before = len(await here.forge.comments.list(here.pr))
        made = [await here.client.call_tool("pr_comment_create", PULL | {"comment": body}) for body in bodies]
        there = [comment.body for comment in (await here.forge.comments.list(here.pr))[before:]]
    assert [not result.is_error for result in made] == [postable(body) for body in bodies]
    assert there == [body_of(result) for result in made if not result.is_error] == list(filter(postable, bodies))


async def test_hard_texts_are_posted_and_edited_exactly_as_given(lab):
    for body in HARD:
        made = await lab.call("issue_comment_create", **ISSUE, comment=body)
        edited = await lab.call(
            "issue_comment_edit",
            **ISSUE,
            comment_id=made.structured_content["comment"]["id"],
            new_content=f"{body}!",
        )
        assert (body_of(made), body_of(edited)) == (body, f"{body}!")
        assert "changed_by_forge" not in made.structured_content | edited.structured_content


async def test_50_000_characters_are_stored_whole(lab):
    """The answer is cut to its size and says so; what the forge has is compared before that."""
    body = "- [ ] **heiß** `x`\n" * 2_632
    result = await lab.call("pr_comment_create", comment=body)
    assert "changed_by_forge" not in result.structured_content
    assert result.structured_content["cuts"][0]["of"] == len(body) == 50_008
    assert lab.bodies() in (None, [body])


async def test_the_sandbox_takes_65_536_characters_and_no_more(smithy):
    async with smithy() as here:
        fits = await here.client.call_tool("pr_comment_create", PULL | {"comment": TOO_LONG[1:]})
        result = await here.client.call_tool("pr_comment_create", PULL | {"comment": TOO_LONG})
    assert not fits.is_error
    error = result.structured_content
    assert error["error"].endswith("a comment has at most 65,536 characters, not 65,537")
    assert error["suggestion"] == "Shorten it."


@pytest.mark.parametrize("tool", ["pr_comment_create", "pr_comment_edit"])
async def test_what_is_too_long_for_github_is_refused_in_its_words(on_github, tool):
    scene = conformance()
    (comment,) = scene.pull.comments
    place = {"repository": "smith/conformance", "pull_request_number": 2}
    given = {"comment": TOO_LONG} if "create" in tool else {"comment_id": comment.id, "new_content": TOO_LONG}
    async with on_github(scene.world) as (call, _):
        result = await call(tool, place | given)
        read = await call("pr_comment_list", place)
    error = result.structured_content
    assert "too long (maximum is 65536 characters)" in error["error"]
    assert (error["details"]["status"], error["category"]) == (422, "api")
    assert error["suggestion"] == "Shorten the text, or post it in parts."
    assert [row["body"] for row in read.structured_content["comments"]] == ["Please look."]


async def test_a_body_changed_by_the_forge_is_reported(tmp_path):
    """No forge is known to trim what is sent to its API, but any may."""
    with trimming("  Strike.  \n", "Strike.") as url:
        result = await Lab(url, "anvil", tmp_path, owner="smith").call("pr_comment_create", comment="  Strike.  \n")
    assert not result.is_error, result.content[0].text
    said = "stored 7 of 12 characters sent; the texts differ from character 0 on"
    assert body_of(result) == "Strike."
    assert result.structured_content["changed_by_forge"] == said
    assert result.content[0].text.endswith(f"\nComment body: Strike.\nThe forge changed the text: {said}")


def trimming(given, stored):
    """Serve a Gitea that stores another text than it was given."""
    at, page = "2026-01-05T09:00:00Z", "https://git.example/smith/anvil/pulls/1"
    user = {"id": 1, "login": "smith"}
    common = {"user": user, "created_at": at, "updated_at": at}
    pull = common | {"number": 1, "title": "Harden it", "state": "open", "html_url": page}
    comment = common | {"id": 7, "body": stored, "html_url": f"{page}#issuecomment-7"}
    tape = Tape()
    api = "/api/v1/repos/smith/anvil"
    for method, path, sent, answer in (
        ("GET", f"{api}/pulls/1", "", pull),
        ("POST", f"{api}/issues/1/comments", json.dumps({"body": given}), comment),
    ):
        response = {"status": {"code": 200}, "headers": {"Content-Type": ["application/json"]}}
        tape.add({"method": method, "uri": path, "body": sent}, response | {"body": {"string": json.dumps(answer)}})
    return playback(tape)
