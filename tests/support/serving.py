"""`stithy serve --http` as a process of its own, with everything that it says."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from attrs import define, field

VARIABLES = ("GITHUB_", "GH_", "GITEA_", "FORGEJO_", "STITHY_", "COVERAGE")
LISTENING = re.compile(r"^listening on (\S+)$", re.MULTILINE)
CODE = "from stithy_core.cli import main; main()"
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({0}, {0})); " + CODE
PATIENCE = 300
"""Seconds to start: a machine that does other things may take ten of them."""


@define
class Served:
    """A server that runs.

    Attributes:
        url: Where it listens.
        said: What it wrote to standard error and output, as bytes.
    """

    process: anyio.abc.Process
    said: bytearray = field(factory=bytearray)
    url: str = ""
    listening: anyio.Event = field(factory=anyio.Event)

    @property
    def log(self) -> str:
        """Return the log as text."""
        return self.said.decode()

    async def hear(self) -> None:
        """Collect its output until it ends."""
        assert self.process.stdout is not None
        async for chunk in self.process.stdout:
            self.said += chunk
            if not self.url and (found := LISTENING.search(self.log)):
                self.url = found[1]
                self.listening.set()
        self.listening.set()

    async def end(self) -> int:
        """Stop it as an orchestrator does, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        with anyio.fail_after(PATIENCE):
            return await self.process.wait()


@asynccontextmanager
async def serving(folder: Path, *words: str, open_files: int | None = None, **variables: str) -> AsyncIterator[Served]:
    """Start a server in a folder, with its own stithy.toml if there is one, and nothing of who runs the tests.

    Args:
        folder: The working directory.
        words: What follows `stithy serve`; a free port of the loopback interface by default.
        open_files: How many files it may have open.
        variables: Beside those of the environment that are nobody's settings.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(VARIABLES)}
    environ = kept | {"XDG_CONFIG_HOME": str(folder / "nobody"), "STITHY_CURSOR_KEY": "known to every test"} | variables
    if "--http" not in words:
        words = ("--http", "127.0.0.1:0", *words)
    code = LIMITED.format(open_files) if open_files else CODE
    command = [sys.executable, "-c", code, "serve", *words]
    async with (
        await anyio.open_process(command, cwd=folder, env=environ, stderr=subprocess.STDOUT) as process,
        anyio.create_task_group() as group,
    ):
        served = Served(process)
        group.start_soon(served.hear)
        try:
            with anyio.fail_after(PATIENCE):
                await served.listening.wait()
            yield served
        finally:
            if process.returncode is None:
                process.kill()
            with anyio.CancelScope(shield=True):
                await process.wait()
