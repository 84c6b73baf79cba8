"""Shared parts of the benchmarks: stithy and the floor with the same tools, and a client that speaks raw JSON lines."""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any, Literal, Self

from attrs import frozen

Era = Literal["legacy", "modern"]
Json = dict[str, Any]

VERSIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
CLIENT = {"name": "bench", "version": "1"}
META = {
    "io.modelcontextprotocol/protocolVersion": VERSIONS["modern"],
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}

# The user's forges and settings of Python must not change the results.
REMOVED_PREFIXES = ("COVERAGE_", "FORGEJO_", "GH_", "GITEA_", "GITHUB_", "OTEL_", "PYTHON", "STITHY_")
SETTINGS = '[forges.work]\nkind = "gitea"\nurl = "http://127.0.0.1:9"\n'

TOOLS = 30
RUNS = 20

# Linux: the clock of the CPU time of a process, combined with its id (clock_getcpuclockid).
CPU_OF_PROCESS = 2

PLUGIN = '''\
"""A plugin that the benchmarks created."""

from typing import Annotated, Literal

from attrs import frozen
from stithy_core.spi import Meta, RepositoryArg, ToolSpec, hookimpl

STITHY_API = 1
{classes}

@hookimpl
def stithy_tools() -> list[ToolSpec]:
    return [{specs}
    ]
'''
ARGUMENTS = """

@frozen
class Arguments{number:02}:
    repository: RepositoryArg
    number: Annotated[int, Meta("The number of the issue", ge=1)]
    state: Annotated[Literal["open", "closed", "all"], Meta("Which issues are meant")] = "open"
    limit: Annotated[int, Meta("How many at most", ge=1, le=100)] = 20
"""
SPEC = """
        ToolSpec(
            name="bench_{number:02}",
            title="Read issue {number}",
            description="Returns an issue with its title and its URL. It sends no request: it is for benchmarks only.",
            input=Arguments{number:02},
            handler="stithy_bench.handlers:run",
        ),"""
# `floor.py` returns the same.
HANDLERS = '''\
"""The handler of every tool of the plugin."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen
from stithy_core.spi import Context

@frozen
class Issue:
    id: str
    title: str
    url: str

    def render(self) -> Iterator[str]:
        yield f"#{self.id} {self.title}"
        yield self.url

async def run(ctx: Context, args: Any) -> Issue:
    url = f"https://forge.example/{args.repository}/issues/{args.number}"
    return Issue(id=str(args.number), title="The anvil is cold", url=url)
'''


@frozen
class Side:
    """One of the two servers: its name, and the command that starts it."""

    name: str
    command: tuple[str, ...]


@frozen
class Bench:
    """Both servers, with the same tools, working directory and environment."""

    stithy: Side
    floor: Side
    directory: Path
    environ: Mapping[str, str]

    @property
    def sides(self) -> tuple[Side, Side]:
        """The servers, in the order of every run."""
        return self.floor, self.stithy

    def start(self, side: Side, era: Era = "legacy") -> "Connection":
        """Start a server."""
        return Connection(side.command, self.directory, self.environ, era)


@contextmanager
def prepare_bench(tools: int = TOOLS, *, pin: bool = False) -> Iterator[Bench]:
    """Create a plugin and a floor, so that stithy and the floor have the same tools.

    Args:
        tools: The number of tools, with those of installed plugins; at least one is the created plugin's.
        pin: Whether the servers stay on the last core and their client on the first (Linux).

    Raises:
        RuntimeError: The two servers do not list the same tools.
    """
    with tempfile.TemporaryDirectory(prefix="stithy-bench-") as folder:
        directory, modules, tools_file = Path(folder, "work"), Path(folder, "modules"), Path(folder, "tools.json")
        directory.mkdir()
        modules.mkdir()
        (directory / "stithy.toml").write_text(SETTINGS)
        environ = {name: value for name, value in os.environ.items() if not name.startswith(REMOVED_PREFIXES)}
        prefix = _pin_to_cores() if pin else ()
        floor = (*prefix, sys.executable, str(Path(__file__).with_name("floor.py")), str(tools_file))
        # Both have the folder in their path: every import searches it first.
        variables = environ | {"PYTHONPATH": str(modules)}
        bench = Bench(Side("stithy", (*prefix, *build_command())), Side("floor", floor), directory, variables)
        installed = len(_list_tools(bench, bench.stithy))
        write_plugin(modules, max(1, tools - installed))
        tools_file.write_text(json.dumps(_list_tools(bench, bench.stithy)))
        if _list_tools(bench, bench.floor) != _list_tools(bench, bench.stithy):
            raise RuntimeError("the floor does not list the tools that stithy lists")
        yield bench


def _pin_to_cores() -> tuple[str, ...]:
    """Keep this process on the first core, and return the command prefix that keeps another on the last one."""
    os.sched_setaffinity(0, {0})
    return "taskset", "--cpu-list", str((os.cpu_count() or 1) - 1)


def build_command() -> tuple[str, ...]:
    """Return the command that starts stithy."""
    script = Path(sys.executable).with_name("stithy")
    if script.is_file():
        return sys.executable, str(script), "serve"
    return sys.executable, "-c", "import sys; from stithy_core.cli import main; sys.argv = ['stithy', 'serve']; main()"


def _list_tools(bench: Bench, side: Side) -> list[Json]:
    with bench.start(side) as connection:
        connection.shake_hands()
        tools: list[Json] = connection.ask("tools/list")["tools"]
        return tools


def write_plugin(folder: Path, tools: int) -> None:
    """Write a distribution with some tools, as an installer would."""
    package, info = folder / "stithy_bench", folder / "stithy_bench-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    numbers = range(1, tools + 1)
    classes = "".join(ARGUMENTS.format(number=number) for number in numbers)
    specs = "".join(SPEC.format(number=number) for number in numbers)
    (package / "__init__.py").write_text(PLUGIN.format(classes=classes, specs=specs))
    (package / "handlers.py").write_text(HANDLERS)
    # The requirement of the plugins that are released with the core.
    requires = f"Requires-Dist: stithy-interface~={version('stithy-core')}"
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: stithy-bench\nVersion: 1.0\n{requires}\n")
    (info / "entry_points.txt").write_text("[stithy]\nbench = stithy_bench\n")


class Connection:
    """A server process and its two pipes. Leaving the context closes the server's input and waits for its end.

    Args:
        command: The command that starts it.
        directory: Its working directory.
        environ: Its whole environment.
        era: `legacy` for the protocol with a handshake, `modern` for the one whose requests name their client.
    """

    def __init__(self, command: Sequence[str], directory: Path, environ: Mapping[str, str], era: Era) -> None:
        self._era = era
        self._meta: Json = {"_meta": META} if era == "modern" else {}
        self._numbers = count(1)
        self._process = subprocess.Popen(
            command, cwd=directory, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *rest: object) -> None:
        if kind is not None:
            self._process.kill()
        if self._process.returncode is None:
            self.close()

    def cpu(self) -> float:
        """Return the CPU time of the server up to now in seconds, user and system (Linux)."""
        return time.clock_gettime((~self._process.pid << 3) | CPU_OF_PROCESS)

    def close(self) -> float:
        """End the server, and return its whole CPU time in seconds, user and system."""
        with suppress(BrokenPipeError):  # it may have ended already
            self._to.close()
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._from.close()
        return usage.ru_utime + usage.ru_stime

    def shake_hands(self) -> None:
        """Send the handshake, in the legacy era only."""
        if self._era == "legacy":
            about: Json = {"protocolVersion": VERSIONS["legacy"], "capabilities": {}, "clientInfo": CLIENT}
            self.ask("initialize", about)
            self._to.write(_encode_line({"method": "notifications/initialized"}))

    def ask(self, method: str, params: Json | None = None) -> Json:
        """Send a request and return its result.

        Raises:
            RuntimeError: The response is an error or missing.
        """
        answer: Json = json.loads(self.exchange(self.request(method, params)) or "{}")
        if "result" not in answer:
            raise RuntimeError(f"{method} was answered with {answer.get('error', 'nothing')}")
        result: Json = answer["result"]
        return result

    def request(self, method: str, params: Json | None = None) -> bytes:
        """Return a request of this connection's era as a line."""
        return _encode_line({"id": next(self._numbers), "method": method, "params": (params or {}) | self._meta})

    def note(self, method: str, params: Json) -> bytes:
        """Return a notification of this connection's era as a line."""
        return _encode_line({"method": method, "params": params | self._meta})

    def exchange(self, line: bytes) -> bytes:
        """Send a line and return the next one that arrives."""
        self.send(line)
        return self.receive()

    def send(self, line: bytes) -> None:
        """Send a line."""
        self._to.write(line)
        self._to.flush()

    def receive(self) -> bytes:
        """Wait for the next line and return it; empty when the server has ended."""
        return self._from.readline()

    def memory(self) -> float:
        """Return the resident memory of the server in MB (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1_024

    def descriptors(self) -> int:
        """Count the open files of the server (Linux)."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))


def _encode_line(message: Json) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | message, separators=(",", ":")).encode() + b"\n"


def measure_seconds(work: Callable[[], object]) -> float:
    """Run a function and return its seconds."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def build_parser(about: str, runs: str) -> argparse.ArgumentParser:
    """Create a parser with the options that both benchmarks have.

    Args:
        about: The description.
        runs: The help of `--runs`.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"{runs} (default {RUNS})")
    parser.add_argument("--tools", type=int, default=TOOLS, metavar="N", help=f"tools listed (default {TOOLS})")
    parser.add_argument("--pin", action="store_true", help="servers on one core, their client on another")
    return parser


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least a share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def format_spread(over: Sequence[float], under: Sequence[float]) -> str:
    """Format the range of the middle half of the runs' ratios, which shows how noisy the machine was."""
    ratios = [mine / floor for mine, floor in zip(over, under, strict=True)]
    return f"{percentile(ratios, 0.25):.2f}-{percentile(ratios, 0.75):.2f}"


def median(values: Sequence[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def print_table(title: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
    """Print a table: the title, the machine, and the rows by name."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{title}\nPython {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    width = max(map(len, rows))
    for name, cells in {"": columns, **rows}.items():
        print(f"  {name:{width}}" + "".join(f"{cell:>13}" for cell in cells).rstrip())
