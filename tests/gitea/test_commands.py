"""Lines for a shell, run by sh and curl: they send what the plugin itself sends."""

import json
import os

import anyio
import pytest
from attrs import evolve
from gitea_loopback import FLAVOURS, PR, ROOT, serve
from lab import Lab
from loopback import Server, starting
from worlds import open_forge, pull_request_of

from stithy_core.spi import Comments, ForgeError, IssueRef, PullRequestRef, RepositoryRef, Threads

pytestmark = pytest.mark.anyio

WORLD = "shell"
SMITHY = RepositoryRef("smith", "anvil")
PULL = PullRequestRef(SMITHY, 2)
TOKEN = "not-a-token-but-as-long-as-one-is-012345"
BODY = 'It\'s "done": $HOME `date` \\n !! %s @me\n- ä😀 \u202eback\u202c\n'
REFUSED, REDIRECTED = 22, 47


@pytest.fixture(params=FLAVOURS)
async def served(request, unproxied, tmp_path):
    """A server of each flavour, and the forge that is there."""
    async with starting() as start:
        server = serve(await start(Server()), request.param)
        async with open_forge(Lab(server.url, "lab", tmp_path, token=TOKEN)) as forge:
            yield server, forge


async def run(line, **variables):
    environ = {"PATH": os.environ["PATH"], "GITEA_TOKEN": TOKEN, "FORGEJO_TOKEN": TOKEN} | variables
    return await anyio.run_process(["sh", "-c", line], env=environ, check=False)


def find_last_post(server):
    """Return path, body and token of the last POST request."""
    request = [one for one in server.received if one.method == "POST"][-1]
    return request.target, json.loads(request.body or "null"), request.headers["authorization"].split()[-1]


async def test_a_reply_is_sent_as_the_plugin_sends_it(served):
    server, forge = served
    (thread,) = await forge.threads.list(PULL)
    line = await forge.command(Threads.reply, PULL, thread=thread, body=BODY)
    await run(line)
    by_line = find_last_post(server)
    with pytest.raises(ForgeError):  # nobody here takes it
        await forge.threads.reply(PULL, thread.id, BODY)
    assert by_line == find_last_post(server)
    assert line.isascii()


async def test_a_comment_is_sent_as_the_plugin_sends_it(served):
    server, forge = served
    await run(await forge.command(Comments.create, IssueRef(SMITHY, 1), body=BODY))
    assert find_last_post(server) == (f"{ROOT}/issues/1/comments", {"body": BODY}, TOKEN)


async def test_only_a_server_that_resolves_threads_has_a_line_for_it(served):
    server, forge = served
    (thread,) = await forge.threads.list(PULL)
    line = await forge.command(Threads.resolve, PULL, thread=thread)
    assert bool(line) is bool(await forge.supports(Threads.resolve))
    if line:
        await run(line)
        assert find_last_post(server) == (f"{ROOT}/pulls/comments/7/resolve", None, TOKEN)


async def test_a_whole_file_is_answered_only_by_the_route_for_replies(served):
    _, forge = served
    (thread,) = await forge.threads.list(PULL)
    line = await forge.command(Threads.reply, PULL, thread=evolve(thread, line=None), body="x")
    assert bool(line) is ("/replies" in line)


async def test_a_line_without_its_token_sends_nothing(served):
    server, forge = served
    name = f"{(await forge.version()).flavour.upper()}_TOKEN"
    done = await run(await forge.command(Comments.create, PULL, body="x"), **{name: ""})
    assert (done.returncode > 0, name in done.stderr.decode()) == (True, True)
    assert not [one for one in server.received if one.method == "POST"]


async def test_a_refusal_fails_with_the_words_of_the_forge(served):
    server, forge = served
    server.answer(f"POST {ROOT}/issues/2/comments", 403, {"message": "locked"})
    done = await run(await forge.command(Comments.create, PULL, body="x"))
    assert (done.returncode, json.loads(done.stdout)) == (REFUSED, {"message": "locked"})


async def test_a_repository_with_another_name_takes_nothing_and_that_fails(served):
    """What answers a POST with a redirect has not taken it, which curl by itself calls a success."""
    server, forge = served
    server.redirect(f"POST {ROOT}/issues/2/comments", f"{PR}/comments", 301)
    assert (await run(await forge.command(Comments.create, PULL, body="x"))).returncode == REDIRECTED
    assert len([one for one in server.received if one.method == "POST"]) == 1


def make(lab):
    """Make a pull request with a thread."""
    lab.commit("main", "Greet", ("create", "greet.py", "print()\n" * 9), new="greet")
    lab.pull("Greet", "greet", "main")
    remark = {"path": "greet.py", "body": "Why?", "new_position": 3}
    lab.post("pulls/1/reviews", {"event": "COMMENT", "body": "", "comments": [remark]})


async def test_a_real_server_takes_the_lines(world):
    """Only while it is recorded are they run; a recording then tells what came of it."""
    pr, token = pull_request_of(world), world.token
    async with open_forge(world) as forge:
        (thread,) = await forge.threads.list(pr)
        asked = [(Comments.create, None), (Threads.reply, thread), (Threads.resolve, thread)]
        lines = [await forge.command(operation, pr, thread=given, body=BODY) for operation, given in asked]
        for line in lines if world.live else ():
            assert not line or (await run(line, GITEA_TOKEN=token, FORGEJO_TOKEN=token)).returncode == 0
        (after,) = await forge.threads.list(pr)
        assert [one.body for one in await forge.comments.list(pr)] == [BODY]
    assert [one.body for one in after.comments] == ["Why?", BODY]
    assert after.resolved is bool(lines[2])
