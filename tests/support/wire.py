"""A server as a process, and a client of it that sends whatever bytes it likes."""

import json
import subprocess
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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

    def __init__(self, process: subprocess.Popen[bytes], era: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.input, self.output = process, process.stdin, process.stdout
        self.era = era
        self.answers: dict[int, dict[str, Any]] = {}
        self._news = threading.Condition()
        self._number = 0
        self._meta: dict[str, Any] = {"_meta": META} if era == "modern" else {}
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self.output:
            answer = json.loads(line)
            with self._news:
                self.answers[answer.get("id")] = answer
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def send(self, line: bytes) -> None:
        """Write a line, whatever it holds."""
        self.input.write(line + b"\n")
        self.input.flush()

    def note(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self.send(_message(method, json.dumps(params | self._meta)))

    def request(self, method: str, params: str) -> int:
        """Send a request with raw parameters, which need not be valid JSON; return its id."""
        self._number += 1
        if self._meta:
            params = f'{{"_meta": {json.dumps(META)}{", " * (params != "{}")}{params[1:]}'
        self.send(_message(method, params, self._number))
        return self._number

    def wait(self, numbers: Iterable[int]) -> dict[int, dict[str, Any]]:
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

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request, and return its result."""
        number = self.request(method, json.dumps(params))
        result: dict[str, Any] = self.wait([number])[number]["result"]
        return result

    def memory(self) -> float:
        """Return the resident memory in MB (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def wait_for_memory(self, most: float, seconds: float) -> None:
        """Wait until the process holds at most so many MB, or the time is over."""
        ends = time.monotonic() + seconds
        while self.memory() > most and time.monotonic() < ends:
            time.sleep(0.5)

    def descriptors(self) -> int:
        """Count its open files (Linux)."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


def _message(method: str, params: str, number: int | None = None) -> bytes:
    named = f'"id": {number}, ' if number is not None else ""
    return f'{{"jsonrpc": "2.0", {named}"method": "{method}", "params": {params}}}'.encode(errors="surrogatepass")


@contextmanager
def start_wire(command: Sequence[str], era: str, log: Path, **options: Any) -> Iterator[Wire]:
    """Start a server, initialize it if its era does, and check that it ends with its input.

    Args:
        command: What starts it.
        era: `legacy` or `modern`.
        log: The file that its standard error is written to.
        options: What else `subprocess.Popen` takes.
    """
    with log.open("wb") as errors:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, **options)
        wire = Wire(process, era)
        try:
            if era == "legacy":
                wire.ask("initialize", protocolVersion=VERSIONS[era], capabilities={}, clientInfo=CLIENT)
                wire.note("notifications/initialized")
            yield wire
            wire.input.close()
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()
            process.wait()
            wire.output.close()
