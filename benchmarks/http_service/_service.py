"""The command `stithy serve`, started for a forge."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from attrs import frozen

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
max_connections = 3000
"""
TOKEN = "0" * 40
STITHY = "import sys; from stithy_core.cli import main; sys.exit(main())"


@frozen
class Service:
    """A stithy server.

    Args:
        url: Its URL.
        process: The id of its process.
        upstream: The URL of its forge.
        log: The lines that it has logged.
    """

    url: str
    process: int
    upstream: str
    log: list[str]

    def pull_url(self, size: int) -> str:
        """Return the URL of the comments of the pull request with that many."""
        return f"{self.url}/repos/octo/anvil/pulls/{size}/comments/combined?max_items=10000"

    def read_request_count(self) -> int:
        """Return the number of requests to the forge since the last call."""
        with urllib.request.urlopen(f"{self.upstream}/counts") as answer:  # noqa: S310 -- our own server
            return int(json.load(answer)["requests"])

    def metrics(self) -> list[str]:
        """Return the lines of its metrics."""
        with urllib.request.urlopen(f"{self.url}/metrics") as answer:  # noqa: S310 -- our own server
            return str(answer.read(), "utf-8").splitlines()

    def read_peak_memory(self) -> int:
        """Return the peak memory of the process in MB."""
        status = Path(f"/proc/{self.process}/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) // 1024


@contextmanager
def run_service(upstream: str, **environ: str) -> Iterator[Service]:
    """Run the command for a forge, with further environment variables, and yield the service."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "stithy.toml").write_text(SETTINGS.format(url=upstream), encoding="utf-8")
        variables = os.environ | {"LAB_TOKEN": TOKEN, "STITHY_CURSOR_KEY": TOKEN} | environ
        command = [sys.executable, "-c", STITHY, "serve", "--http", "127.0.0.1:0"]
        with subprocess.Popen(command, cwd=folder, env=variables, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            log: list[str] = []
            # The server logs each request, and blocks if nothing reads the pipe.
            log_reader = Thread(target=log.extend, args=(server.stderr,), daemon=True)
            try:
                url = _read_url(server.stderr)
                log_reader.start()
                yield Service(url, server.pid, upstream, log)
            finally:
                server.terminate()
                if log_reader.is_alive():
                    log_reader.join()


def _read_url(stderr: Iterable[str]) -> str:
    """Return the URL that a server prints once it listens.

    Raises:
        SystemExit: It ended before that, with what it printed.
    """
    printed = ""
    for line in stderr:
        printed += line
        if (url := line.split()[-1:]) and url[0].startswith("http://127.0.0.1:"):
            return url[0]
    raise SystemExit(f"the server did not start:\n{printed}")


@contextmanager
def run_redis() -> Iterator[tuple[str, subprocess.Popen[str]] | None]:
    """Run a Redis on a Unix socket, and yield its URL and process; None if redis-server is not on PATH."""
    if (program := shutil.which("redis-server")) is None:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "--port", "0", "--unixsocket", f"{folder}/redis.sock", "--save", "", "--dir", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            while "ready to accept connections" not in process.stdout.readline().lower():
                pass
            try:
                yield f"unix://{folder}/redis.sock", process
            finally:
                process.terminate()
