"""The host's side: starts the server as an MCP host does, calls it, measures, and shows what an agent sees."""

import json
import shutil
import sys
import textwrap
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from attrs import define, field, frozen
from mcp import Client, StdioServerParameters
from mcp_types import TextContent, TextResourceContents

WIDTH = 110
MARGIN = 4
ROWS = 2  # of one line of text; the rest is cut
LONGEST = 60  # of one argument
CUT = "…"
PATIENCE = 60.0
MS = 1_000


@frozen
class Answer:
    """What a call was answered with."""

    text: str
    data: Mapping[str, Any]
    is_error: bool

    @property
    def size(self) -> int:
        """Count the bytes of the structured content and of the text, as they are sent."""
        return len(_compact(dict(self.data)).encode()) + len(_compact(self.text).encode())


@define
class Host:
    """One connection to the server.

    Args:
        client: The official client, connected.
        calls: How many tools were called.
        surprises: What was not as told.
    """

    client: Client
    calls: int = 0
    surprises: list[str] = field(factory=list)
    _sections: int = 0

    def title(self, text: str) -> None:
        """Begin a section."""
        self._sections += 1
        click.secho(f"\n{self._sections}. {text}", bold=True)

    def say(self, text: str) -> None:
        """Show lines, indented; long ones are wrapped, and cut where they are very long."""
        for line in text.splitlines():
            for row in _wrapped(line):
                click.echo(" " * MARGIN + row)

    def expect(self, told: object, what: str) -> None:
        """Note what is not as told.

        Args:
            told: Whether it is; what counts is whether it is true.
            what: What should be so.
        """
        if not told:
            self.surprises.append(what)
            click.secho(f"    NOT AS TOLD: {what}", fg="red", bold=True)

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool, and show the call and the text of its answer."""
        self.calls += 1
        began = perf_counter()
        result = await self.client.call_tool(tool, arguments)
        took = perf_counter() - began
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        answer = Answer(text, result.structured_content or {}, result.is_error)
        given = " ".join(f"{name}={_short(value)}" for name, value in arguments.items())
        _show_call(f"{tool} {given}".strip(), answer.size, took, "red" if answer.is_error else "green")
        self.say(answer.text)
        return answer

    async def read(self, uri: str) -> Any:
        """Read a resource that is JSON, and show that it was read; what it says is for the caller to show."""
        began = perf_counter()
        result = await self.client.read_resource(uri)
        took = perf_counter() - began
        text = "".join(row.text for row in result.contents if isinstance(row, TextResourceContents))
        _show_call(f"read {uri}", len(_compact(text).encode()), took, "green")
        return json.loads(text)


@asynccontextmanager
async def served(environ: Mapping[str, str], folder: Path) -> AsyncIterator[Host]:
    """Start the server and connect to it.

    Args:
        environ: Variables that the server gets, besides the few that every host hands on.
        folder: Its working directory.
    """
    parameters = StdioServerParameters(command=script(), args=["serve"], env=dict(environ), cwd=folder)
    began = perf_counter()
    async with Client(parameters, read_timeout_seconds=PATIENCE) as client:
        took = (perf_counter() - began) * MS
        info = client.server_info
        what = f"{info.name} {info.version}" if info else "a server without a name"
        click.secho(f"{what} over stdio, MCP {client.protocol_version}, started in {took:,.0f} ms", dim=True)
        yield Host(client)


def script() -> str:
    """Find the program `stithy` that lies beside this Python."""
    found = shutil.which("stithy", path=str(Path(sys.executable).parent))
    if found is None:
        sys.exit(f"There is no stithy beside {sys.executable}: install stithy-core there.")
    return found


def settings(url: str, *more: str) -> str:
    """Write the stithy.toml of one Gitea."""
    return "\n".join(("[forges.work]", 'kind = "gitea"', f'url = "{url}"', *more, ""))


def _show_call(call: str, size: int, seconds: float, colour: str) -> None:
    """Show a call on one line, cut to leave room for what it cost."""
    cost = f"[{size:,} bytes, {seconds * MS:,.1f} ms]"
    room = WIDTH - len(cost) - len("> ") - 2
    shown = call if len(call) <= room else call[: room - 1] + CUT
    click.echo(f"{click.style('>', fg=colour)} {click.style(shown, fg='cyan')}  {click.style(cost, dim=True)}")


def _wrapped(line: str) -> Iterator[str]:
    safe = "".join(char if char.isprintable() else " " for char in line)  # strangers' text, on a terminal
    wrapped = textwrap.wrap(safe, WIDTH - MARGIN, subsequent_indent="  ", break_on_hyphens=False)
    yield from wrapped[: ROWS - 1]
    if len(wrapped) > ROWS:
        yield wrapped[ROWS - 1][: WIDTH - MARGIN - 1] + CUT
    else:
        yield from wrapped[ROWS - 1 :]


def _short(value: object) -> str:
    text = _compact(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + CUT


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
