"""The comments service: answers that are warm, cold and shared, a very large pull request, and its memory.

Run: python benchmarks/http_service. The floor is `/healthz` of the same process, which asks nobody and writes nothing.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._serving import serving
from benchmarks.http_service._load import each, load

UPSTREAM = Path(__file__).resolve().parents[1] / "conversation" / "_server.py"
LATENCY = 0.02
WARM, SHARED, LARGE = 50, 250, 10_000
COLD = range(100, 200)
CLIENTS = 1_000
SETTINGS = """
[forges.github]
kind = "github"
url = "{url}"
token = {{ env = "LAB_TOKEN" }}

[comments]
requests_per_hour = 0

[serve.http]
max_requests = 2000
max_requests_each = 2000
"""
STITHY = "import sys; from stithy_core.cli import main; sys.exit(main())"


@frozen
class Service:
    """A server of ours: where it is, its process, and the forge behind it."""

    url: str
    process: int
    upstream: str

    def path(self, size: int) -> str:
        """Give where the pull request of a size is."""
        return f"{self.url}/repos/octo/anvil/pulls/{size}/comments/combined?max_items=10000"

    def asked(self) -> int:
        """Count what was asked of the forge since this was asked last."""
        with urllib.request.urlopen(f"{self.upstream}/counts") as answer:  # noqa: S310 -- our own server
            return int(json.load(answer)["requests"])

    def peak(self) -> int:
        """Give the most memory that the process ever had, in MB."""
        status = Path(f"/proc/{self.process}/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) // 1024


@contextmanager
def service(upstream: str) -> Iterator[Service]:
    """Start the command on a forge."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "stithy.toml").write_text(SETTINGS.format(url=upstream), encoding="utf-8")
        given = os.environ | {"LAB_TOKEN": "0" * 40, "STITHY_CURSOR_KEY": "0" * 40}
        command = [sys.executable, "-c", STITHY, "serve", "--http", "127.0.0.1:0"]
        with subprocess.Popen(command, cwd=folder, env=given, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            try:
                url = server.stderr.readline().split()[-1]
                # It logs each request, and somebody has to read that.
                Thread(target=server.stderr.read, daemon=True).start()
                yield Service(url, server.pid, upstream)
            finally:
                server.terminate()


def show_warm(served: Service, seconds: int) -> None:
    """Show the floor, and a small pull request that has not changed."""
    asyncio.run(each([served.path(WARM)], 1))
    print(f"  healthz       {load(f'{served.url}/healthz', seconds)}")
    print(f"  warm          {load(served.path(WARM), seconds)}")


def show_cold(served: Service) -> None:
    """Show pull requests that nobody has asked for, one after the other."""
    served.asked()
    found, _ = asyncio.run(each([served.path(size) for size in COLD], 1))
    print(f"  cold          {found}, {served.asked() / len(COLD):.1f} requests to the forge each")


def show_shared(served: Service) -> None:
    """Show many who ask for the same at once, beside one who asks for a like one."""
    served.asked()
    asyncio.run(each([served.path(SHARED + 1)], 1))
    alone = served.asked()
    found, answers = asyncio.run(each([served.path(SHARED)] * CLIENTS, CLIENTS))
    assert len(set(answers)) == 1
    print(f"  {CLIENTS:,} at once {found}, {served.asked()} requests to the forge; one alone: {alone}")


def show_large(served: Service) -> None:
    """Show a very large pull request, the first time and again."""
    before = served.peak()
    for turn in ("first", "again"):
        served.asked()
        began = time.perf_counter()
        _, (answer,) = asyncio.run(each([served.path(LARGE)], 1))
        seconds = time.perf_counter() - began
        count = len(json.loads(answer)["comments"])
        print(
            f"  {turn}         {seconds:6.2f} s, {count:,} comments, {len(answer):,} bytes, {served.asked()} requests"
        )
    print(f"  memory        {served.peak()} MB at most, {before} MB before it")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    given = parser.parse_args()
    with serving(UPSTREAM, str(LATENCY)) as upstream, service(upstream) as served:
        print(f"the comments service on a GitHub that takes {LATENCY * 1_000:.0f} ms to answer; 16 clients at a time")
        show_warm(served, given.seconds)
        show_cold(served)
        show_shared(served)
        print(f"a pull request of {LARGE:,} comments")
        show_large(served)


if __name__ == "__main__":
    main()
