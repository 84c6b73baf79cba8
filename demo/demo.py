"""The program of `make demo`: the real server, started as a host does, on exchanges recorded from a real Gitea.

It needs no network and no token, and exits with code 1 if a result is not as expected. With the variable PR, the URL of
a public pull request, it reads that one over the network instead.
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

from demo.architecture import show_architecture
from demo.host import Host, find_script, format_settings, run_server
from demo.merge_request import show_merge_request
from demo.stacks import show_stack

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
# The text of COM-3.
CREATED_TEXT = (
    "Pull request comment created successfully. ID: {id}, Created: {created_at}\nComment body: {body}"  # COM-3
)

PULL_URL = re.compile(r"(?P<repository>https?://\S+?)/(?:pulls?|-/merge_requests)/(?P<number>[1-9][0-9]*)(?:[/?#]\S*)?")

Section = Callable[[Host], Awaitable[None]]


async def show_instructions(host: Host) -> None:
    """Print the server's instructions and its tools, as an agent receives them before its first call."""
    host.title("The server's instructions and its tools")
    host.say(host.client.instructions or "nothing")
    tools = {tool.name: tool for tool in (await host.client.list_tools()).tools}
    longest = max(map(len, tools), default=0)
    for name, tool in tools.items():
        host.say(f"{name.ljust(longest)}  {tool.title}")
    host.expect({"list_plugins", "pr_comment_create", "pr_comment_list"} <= set(tools), "the tools are listed")
    host.expect("1 failed" in (host.client.instructions or ""), "the instructions say that one plugin failed")


async def show_broken_plugin(host: Host) -> None:
    """Show that a plugin that fails at its import does not affect the others."""
    host.title("A broken plugin is contained and named")
    answer = await host.call("list_plugins")
    rows = {row["distribution"]: row for row in answer.data.get("plugins", ())}
    broken = rows.get("stithy-jenkins", {})
    host.expect(
        (broken.get("state"), broken.get("stage")) == ("failed", "import"), "stithy-jenkins fails at its import"
    )
    host.expect("'jenkins'" in broken.get("cause", ""), "the cause names the missing module")
    host.expect("install the package" in broken.get("remedy", ""), "the remedy says what to install")
    loaded = {name for name, row in rows.items() if row["state"] == "loaded"}
    host.expect({"stithy-comments", "stithy-gitea"} <= loaded, "the other plugins are loaded")


async def read_conversation(host: Host) -> None:
    """Read a pull request's conversation, page by page."""
    host.title("A conversation, page by page")
    first = await host.call("pr_comment_list", **PULL, limit=LIMIT)
    cursor = first.data.get("nextCursor")
    rest = await host.call("pr_comment_list", **PULL, limit=LIMIT, cursor=cursor)
    rows = [*first.data.get("comments", ()), *rest.data.get("comments", ())]
    host.expect([(row["user"], row["body"]) for row in rows] == COMMENTS, "two pages hold the whole conversation")
    host.expect(cursor and cursor in first.text, "the first page ends with a cursor")
    host.expect("nextCursor" not in rest.data, "the last page ends without one")


async def write_comment(host: Host) -> None:
    """Write a comment."""
    host.title("A comment")
    answer = await host.call("pr_comment_create", **PULL, comment=COMMENT)
    created = answer.data.get("comment", {})
    host.expect(created.get("body") == COMMENT, "the comment has the text of the call")
    host.expect(created and answer.text == CREATED_TEXT.format(**created), "the text is that of COM-3")


async def answer_review(host: Host) -> None:
    """Act on a review by the commands in the results: reply, and resolve a fixed thread."""
    host.title("A review: unresolved comments, a reply, a thread resolved, and the remaining comments")
    before = await host.call("find_unresolved_comments", pr=f"{REPOSITORY}#2", sort="by_file")
    threads = {row["line_number"]: row for row in before.data.get("comments", ()) if row["type"] == "review_comment"}
    remarks = [(line, row["body"]) for line, row in threads.items()]
    host.expect(remarks == REMARKS, "both threads are unresolved")
    if remarks != REMARKS:
        return
    commands, fixed = before.data["action_commands"]["threads"], threads[FIXED]
    reply, resolve = commands["reply_call"], commands["resolve_call"]
    text = reply["arguments"] | {"comment_id": fixed["id"], "body": "It is `INTERVAL_SECONDS` now."}
    posted = await host.call(reply["name"], **text)
    host.expect({"id", "url"} <= set(posted.data), "the reply has an id and a URL (REPLY-3)")
    again = await host.call(reply["name"], **text)
    host.expect(again.data.get("id") == posted.data.get("id"), "the same reply again returns the first one")
    thread = await host.call(resolve["name"], **resolve["arguments"] | {"thread_id": fixed["thread_id"]})
    host.expect(thread.data.get("resolved") is True, "the thread is resolved, as it was read back")
    after = await host.call("find_unresolved_comments", pr=f"{REPOSITORY}#2", sort="by_file")
    counts = [answer.data.get("total_unresolved", 0) for answer in (before, after)]
    host.expect(counts[0] - counts[1] == 1, "one less is unresolved")


async def show_failures(host: Host) -> None:
    """Read a log of a real tool, and the failures of a pull request on GitHub, played back from its contract double.

    GitHub has a server of its own, so that calls need not name the forge.
    """
    host.title("CI failures: the tests, their places and reasons, and the commands that run them again")
    host.say(f"$ stithy ci parse {LOG.relative_to(ROOT)}")
    run = await asyncio.to_thread(parse_log)
    host.say(run.stdout)
    host.expect(run.returncode == 1, "the exit code reports a failure")
    host.expect("1 failed" in run.stdout.splitlines(), "the log has one failed test")
    tape = Tape.read([FAILING])
    with playback(tape, hosts=HUB) as url, create_github_folder(url) as (folder, environ):
        async with run_server(environ, folder) as hub:
            answer = await hub.call("get_failing_tests", pr="smith/lab#1")
    entries = answer.data.get("failures", [{}])
    host.expect([entry.get("test_name") for entry in entries] == [FAILED], "the test has its own name")
    host.expect(entries[0].get("rerun") == f"pytest {FAILED}", "a command runs this test alone again")
    host.expect("#step:2:" in entries[0].get("log_url", ""), "the URL of the log leads to the failed step")
    for call in tape.missed:
        host.expect(None, f"this request is in the recording: {call}")


async def make_mistakes(host: Host) -> None:
    """Make typical mistakes of agents; each error has a remedy."""
    host.title("Errors with remedies")
    answers = {
        "is an issue, not a pull request": await host.call("pr_comment_list", **ISSUE),
        "must be in format 'owner/repo'": await host.call("pr_comment_list", **PULL | {"repository": "../.."}),
        "comment must not be blank": await host.call("pr_comment_create", **PULL, comment=" \n"),
        "did you mean limit?": await host.call("pr_comment_list", **PULL, limmit=LIMIT),
    }
    for part, answer in answers.items():
        host.expect(answer.is_error and part in answer.data["error"], f"an error contains: {part}")


async def show_statistics(host: Host) -> None:
    """Read the server's statistics."""
    host.title("Statistics")
    counts = await host.read("stithy://statistics")
    tools = ", ".join(f"{name} {row['invocations']}" for name, row in counts["tools"].items())
    totals = f"{counts['invocations']} calls, {counts['failures']} failed, {counts['timeouts']} timed out"
    host.say(f"{totals}, {counts['total_ms']:.1f} ms: {tools}")
    host.expect(counts["invocations"] == host.calls, f"{host.calls} calls are counted")


async def print_configuration(host: Host) -> None:
    """Print the configuration with which a host starts the same server."""
    host.title("To paste: the host's configuration, or Claude Code's command, and a stithy.toml")
    entry = {"mcpServers": {"stithy": {"command": find_script(), "args": ["serve"]}}}
    click.echo(json.dumps(entry, ensure_ascii=False))
    click.echo(f"claude mcp add stithy -- {shlex.quote(find_script())} serve")
    click.echo(format_settings("https://git.example", 'token = { env = "WORK_TOKEN" }'), nl=False)


RECORDED: list[Section] = [read_conversation, write_comment, answer_review, make_mistakes]
SECTIONS: list[Section] = [
    show_instructions,
    show_broken_plugin,
    *RECORDED,
    show_failures,
    show_merge_request,
    show_stack,
    show_architecture,
    show_statistics,
    print_configuration,
]


def parse_log() -> "subprocess.CompletedProcess[str]":
    """Run `stithy ci parse` on a log."""
    return subprocess.run([find_script(), "ci", "parse", str(LOG)], capture_output=True, text=True, check=False)


@contextmanager
def create_github_folder(url: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Create a folder with the settings of one GitHub, and yield it with the server's variables."""
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        path = Path(name, "stithy.toml")
        text = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        path.write_text(text, encoding="utf-8")
        yield Path(name), {"STITHY_CONFIG": str(path), "HUB_TOKEN": "0" * 40}


@contextmanager
def create_work_folder(url: str) -> Iterator[tuple[Path, dict[str, str]]]:
    """Create a folder with settings and a broken plugin, and yield it with the server's variables."""
    with tempfile.TemporaryDirectory(prefix="stithy-demo-") as name:
        folder, installed = Path(name, "work"), Path(name, "site-packages")
        folder.mkdir()
        installed.mkdir()
        (folder / "stithy.toml").write_text(format_settings(url), encoding="utf-8")
        write_plugin(installed, "stithy-jenkins", BROKEN.read_text(encoding="utf-8"))
        yield folder, {"STITHY_CONFIG": str(folder / "stithy.toml"), "PYTHONPATH": str(installed)}


async def run_sections() -> int:
    """Run every section on the recordings, and return the number of expectations that were not met."""
    tape = Tape.read(sorted(CASSETTES.glob("*.yaml")))
    with playback(tape) as url, create_work_folder(url) as (folder, environ):
        async with run_server(environ, folder) as host:
            for section in SECTIONS:
                await section(host)
    for call in tape.missed:
        host.expect(None, f"this request is in the recording: {call}")
    return len(host.mismatches)


async def read_public(url: str) -> int:
    """Read one public pull request with the user's settings and variables, and return 1 if that fails, else 0."""
    match = PULL_URL.fullmatch(url.strip())
    if match is None:
        example = "https://codeberg.org/owner/repo/pulls/1"
        click.secho(f"invalid URL of a pull request in PR: '{url}'; expected, for example, {example}", fg="red")
        return 1
    async with run_server(os.environ, Path.cwd()) as host:
        host.title(f"The conversation of {url.strip()}")
        arguments = {"repository": match["repository"], "pull_request_number": int(match["number"])}
        answer = await host.call("pr_comment_list", **arguments)
    return int(answer.is_error)


def main() -> None:
    """Run the demo."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    url = os.environ.get("PR", "")
    try:
        failures = asyncio.run(read_public(url) if url.strip() else run_sections())
    except* (MCPError, OSError) as group:
        click.secho(f"The demo failed: {_find_cause(group)}", fg="red", err=True)
        failures = 1
    sys.exit(1 if failures else 0)


def _find_cause(error: BaseException) -> BaseException:
    """Return the first error in nested groups."""
    return _find_cause(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


if __name__ == "__main__":
    main()
