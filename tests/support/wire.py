"""A server as a process, and a client of it that sends whatever bytes it likes."""

import json
import subprocess
import threading
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path

VERSIONS = {"legacy": "2025-11-25", "modern": "2026-07-28"}
CLIENT = {"name": "wire", "version": "1"}
META = {
    "io.modelcontextprotocol/protocolVersion": VERSIONS["modern"],
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
PATIENCE = 60
"""Seconds after which a missing answer will not come."""


class Wire:
    """The two pipes of a server, and what came back, by the id of the request."""

    def __init__(self, process, era):
        self.process, self.era = process, era
        self.answers = {}
        self._news = threading.Condition()
        self._number = 0
        self._meta = {"_meta": META} if era == "modern" else {}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            answer = json.loads(line)
            with self._news:
                self.answers[answer.get("id")] = answer
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def send(self, line: bytes):
        """Write a line, whatever it holds."""
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def note(self, method, **params):
        """Send a notification."""
        self.send(_message(method, json.dumps(params | self._meta)))

    def request(self, method, params: str):
        """Send a request whose parameters are JSON already, or what passes for it; gives its id."""
        self._number += 1
        if self._meta:
            params = f'{{"_meta": {json.dumps(META)}{", " * (params != "{}")}{params[1:]}'
        self.send(_message(method, params, self._number))
        return self._number

    def wait(self, numbers: Iterable[int]):
        """Wait for the answers, and forget all that came.

        Raises:
            AssertionError: One is missing.
        """
        wanted = set(numbers)
        with self._news:
            came = self._news.wait_for(lambda: wanted <= self.answers.keys(), PATIENCE)
            found, self.answers = self.answers, {}
        assert came, f"no answer to {wanted - found.keys()}; the server's exit code: {self.process.poll()}"
        return found

    def ask(self, method, **params):
        """Ask, and give the result."""
        number = self.request(method, json.dumps(params))
        return self.wait([number])[number]["result"]

    def memory(self):
        """Return the resident memory in MB (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def descriptors(self):
        """Count its open files (Linux)."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


def _message(method, params, number=None):
    named = f'"id": {number}, ' if number is not None else ""
    return f'{{"jsonrpc": "2.0", {named}"method": "{method}", "params": {params}}}'.encode(errors="surrogatepass")


@contextmanager
def start_wire(command, era, log, **options):
    """Start a server, initialize it if its era does, and check that it ends with its input.

    Args:
        command: What starts it.
        era: `legacy` or `modern`.
        log: The file that its standard error is written to.
        options: What else `subprocess.Popen` takes.
    """
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, **options)
        try:
            wire = Wire(process, era)
            if era == "legacy":
                wire.ask("initialize", protocolVersion=VERSIONS[era], capabilities={}, clientInfo=CLIENT)
                wire.note("notifications/initialized")
            yield wire
            process.stdin.close()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
