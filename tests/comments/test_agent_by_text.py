"""An agent that reads nothing but the text blocks answers every thread and resolves those that were fixed."""

import re

import pytest

from stithy_core.spi import PullRequestRef, RepositoryRef, User
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

ENTRY = re.compile(r"^- \[(?P<id>\d+)] thread (?P<thread>\S+) (?P<place>\S+), (?P<author>[^,:]+)", re.MULTILINE)
CALL = re.compile(r"(?P<tool>\w+)(?P<given>( \w+=(?:(?! \w+=).)*)+)$")
CURSOR = re.compile(r'More: call again with cursor="([^"]+)"')


def call_in(text, label):
    """Read the call that a line of the text says to make."""
    line = next(line for line in text.splitlines() if line.startswith(label))
    found = CALL.search(line.partition(": ")[2])
    return found["tool"], dict(pair.split("=", 1) for pair in re.split(r" (?=\w+=)", found["given"].strip()))


def arguments(given, **chosen):
    return {name: chosen.get(name, int(value) if value.isdecimal() else value) for name, value in given.items()}


async def texts_of(client, tool, given):
    """Read all pages of a list, as far as its text says that there are more."""
    while True:
        result = await client.call_tool(tool, given)
        assert not result.is_error, result.content[0].text
        yield (text := result.content[0].text)
        if not (more := CURSOR.search(text)):
            return
        given = given | {"cursor": more[1]}


async def test_every_open_thread_is_answered_and_the_fixed_ones_are_resolved(tmp_path):
    app = make_app(tmp_path, '[forges.play]\nkind = "sandbox"\n')
    async with connect(app) as client:
        world = app.forges.forge("play").world
        pr = PullRequestRef(RepositoryRef("smith", "anvil"), 2)
        for line in range(1, 41):
            world.add_thread(pr, "anvil/horn.py", line, f"What is line {line} for?", User(login="bob", id="901"))
        entries, text = [], ""
        async for text in texts_of(client, "find_unresolved_comments", {"pr": "smith/anvil#2"}):
            entries += ENTRY.finditer(text)
        reply, how = call_in(text, "To reply to a thread")
        resolve, when = call_in(text, "ONLY after verifying the fix")
        for entry in entries:
            said = arguments(how, comment_id=int(entry["id"]), body=f"Fixed at {entry['place']}.")
            assert not (await client.call_tool(reply, said)).is_error
        fixed = entries[::2]
        for entry in fixed:
            settled = await client.call_tool(resolve, arguments(when, thread_id=entry["thread"]))
            assert "resolved" in settled.content[0].text
        left = [text async for text in texts_of(client, "find_unresolved_comments", {"pr": "smith/anvil#2"})]
    assert (len(entries), len(fixed)) == (41, 21)  # one is the sample's own
    assert left[0].startswith("22 unresolved on smith/anvil#2: 20 threads, 1 review, 1 comment\n")
    assert all(len(thread.comments) > 1 for thread in world.pull(pr).threads.values() if thread.resolved is not True)
