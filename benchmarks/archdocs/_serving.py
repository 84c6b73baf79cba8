"""Measure a whole server on many documents: its first answer, the time to the whole index, CPU time and memory.

Usage: python benchmarks/archdocs/_serving.py DOCUMENTS [--vectors]

Each run starts `stithy serve` in a new project with an empty cache. CPU times are those of the server's process.
It needs Linux.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._stdio import CLIENT, CPU_OF_PROCESS, REMOVED_PREFIXES, VERSIONS
from benchmarks.archdocs._documents import DocumentGenerator, write_records
from benchmarks.archdocs._size import MS, print_figures

SETTINGS = '[forges.work]\nkind = "gitea"\nurl = "http://127.0.0.1:9"\n'
PROPOSALS = 20
PROPOSAL_WORDS = 40
PAUSE = 2


class Server:
    """A server over standard input and output.

    Args:
        process: Its process.
    """

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.number = 0

    def call(self, method: str, **params: Any) -> Any:
        """Send a request, and return its result; notifications before it are left out."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer["result"]
        raise RuntimeError(f"the server ended before it answered {method}")

    def send(self, message: dict[str, Any]) -> None:
        """Send one message."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call_tool(self, name: str, **arguments: Any) -> Any:
        """Call a tool, and return its structured content."""
        result = self.call("tools/call", name=name, arguments=arguments)
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        return result["structuredContent"]

    @property
    def cpu(self) -> float:
        """Seconds of CPU time of the process so far."""
        return time.clock_gettime((~self.process.pid << 3) | CPU_OF_PROCESS)

    def read_memory(self, field: str) -> float:
        """Return a field of /proc, such as VmHWM, the peak of resident memory, in MB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{field}:"))


@contextmanager
def run_server(root: Path, cache: Path) -> Iterator[Server]:
    """Run a server in a project until the end of the block."""
    environ = {name: text for name, text in os.environ.items() if not name.startswith(REMOVED_PREFIXES)}
    command = [str(Path(sys.executable).with_name("stithy")), "serve"]
    with subprocess.Popen(
        command,
        cwd=root,
        env=environ | {"XDG_CACHE_HOME": str(cache)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        server = Server(process)
        server.call("initialize", protocolVersion=VERSIONS["legacy"], capabilities={}, clientInfo=CLIENT)
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        try:
            yield server
        finally:
            process.terminate()


def measure(server: Server, generator: DocumentGenerator) -> dict[str, float]:
    """Return all figures of one server that was just started."""
    begun = time.monotonic()
    first = server.call_tool("search-architecture", query="the first question")
    answered = time.monotonic()
    unread = first.get("unread") or 0
    while server.call_tool("search-architecture", query="again").get("unread"):
        time.sleep(PAUSE)
    complete = time.monotonic() - begun
    built = server.read_memory("VmHWM")
    spent = []
    for _ in range(PROPOSALS):
        before = server.cpu
        server.call_tool("check-adr-alignment", decision_description=f"Use {generator.text(PROPOSAL_WORDS)}")
        spent.append(server.cpu - before)
    before = server.cpu
    listed = count_resources(server)
    return {
        "first answer s": answered - begun,
        "unread in it": unread,
        "whole index s": complete,
        "CPU until then s": before - sum(spent),
        "proposal, CPU p50 ms": median(spent) * MS,
        "proposal, CPU most ms": max(spent) * MS,
        "resources listed": listed,
        "resources/list, CPU s": server.cpu - before,
        "memory, index built MB": built,
        "memory, at its peak MB": server.read_memory("VmHWM"),
        "memory, at the end MB": server.read_memory("VmRSS"),
    }


def count_resources(server: Server) -> int:
    """Read all pages of `resources/list`, and return the number of resources."""
    count, cursor = 0, None
    while True:
        page = server.call("resources/list", **({"cursor": cursor} if cursor else {}))
        count += len(page["resources"])
        cursor = page.get("nextCursor")
        if not cursor:
            return count


def main() -> None:
    """Measure a server with the number of documents in the first argument, and print the figures as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "project")
        root.mkdir()
        for _ in write_records(root, int(sys.argv[1])):
            pass
        vectors = "[archdocs]\nvectors = true\n" if "--vectors" in sys.argv else ""
        (root / "stithy.toml").write_text(SETTINGS + vectors)
        with run_server(root, Path(folder, "cache")) as server:
            figures = measure(server, DocumentGenerator(4))
    print(json.dumps(figures)) if "--json" in sys.argv else print_figures(figures.items())


if __name__ == "__main__":
    main()
