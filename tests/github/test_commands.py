"""Shell commands, run unchanged with a `gh` that asks the double."""

import json
import subprocess
import sys

import gh
import pytest
from attrs import evolve
from programs import stand_in

from stithy_core.spi import Comments, IssueRef, PullRequestRef, RepositoryRef, Threads

pytestmark = pytest.mark.anyio

REPOSITORY = RepositoryRef("forge", "anvil")
ISSUE, PR = IssueRef(REPOSITORY, 1), PullRequestRef(REPOSITORY, 2)
URLS = {
    "github.com": "https://github.com",
    "octo.ghe.com": "https://octo.ghe.com",
    "forge.example": "https://forge.example",
}
TEXTS = ("YOUR_RESPONSE_HERE", 'It\'s $HOME, `id` and "me"\n\\n', "@/etc/passwd", "-f body=x", "körnig 🔨", "body=[1]")


@pytest.fixture
def run(tmp_path, double):
    """A function that runs a command in a shell and returns the JSON that it prints."""
    path = stand_in(tmp_path, "gh", f'exec "{sys.executable}" "{gh.__file__}" "$@"')

    def line(text):
        servers = dict.fromkeys(URLS, (double.url, double.world.token))
        environ = {"PATH": path, "STITHY_GH": json.dumps(servers)}
        return json.loads(subprocess.run(["sh", "-c", text], env=environ, check=True, capture_output=True).stdout)

    return line


@pytest.fixture
async def thread(github, double):
    """An unresolved thread, as the forge reads it from the double."""
    async with github(double.url, token=double.world.token) as forge:
        return next(one for one in await forge.threads.list(PR) if one.comments[0].body.startswith("Does this belong"))


@pytest.mark.contract
@pytest.mark.parametrize("host", URLS)
async def test_a_comment_is_created_on_every_host(github, run, example, host):
    async with github(URLS[host]) as forge:
        line = await forge.command(Comments.create, ISSUE, body="Hello.")
    assert run(line)["body"] == example.issue.comments[-1].body == "Hello."


@pytest.mark.contract
@pytest.mark.parametrize("text", TEXTS)
async def test_a_text_is_sent_unchanged(github, run, example, thread, text):
    async with github(URLS["github.com"]) as forge:
        answered = run(await forge.command(Threads.reply, PR, thread=thread, body=text))
        said = run(await forge.command(Comments.create, ISSUE, body=text))
    assert (answered["body"], said["body"]) == (text, text)
    assert str(answered["in_reply_to_id"]) == thread.comments[0].id


@pytest.mark.contract
async def test_the_placeholder_of_a_command_can_be_replaced(github, run, thread):
    async with github(URLS["github.com"]) as forge:
        line = await forge.command(Threads.reply, PR, thread=thread, body="YOUR_RESPONSE_HERE")
    assert run(line.replace("YOUR_RESPONSE_HERE", "Done; see `main` & $HOME."))["body"] == "Done; see `main` & $HOME."


@pytest.mark.contract
async def test_a_thread_is_resolved(github, run, example, thread):
    async with github(URLS["forge.example"]) as forge:
        answer = run(await forge.command(Threads.resolve, PR, thread=thread))
    found = answer["data"]["resolveReviewThread"]["thread"]
    assert found == {"id": thread.id, "isResolved": True}
    assert example.world.thread(int(thread.id[-10:], 16)).resolved_by is example.world.user


@pytest.mark.contract
async def test_there_is_no_command_for_what_gh_cannot_do(github, thread):
    """`gh` takes no REST ids of threads, and reaches no server beside HTTPS at the default port."""
    async with github(URLS["github.com"]) as forge:
        assert await forge.command(Threads.resolve, PR, thread=evolve(thread, id="5000000001")) == ""
        assert await forge.command(Threads.reply, PR, thread=evolve(thread, comments=()), body="Hm.") == ""
        assert await forge.command(Threads.unresolve, PR, thread=thread) == ""
    for url in ("http://127.0.0.1:8080", "https://forge.example:8443"):
        async with github(url) as forge:
            assert await forge.command(Comments.create, ISSUE, body="Hm.") == ""


async def test_a_command_contains_no_token(github):
    async with github(URLS["forge.example"], token="secret-of-smith") as forge:
        line = await forge.command(Comments.create, ISSUE, body="Hello.")
    assert line == "gh api --hostname forge.example -X POST repos/forge/anvil/issues/1/comments -f body='Hello.'"
