"""The real command over HTTP, in a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

STITHY = "import sys; from stithy_core.cli import main; sys.exit(main())"
SAYS = "listening on "
TOKENS = ("GITHUB_TOKEN", "GH_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN")


@contextmanager
def serving_http(folder: Path, settings: str = "", **environ: str) -> Iterator[str]:
    """Run `stithy serve --http` with some settings on a free loopback port; yield its URL."""
    (folder / "stithy.toml").write_text(settings)
    own = {name: value for name, value in os.environ.items() if name not in TOKENS}
    given = own | {"STITHY_CONFIG": str(folder / "stithy.toml"), "XDG_STATE_HOME": str(folder)} | environ
    command = [sys.executable, "-c", STITHY, "serve", "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=given, cwd=folder) as server:
        try:
            assert server.stderr is not None
            said = server.stderr.readline()
            assert said.startswith(SAYS), said + server.stderr.read()
            # Somebody has to read what it logs, or it would wait for that at some time.
            Thread(target=server.stderr.read, daemon=True).start()
            yield said.removeprefix(SAYS).strip()
        finally:
            server.send_signal(signal.SIGINT)  # which does not wait for balancers, as SIGTERM may
