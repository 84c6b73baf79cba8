"""What the benchmarks share: stithy and the floor with the same tools, and a raw client that speaks JSON lines."""

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

# Neither the forges of whoever runs this nor the settings of their Python may change what is measured.
LEFT_OUT = ("COVERAGE_", "FORGEJO_", "GH_", "GITEA_", "GITHUB_", "OTEL_", "PYTHON", "STITHY_")
SETTINGS = '[forges.work]\nkind = "gitea"\nurl = "http://127.0.0.1:9"\n'

TOOLS = 30
RUNS = 20

# Linux: with a process's id, the number of the clock that counts what all its threads have run (clock_getcpuclockid).
CPU_OF_PROCESS = 2

PLUGIN = '''\
"""A plugin that the benchmarks made."""

from typing import Annotated, Literal

from attrs import frozen
from stithy_core.spi import Meta, RepositoryArg, ToolSpec, hookimpl

STITHY_API = 0
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
            title="Look at issue {number}",
            description="Gives an issue with its title and its place. It asks no forge, and is there to be measured.",
            input=Arguments{number:02},
            handler="stithy_bench.handlers:run",
        ),"""
# `floor.py` answers the same.
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
    """One of the two servers that are compared: its name and what starts it."""

    name: str
    command: tuple[str, ...]


@frozen
class Bench:
    """Both servers, with the same tools and in the same surroundings."""

    stithy: Side
    floor: Side
    directory: Path
    environ: Mapping[str, str]

    @property
    def sides(self) -> tuple[Side, Side]:
        """The servers, in the order of every run."""
        return self.floor, self.stithy

    def start(self, side: Side, era: Era = "legacy") -> "Connection":
        """Spawn a server."""
        return Connection(side.command, self.directory, self.environ, era)


@contextmanager
def bench(tools: int = TOOLS, *, pin: bool = False) -> Iterator[Bench]:
    """Make a plugin and a floor, so that stithy and the floor have as many tools, and the same ones.

    Args:
        tools: How many; what the installed plugins bring is counted, and at least one is the made plugin's.
        pin: Keep the servers on the last core and their client on the first, so that none is moved (Linux).

    Raises:
        RuntimeError: The two servers do not list the same tools.
    """
    with tempfile.TemporaryDirectory(prefix="stithy-bench-") as folder:
        directory, modules, listed = Path(folder, "work"), Path(folder, "modules"), Path(folder, "tools.json")
        directory.mkdir()
        modules.mkdir()
        (directory / "stithy.toml").write_text(SETTINGS)
        environ = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
        pinned = _pinned() if pin else ()
        floor = (*pinned, sys.executable, str(Path(__file__).with_name("floor.py")), str(listed))
        # Both have the folder in their path: every import looks there first.
        surroundings = environ | {"PYTHONPATH": str(modules)}
        made = Bench(Side("stithy", (*pinned, *_stithy())), Side("floor", floor), directory, surroundings)
        installed = len(_list(made, made.stithy))
        write_plugin(modules, max(1, tools - installed))
        listed.write_text(json.dumps(_list(made, made.stithy)))
        if _list(made, made.floor) != _list(made, made.stithy):
            raise RuntimeError("the floor does not list the tools that stithy lists")
        yield made


def _pinned() -> tuple[str, ...]:
    os.sched_setaffinity(0, {0})
    return "taskset", "--cpu-list", str((os.cpu_count() or 1) - 1)


def _stithy() -> tuple[str, ...]:
    script = Path(sys.executable).with_name("stithy")
    if script.is_file():
        return sys.executable, str(script), "serve"
    return sys.executable, "-c", "import sys; from stithy_core.cli import main; sys.argv = ['stithy', 'serve']; main()"


def _list(made: Bench, side: Side) -> list[Json]:
    with made.start(side) as connection:
        connection.shake_hands()
        tools: list[Json] = connection.ask("tools/list")["tools"]
        return tools


def write_plugin(folder: Path, tools: int) -> None:
    """Write a distribution that brings tools, as an installer would leave it."""
    package, info = folder / "stithy_bench", folder / "stithy_bench-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    numbers = range(1, tools + 1)
    classes = "".join(ARGUMENTS.format(number=number) for number in numbers)
    specs = "".join(SPEC.format(number=number) for number in numbers)
    (package / "__init__.py").write_text(PLUGIN.format(classes=classes, specs=specs))
    (package / "handlers.py").write_text(HANDLERS)
    # What the plugins say that are released with the core, which is what this one stands for.
    requires = f"Requires-Dist: stithy-core~={version('stithy-core')}"
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: stithy-bench\nVersion: 1.0\n{requires}\n")
    (info / "entry_points.txt").write_text("[stithy]\nbench = stithy_bench\n")


class Connection:
    """A server process and its two pipes. Leaving it closes the server's input and waits for its end.

    Args:
        command: What starts it.
        directory: Where it runs.
        environ: All of its environment.
        era: Whether hands are shaken, or every request says for itself who asks.
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
        """Give the seconds of CPU that the server has taken up to now, user and system (Linux)."""
        return time.clock_gettime((~self._process.pid << 3) | CPU_OF_PROCESS)

    def close(self) -> float:
        """End the server, and give the seconds of CPU that it took from its birth to its end, user and system."""
        with suppress(BrokenPipeError):  # it may have ended by itself
            self._to.close()
        _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        self._from.close()
        return usage.ru_utime + usage.ru_stime

    def shake_hands(self) -> None:
        """Introduce the client, in the era that wants it."""
        if self._era == "legacy":
            about: Json = {"protocolVersion": VERSIONS["legacy"], "capabilities": {}, "clientInfo": CLIENT}
            self.ask("initialize", about)
            self._to.write(_line({"method": "notifications/initialized"}))

    def ask(self, method: str, params: Json | None = None) -> Json:
        """Ask, and give the result.

        Raises:
            RuntimeError: It was answered with an error, or not at all.
        """
        answer: Json = json.loads(self.exchange(self.request(method, params)) or "{}")
        if "result" not in answer:
            raise RuntimeError(f"{method} was answered with {answer.get('error', 'nothing')}")
        result: Json = answer["result"]
        return result

    def request(self, method: str, params: Json | None = None) -> bytes:
        """Write a request of this connection's era as the line that is sent."""
        return _line({"id": next(self._numbers), "method": method, "params": (params or {}) | self._meta})

    def note(self, method: str, params: Json) -> bytes:
        """Write a notification of this connection's era as the line that is sent."""
        return _line({"method": method, "params": params | self._meta})

    def exchange(self, line: bytes) -> bytes:
        """Send a line and wait for the next one that comes."""
        self.send(line)
        return self.receive()

    def send(self, line: bytes) -> None:
        """Send a line."""
        self._to.write(line)
        self._to.flush()

    def receive(self) -> bytes:
        """Wait for the next line that comes; empty when the server has ended."""
        return self._from.readline()

    def memory(self) -> float:
        """Give the resident memory of the server in MB (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1_024

    def descriptors(self) -> int:
        """Count the open files of the server (Linux)."""
        return len(list(Path(f"/proc/{self._process.pid}/fd").iterdir()))


def _line(message: Json) -> bytes:
    return json.dumps({"jsonrpc": "2.0"} | message, separators=(",", ":")).encode() + b"\n"


def timed(work: Callable[[], object]) -> float:
    """Give the seconds that something took."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def options(about: str, runs: str) -> argparse.ArgumentParser:
    """Make the options that both benchmarks have."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"{runs} (default {RUNS})")
    parser.add_argument("--tools", type=int, default=TOOLS, metavar="N", help=f"tools listed (default {TOOLS})")
    parser.add_argument("--pin", action="store_true", help="servers on one core, their client on another")
    return parser


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value that so large a share of all does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(over: Sequence[float], under: Sequence[float]) -> str:
    """Say in which range the middle half of the runs' own ratios lies: how noisy the machine was."""
    ratios = [mine / floor for mine, floor in zip(over, under, strict=True)]
    return f"{percentile(ratios, 0.25):.2f}-{percentile(ratios, 0.75):.2f}"


def median(values: Sequence[float]) -> float:
    """Give the median."""
    return statistics.median(values)


def show(title: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> None:
    """Print a small table."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{title}\nPython {platform.python_version()}, {os.cpu_count()} cores, load {load}")
    width = max(map(len, rows))
    for name, cells in {"": columns, **rows}.items():
        print(f"  {name:{width}}" + "".join(f"{cell:>13}" for cell in cells).rstrip())
