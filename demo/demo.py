"""What `make demo` runs: the real server, as a host starts it, on exchanges recorded from a real Gitea.

It needs no network and no token, and ends with code 1 when anything it shows is not as told. With the variable PR, the
URL of a public pull request, it reads that one over the network instead.
"""

import asyncio
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from mcp import MCPError

from stithy_testing import Tape, playback, write_plugin

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demo.architecture import architecture
from demo.host import Host, script, served, settings
from demo.stacks import stacks

ROOT = Path(__file__).resolve().parents[1]
CASSETTES = ROOT / "cassettes" / "demo"
LOG = ROOT / "libs" / "ci-failures" / "tests" / "logs" / "gtest" / "fail-fast.log"
FAILED = "tests/test_auth.py::test_login"
HUB = ("github.example", "storage.github.example")
FAILING = ROOT / "cassettes" / "github" / "ci-a-failure-leads-to-its-line-in-the-step-that-failed.yaml"
BROKEN = Path(__file__).with_name("broken") / "broken.py"

REPOSITORY = "hearth/bellows"
PULL = {"repository": REPOSITORY, "pull_request_number": 2}
ISSUE = {"repository": REPOSITORY, "pull_request_number": 1}
COMMENTS = [
    ("nora", "Just what #1 needs, thank you! Could the interval be a setting?"),
    ("tomas", "Good idea: it reads `bellows.interval` now, by default 30 seconds."),
    ("amira", "Tried it here:\n\n```\n8 h, 1.2 bar, no drop\n```\n\nStill in at six 🔥"),
    ("nora", "One thing is open: what happens without any settings file?"),
    ("tomas", "It stays at 30 seconds; `test_without_settings` holds it to that."),
]
REMARKS = [(2, "Does it also stop when the door is open?"), (5, "Say in the name that these are seconds.")]
REVIEWER = "nora"
FIXED = 5
LIMIT = 3
COMMENT = "To sum up: the interval is a setting, 30 seconds by default, and tested. Nothing is open."
MADE = "Pull request comment created successfully. ID: {id}, Created: {created_at}\nComment body: {body}"  # COM-3

PULL_URL = re.compile(r"(?P<repository>https?://\S+?)/pulls?/(?P<number>[1-9][0-9]*)(?:[/?#]\S*)?")

Section = Callable[[Host], Awaitable[None]]


async def greeting(host: Host) -> None:
    """Show what an agent is told before it calls anything."""
    host.title("What the server says first, and its tools")
    host.say(host.client.instructions or "nothing")
    tools = {tool.name: tool for tool in (await host.client.list_tools()).tools}
    longest = max(map(len, tools), default=0)
    for name, tool in tools.items():
        host.say(f"{name.ljust(longest)}  {tool.title}")
    host.expect({"list_plugins", "pr_comment_create", "pr_comment_list"} <= set(tools), "the tools are listed")
    host.expect("1 failed" in (host.client.instructions or ""), "the instructions say that one plugin failed")


async def plugins(host: Host) -> None:
    """Show that a plugin that breaks at its import takes nothing else along."""
    host.title("A broken plugin is survived and named")
    answer = await host.call("list_plugins")
    rows = {row["distribution"]: row for row in answer.data.get("plugins", ())}
    broken = rows.get("stithy-jenkins", {})
    host.expect(
        (broken.get("state"), broken.get("stage")) == ("failed", "import"), "stithy-jenkins fails at its import"
    )
    host.expect("'jenkins'" in broken.get("cause", ""), "the cause names the missing module")
    host.expect("pip install" in broken.get("remedy", ""), "the remedy says what to do")
    loaded = {name for name, row in rows.items() if row["state"] == "loaded"}
    host.expect({"stithy-comments", "stithy-gitea"} <= loaded, "the other plugins are loaded")


async def conversation(host: Host) -> None:
    """Read a pull request's conversation, page by page."""
    host.title("A conversation, in pages that say that there is more")
    first = await host.call("pr_comment_list", **PULL, limit=LIMIT)
    cursor = first.data.get("nextCursor")
    rest = await host.call("pr_comment_list", **PULL, limit=LIMIT, cursor=cursor)
    rows = [*first.data.get("comments", ()), *rest.data.get("comments", ())]
    host.expect([(row["user"], row["body"]) for row in rows] == COMMENTS, "two pages hold the whole conversation")
    host.expect(cursor and cursor in first.text, "the first page ends with a cursor")
    host.expect("nextCursor" not in rest.data, "the last page ends without one")


async def comment(host: Host) -> None:
    """Write a comment."""
    host.title("A comment")
    answer = await host.call("pr_comment_create", **PULL, comment=COMMENT)
    made = answer.data.get("comment", {})
    host.expect(made.get("body") == COMMENT, "the comment says what was given")
    host.expect(made and answer.text == MADE.format(**made), "the text is that of COM-3")


async def review(host: Host) -> None:
    """Act on a review by what the answers say: reply, resolve what was fixed, and see what is left."""
    host.title("A review: what is unresolved, a reply, a thread resolved, and what is left")
    found = await host.call("find_unresolved_comments", pr=f"{REPOSITORY}#2", sort="by_file")
    threads = {row["line_number"]: row for row in found.data.get("comments", ()) if row["type"] == "review_comment"}
    said = [(line, row["body"]) for line, row in threads.items()]
    host.expect(said == REMARKS, "both threads are unresolved")
    if said != REMARKS:
        return
    commands = threads[FIXED]["action_commands"]
    reply, resolve = commands["reply_call"], commands["resolve_call"]
    text = reply["arguments"] | {"body": "It is `INTERVAL_SECONDS` now."}
    posted = await host.call(reply["name"], **text)
    host.expect({"id", "url"} <= set(posted.data), "the reply has an id and a URL (REPLY-3)")
    again = await host.call(reply["name"], **text)
    host.expect(again.data.get("id") == posted.data.get("id"), "the same reply again is the first one")
    settled = await host.call(resolve["name"], **resolve["arguments"])
    host.expect(settled.data.get("resolved") is True, "the thread is resolved, as it was read back")
    left = await host.call("find_unresolved_comments", pr=f"{REPOSITORY}#2", sort="by_file")
    counts = [answer.data.get("total_unresolved", 0) for answer in (found, left)]
    host.expect(counts[0] - counts[1] == 1, "one less is unresolved")


async def failing(host: Host) -> None:
    """Read a log that a real tool wrote, and what failed on a pull request of GitHub, which its double in tests plays.

    That one has a server of its own: a host that names no forge means the only one there is.
    """
    host.title("What failed in CI: which tests, where, why, and how to run exactly those again")
    host.say(f"$ stithy ci parse {LOG.relative_to(ROOT)}")
    told = await asyncio.to_thread(parsed)
    host.say(told.stdout)
    host.expect(told.returncode == 1, "the exit code says that something failed")
    host.expect("1 failed" in told.stdout.splitlines(), "of the whole log one test is left")
    tape = Tape.read([FAILING])
    with playback(tape, hosts=HUB) as url, beside(url) as (folder, environ):
        async with served(environ, folder) as hub:
            answer = await hub.call("get_failing_tests", pr="smith/lab#1")
    entries = answer.data.get("failures", [{}])
    host.expect([entry.get("test_name") for entry in entries] == [FAILED], "the test has its own name")
    host.expect(entries[0].get("rerun") == f"pytest {FAILED}", "a command runs exactly this one again")
    host.expect("#step:2:" in entries[0].get("log_url", ""), "the log is opened at the step that failed")
    for call in tape.missed:
        host.expect(None, f"this request is in the recording: {call}")


async def mistakes(host: Host) -> None:
    """Make the mistakes that agents make; each is answered with what to do instead."""
    host.title("Errors to act on")
    refused = {
        "is an issue, not a pull request": await host.call("pr_comment_list", **ISSUE),
        "must be in format 'owner/repo'": await host.call("pr_comment_list", **PULL | {"repository": "../.."}),
        "comment must not be blank": await host.call("pr_comment_create", **PULL, comment=" \n"),
        "did you mean limit?": await host.call("pr_comment_list", **PULL, limmit=LIMIT),
    }
    for what, answer in refused.items():
        host.expect(answer.is_error and what in answer.data["error"], f"an error says: {what}")


async def statistics(host: Host) -> None:
    """Read what the server counted."""
    host.title("What the server counted")
    counted = await host.read("stithy://statistics")
    tools = ", ".join(f"{name} {row['invocations']}" for name, row in counted["tools"].items())
    totals = f"{counted['invocations']} calls, {counted['failures']} failed, {counted['timeouts']} timed out"
    host.say(f"{totals}, {counted['total_ms']:.1f} ms: {tools}")
    host.expect(counted["invocations"] == host.calls, f"{host.calls} calls are counted")


async def paste(host: Host) -> None:
    """End with what makes a host start the same server."""
    host.title("To paste: the host's configuration, or Claude Code's command, and a stithy.toml")
    entry = {"mcpServers": {"stithy": {"command": script(), "args": ["serve"]}}}
    click.echo(json.dumps(entry, ensure_ascii=False))
    click.echo(f"claude mcp add stithy -- {shlex.quote(script())} serve")
    click.echo(settings("https://git.example", 'token = { env = "WORK_TOKEN" }'), nl=False)


RECORDED: list[Section] = [conversation, comment, review, mistakes]
SECTIONS: list[Section] = [greeting, plugins, *RECORDED, failing, stacks, architecture, statistics, paste]


def parsed() -> "subprocess.CompletedProcess[str]":
    """Call `stithy ci parse` for a log."""
    return subprocess.run([script(), "ci", "parse", str(LOG)], capture_output=True, text=True, check=False)


@contextmanager
def beside(url: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Make a folder with the settings of one GitHub, as `workplace` does for the others."""
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        settled = Path(name, "stithy.toml")
        text = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        settled.write_text(text, encoding="utf-8")
        yield Path(name), {"STITHY_CONFIG": str(settled), "HUB_TOKEN": "0" * 40}


@contextmanager
def workplace(url: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Make a folder with settings and a broken plugin; give it with the variables that lead the server there."""
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        folder, installed = Path(name, "work"), Path(name, "site-packages")
        folder.mkdir()
        installed.mkdir()
        (folder / "stithy.toml").write_text(settings(url), encoding="utf-8")
        write_plugin(installed, "stithy-jenkins", BROKEN.read_text(encoding="utf-8"))
        yield folder, {"STITHY_CONFIG": str(folder / "stithy.toml"), "PYTHONPATH": str(installed)}


async def story() -> int:
    """Run every section on the recordings, and count what was not as told."""
    tape = Tape.read(sorted(CASSETTES.glob("*.yaml")))
    with playback(tape) as url, workplace(url) as (folder, environ):
        async with served(environ, folder) as host:
            for section in SECTIONS:
                await section(host)
    for call in tape.missed:
        host.expect(None, f"this request is in the recording: {call}")
    return len(host.surprises)


async def reading(url: str) -> int:
    """Read one public pull request, with the settings and the variables that are there; count failures."""
    split = PULL_URL.fullmatch(url.strip())
    if split is None:
        click.secho(f"PR={url} is not the URL of a pull request: https://codeberg.org/owner/repo/pulls/1", fg="red")
        return 1
    async with served(os.environ, Path.cwd()) as host:
        host.title(f"The conversation of {url.strip()}")
        place = {"repository": split["repository"], "pull_request_number": int(split["number"])}
        answer = await host.call("pr_comment_list", **place)
    return int(answer.is_error)


def main() -> None:
    """Run the demo."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    url = os.environ.get("PR", "")
    try:
        failures = asyncio.run(reading(url) if url.strip() else story())
    except* (MCPError, OSError) as group:
        click.secho(f"The demo could not go on: {_cause(group)}", fg="red", err=True)
        failures = 1
    sys.exit(1 if failures else 0)


def _cause(error: BaseException) -> BaseException:
    """Find the first error in groups of groups."""
    return _cause(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


if __name__ == "__main__":
    main()
