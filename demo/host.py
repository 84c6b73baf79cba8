"""The MCP host: starts the server, calls it, measures the calls, and prints what an agent receives."""

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
MAX_ROWS = 2
"""Rows for a line of text; the rest is cut."""
MAX_ARGUMENT = 60
"""Characters of an argument."""
CUT = "…"
PATIENCE = 60.0
MS = 1_000


@frozen
class Answer:
    """The result of a call."""

    text: str
    data: Mapping[str, Any]
    is_error: bool

    @property
    def size(self) -> int:
        """The bytes of structured content and text, as they are sent."""
        return len(_dump_compact(dict(self.data)).encode()) + len(_dump_compact(self.text).encode())


@define
class Host:
    """One connection to the server.

    Args:
        client: The official client, connected.
        calls: The number of tool calls.
        mismatches: The expectations that were not met.
    """

    client: Client
    calls: int = 0
    mismatches: list[str] = field(factory=list)
    _sections: int = 0

    def title(self, text: str) -> None:
        """Start a section and print its title."""
        self._sections += 1
        click.secho(f"\n{self._sections}. {text}", bold=True)

    def say(self, text: str) -> None:
        """Print lines, indented; long ones are wrapped, and cut after `MAX_ROWS` rows."""
        for line in text.splitlines():
            for row in _wrap_line(line):
                click.echo(" " * MARGIN + row)

    def expect(self, condition: object, expectation: str) -> None:
        """Record an expectation that is not met.

        Args:
            condition: The condition; it is met if it is true.
            expectation: The expectation as a sentence.
        """
        if not condition:
            self.mismatches.append(expectation)
            click.secho(f"    NOT AS EXPECTED: {expectation}", fg="red", bold=True)

    async def call(self, tool: str, **arguments: Any) -> Answer:
        """Call a tool, and print the call and the text of its result."""
        self.calls += 1
        began = perf_counter()
        result = await self.client.call_tool(tool, arguments)
        seconds = perf_counter() - began
        text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        answer = Answer(text, result.structured_content or {}, result.is_error)
        values = " ".join(f"{name}={_shorten(value)}" for name, value in arguments.items())
        _print_call(f"{tool} {values}".strip(), answer.size, seconds, "red" if answer.is_error else "green")
        self.say(answer.text)
        return answer

    async def read(self, uri: str) -> Any:
        """Read and return a resource that is JSON, and print its URI and size."""
        began = perf_counter()
        result = await self.client.read_resource(uri)
        seconds = perf_counter() - began
        text = "".join(row.text for row in result.contents if isinstance(row, TextResourceContents))
        _print_call(f"read {uri}", len(_dump_compact(text).encode()), seconds, "green")
        return json.loads(text)


@asynccontextmanager
async def run_server(environ: Mapping[str, str], folder: Path) -> AsyncIterator[Host]:
    """Start the server and connect to it.

    Args:
        environ: The server's variables, besides the few that every host passes on.
        folder: Its working directory.
    """
    parameters = StdioServerParameters(command=find_script(), args=["serve"], env=dict(environ), cwd=folder)
    began = perf_counter()
    async with Client(parameters, read_timeout_seconds=PATIENCE) as client:
        elapsed = (perf_counter() - began) * MS
        info = client.server_info
        name = f"{info.name} {info.version}" if info else "a server without a name"
        click.secho(f"{name} over stdio, MCP {client.protocol_version}, started in {elapsed:,.0f} ms", dim=True)
        yield Host(client)


def find_script() -> str:
    """Return the path of the command `stithy` beside this Python; exit if it is missing."""
    path = shutil.which("stithy", path=str(Path(sys.executable).parent))
    if path is None:
        sys.exit(f"stithy not found beside {sys.executable}; install stithy-core there.")
    return path


def format_settings(url: str, *more: str) -> str:
    """Return the text of a stithy.toml with one Gitea, and further lines of its table."""
    return "\n".join(("[forges.work]", 'kind = "gitea"', f'url = "{url}"', *more, ""))


def _print_call(call: str, size: int, seconds: float, colour: str) -> None:
    """Print a call and its cost on one line; the call is cut to fit."""
    cost = f"[{size:,} bytes, {seconds * MS:,.1f} ms]"
    width = WIDTH - len(cost) - len("> ") - 2
    text = call if len(call) <= width else call[: width - 1] + CUT
    click.echo(f"{click.style('>', fg=colour)} {click.style(text, fg='cyan')}  {click.style(cost, dim=True)}")


def _wrap_line(line: str) -> Iterator[str]:
    # The text of third parties may contain control characters of terminals.
    safe = "".join(char if char.isprintable() else " " for char in line)
    rows = textwrap.wrap(safe, WIDTH - MARGIN, subsequent_indent="  ", break_on_hyphens=False)
    yield from rows[: MAX_ROWS - 1]
    if len(rows) > MAX_ROWS:
        yield rows[MAX_ROWS - 1][: WIDTH - MARGIN - 1] + CUT
    else:
        yield from rows[MAX_ROWS - 1 :]


def _shorten(value: object) -> str:
    text = _dump_compact(value)
    return text if len(text) <= MAX_ARGUMENT else text[: MAX_ARGUMENT - 1] + CUT


def _dump_compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
