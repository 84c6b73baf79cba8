"""Servers for benchmarks, each in a process of its own, so that their costs are not measured."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def run_server(script: Path, *arguments: str) -> Iterator[str]:
    """Start a script that prints its port first, and yield its URL."""
    with subprocess.Popen([sys.executable, str(script), *arguments], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        finally:
            server.terminate()
