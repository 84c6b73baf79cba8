"""reply_to_review_comment (REPLY-1): what it posts and where, and that the same call twice posts once."""

import pytest

from stithy_core.spi import User
from stithy_sandbox.world import World

pytestmark = pytest.mark.anyio

REPLY = "reply_to_review_comment"
OPEN, RESOLVED = 14, 3
MARKDOWN = "Fixed in abc123, @smith :hammer:\r\n\r\n```python\nPromise<string>  # <b>\n```\n- [x] done\n\u202e| a | b |"


def text(result):
    return result.content[0].text


async def test_a_reply_is_the_last_comment_of_its_thread(smithy):
    """REPLY-2: in the thread, and nowhere else."""
    async with smithy() as here:
        before = await here.thread(OPEN)
        result = await here.call(REPLY, comment_id=int(before.comments[0].id), body="Rockwell.")
        after = await here.thread(OPEN)
    reply = after.comments[-1]
    assert [comment.body for comment in after.comments] == [*(one.body for one in before.comments), "Rockwell."]
    assert result.structured_content == {"id": int(reply.id), "url": reply.url}
    assert text(result) == f"Reply posted. ID: {reply.id}, URL: {reply.url}"


async def test_an_answer_to_a_reply_is_in_the_same_thread(smithy):
    """The id may be that of any comment in the thread."""
    async with smithy() as here:
        last = (await here.thread(RESOLVED)).comments[-1]
        result = await here.call(REPLY, comment_id=int(last.id), body="Thanks.")
        thread = await here.thread(RESOLVED)
    assert len(thread.comments) == 3
    assert str(result.structured_content["id"]) == thread.comments[-1].id


async def test_a_reply_to_a_resolved_thread_leaves_it_resolved(smithy):
    """Edge case "Resolved Comment Threads"; and a reply never resolves anything."""
    async with smithy() as here:
        for line in (RESOLVED, OPEN):
            root = (await here.thread(line)).comments[0].id
            assert not (await here.call(REPLY, comment_id=int(root), body="Still true.")).is_error
        assert (await here.thread(RESOLVED)).resolved is True
        assert (await here.thread(OPEN)).resolved is False


@pytest.mark.parametrize("state", ["draft", "closed", "merged"])
async def test_a_pull_request_in_any_state_takes_replies(smithy, state):
    """REPLY-12."""
    async with smithy() as here:
        number = pull_in_state(here.world, here.pr, state)
        thread = here.world.add_thread(number, "anvil/horn.py", 14, "And this?")
        arguments = {"pull_number": number.number, "comment_id": int(thread.comments[0].id)}
        result = await here.call(REPLY, **arguments, body="Later.")
        said = {one.id: one.comments[-1].body for one in await here.forge.threads.list(number)}
    assert not result.is_error
    assert said[thread.id] == "Later."


def pull_in_state(world, pr, state):
    """Make the pull request a draft, closed or merged, and return it."""
    if state == "draft":
        return world.add_pull_request(pr.repository, "Not yet", branch="harden-horn", draft=True)
    (world.merge if state == "merged" else world.close)(pr)
    return pr


async def test_markdown_is_posted_to_the_letter(smithy):
    """REPLY-9: what was sanitised when it was read must not be written back."""
    async with smithy() as here:
        root = (await here.thread(OPEN)).comments[0].id
        result = await here.call(REPLY, comment_id=int(root), body=MARKDOWN)
        assert (await here.thread(OPEN)).comments[-1].body == MARKDOWN
    assert "changed_by_forge" not in result.structured_content


class Trimming(World):
    """A world that drops the space around what people say."""

    def add_reply(self, pr, thread, body, author=None, **fields):
        return super().add_reply(pr, thread, body.strip(), author, **fields)


async def test_a_text_that_the_forge_changed_is_said_to_be_changed(smithy):
    world = Trimming("http://sandbox.invalid")
    pr = world.add_pull_request(world.add_repository("smith/anvil"), "Harden the horn")
    root = world.add_thread(pr, "anvil/horn.py", 7, "Why?").comments[0].id
    async with smithy() as here:
        here.forge.world = world
        result = await here.call(REPLY, pull_number=pr.number, comment_id=int(root), body="Because.\n")
    assert "stored 8 of 9 characters sent" in result.structured_content["changed_by_forge"]
    assert "stored 8 of 9 characters sent" in text(result)


async def test_fifty_thousand_characters_are_posted_to_the_letter(smithy):
    """And the answer stays minimal (REPLY-3)."""
    body = "é <details>\n" * 4_166
    async with smithy() as here:
        root = (await here.thread(OPEN)).comments[0].id
        result = await here.call(REPLY, comment_id=int(root), body=body)
        assert (await here.thread(OPEN)).comments[-1].body == body
    assert set(result.structured_content) == {"id", "url"}


async def test_the_same_reply_again_posts_nothing_and_says_so(smithy):
    """A repeated call is given the first reply, also when it names another comment of the thread."""
    async with smithy() as here:
        root = int((await here.thread(OPEN)).comments[0].id)
        first = (await here.call(REPLY, comment_id=root, body="Rockwell.")).structured_content
        again = [await here.call(REPLY, comment_id=name, body="Rockwell.") for name in (root, first["id"])]
        assert len((await here.thread(OPEN)).comments) == 2
    hint = "It was posted in this thread within the last day. Pass allow_duplicate=true to post it again."
    assert [result.structured_content for result in again] == [first | {"repeated": True, "note": hint}] * 2
    assert text(again[0]).startswith(f"Nothing was posted: the same reply exists already. ID: {first['id']}, URL: ")
    assert "allow_duplicate=true" in text(again[0])


async def test_allow_duplicate_posts_the_same_text_again(smithy):
    async with smithy() as here:
        root = int((await here.thread(OPEN)).comments[0].id)
        first, second = [
            (await here.call(REPLY, comment_id=root, body="Rockwell.", allow_duplicate=again)).structured_content
            for again in (False, True)
        ]
        assert len((await here.thread(OPEN)).comments) == 3
    assert second["id"] > first["id"]
    assert "repeated" not in second


async def test_another_text_and_another_thread_are_no_repetition(smithy):
    async with smithy() as here:
        for line, body in ((OPEN, "Done."), (OPEN, "Done!"), (RESOLVED, "Done!")):
            root = int((await here.thread(line)).comments[0].id)
            result = await here.call(REPLY, comment_id=root, body=body)
            assert "repeated" not in result.structured_content


async def test_the_same_words_of_somebody_else_are_no_repetition(smithy):
    async with smithy() as here:
        thread = await here.thread(OPEN)
        here.world.add_reply(here.pr, thread.id, "Agreed.", User(login="striker", id="77"))
        result = await here.call(REPLY, comment_id=int(thread.comments[0].id), body="Agreed.")
        assert "repeated" not in result.structured_content
        assert len((await here.thread(OPEN)).comments) == 3


async def test_after_a_day_the_same_text_is_a_new_reply(smithy):
    """By the forge's clock, on which each new thing of this world takes a minute."""
    async with smithy() as here:
        root = int((await here.thread(OPEN)).comments[0].id)
        await here.call(REPLY, comment_id=root, body="Bump.")
        for _ in range(24 * 60):
            here.world.stamp()
        repeated = (await here.call(REPLY, comment_id=root, body="Bump.")).structured_content.get("repeated")
        here.world.stamp()
        late = (await here.call(REPLY, comment_id=root, body="Bump.")).structured_content.get("repeated")
    assert (repeated, late) == (True, None)


async def test_a_dry_run_posts_nothing_and_shows_what_would_be_posted(smithy):
    async with smithy() as here:
        root = (await here.thread(OPEN)).comments[0].id
        result = await here.call(REPLY, comment_id=int(root), body="Rockwell.", dry_run=True)
        assert len((await here.thread(OPEN)).comments) == 1
    (planned,) = result.structured_content["requests"]
    assert "Threads.reply(smith/anvil#2" in planned["operation"]
    assert "Rockwell." in planned["operation"]


async def test_lockdown_and_a_list_of_repositories_let_replies_pass(smithy):
    """There the forge's http is shut for tools."""
    async with smithy('lockdown = true\nrepositories = ["smith/anvil"]\n') as here:
        root = (await here.thread(OPEN)).comments[0].id
        result = await here.call(REPLY, comment_id=int(root), body="Rockwell.")
        assert not result.is_error
        assert (await here.thread(OPEN)).comments[-1].body == "Rockwell."


async def test_the_tool_is_a_writing_one_of_its_toolset(smithy):
    """REPLY-16; the schema has what REPLY-1 lists, all of it required."""
    async with smithy() as here:
        tools = {tool.name: tool for tool in (await here.client.list_tools()).tools}
    tool = tools[REPLY]
    assert tool.input_schema["required"] == ["owner", "repo", "pull_number", "comment_id", "body"]
    assert tool.annotations.read_only_hint is False
    assert tool.annotations.destructive_hint is False


async def test_another_toolset_leaves_it_out(smithy):
    """REPLY-16: it is of repository_management."""
    async with smithy('[serve]\ntoolsets = ["pull_requests"]\n') as here:
        assert REPLY not in {tool.name for tool in (await here.client.list_tools()).tools}
    async with smithy('[serve]\ntoolsets = ["repository_management"]\n') as here:
        assert REPLY in {tool.name for tool in (await here.client.list_tools()).tools}
