"""What failed on a pull request with 40 jobs of which 3 failed, 100 ms away: one call, beside its longest chain bare.

Run: python benchmarks/ci/pull_request.py. The answers are those of a recording, with more jobs, and real logs.
"""

import json
import tempfile
import time
from pathlib import Path
from threading import Lock
from typing import Any

import anyio
import yaml

from stithy_testing import Tape, connect, make_app, playback

ROOT = Path(__file__).resolve().parents[2]
RECORDING = ROOT / "cassettes" / "github" / "ci-a-failure-leads-to-the-step-that-failed.yaml"
LOGS = [
    ROOT / "libs" / "ci-failures" / "tests" / "logs" / name
    for name in ("pytest/9-plain.log", "go/broken.log", "jest/29-ci.log")
]
LATENCY = 0.1
JOBS = 40
ENDED = "2026-01-05T09:05:00Z"
"""When the jobs ended: some minutes before they are asked about."""
CHAIN = 4
"""Requests that wait for one another: the pull request, its checks, a log, and where that log is."""


class Counted(Tape):
    """A tape that counts what is asked, and how much of it at once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self._counting = Lock()

    def play(self, method: str, uri: str, body: bytes) -> Any:
        """Return the answer, and count."""
        with self._counting:
            self.asked += 1
        return super().play(method, uri, body)


def tape_of() -> Counted:
    """Multiply the job of the recording; the last three have failed, and have a log each."""
    tape = Counted()
    for row in yaml.safe_load(RECORDING.read_text(encoding="utf-8"))["interactions"]:
        uri, text = row["request"]["uri"], row["response"]["body"]["string"]
        if "/logs" in uri:
            for log, job in zip(LOGS, ids(), strict=True):
                answer = (
                    row["response"] if "/jobs/" in uri else row["response"] | {"body": {"string": log.read_bytes()}}
                )
                said = yaml.safe_dump(answer).replace("5000000008", str(job)) if "/jobs/" in uri else ""
                request = row["request"] | {"uri": uri.replace("5000000008", str(job))}
                tape.add(request, yaml.safe_load(said) if said else answer)
            continue
        body = json.loads(text)
        for name in ("check_runs", "jobs"):
            if isinstance(body, dict) and name in body:
                (one,) = body[name]
                body |= {"total_count": JOBS, name: [multiply(one, number) for number in range(JOBS)]}
        tape.add(row["request"], row["response"] | {"body": {"string": json.dumps(body)}})
    return tape


def ids() -> list[int]:
    """Return the ids of the jobs that have failed."""
    return [5_000_000_100 + number for number in range(JOBS - len(LOGS), JOBS)]


def multiply(one: dict[str, Any], number: int) -> dict[str, Any]:
    """Make another job of one."""
    made: dict[str, Any] = json.loads(json.dumps(one).replace("5000000008", str(5_000_000_100 + number)))
    failed = number >= JOBS - len(LOGS)
    conclusion = "failure" if failed else "success"
    return made | {"name": f"job {number:02}", "conclusion": conclusion, "completed_at": ENDED}


async def measure() -> None:
    """Ask a new server twice."""
    tape = tape_of()
    with (
        tempfile.TemporaryDirectory() as folder,
        playback(tape, delay=LATENCY, hosts=("github.example", "storage.github.example")) as url,
    ):
        text = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        app = make_app(Path(folder), text, environ={"HUB_TOKEN": "0" * 40})
        async with connect(app) as client:
            for turn in ("first call", "again"):
                before, began = tape.asked, time.perf_counter()
                result = await client.call_tool("get_failing_tests", {"pr": "smith/lab#1"})
                seconds, said = time.perf_counter() - began, result.structured_content
                size = len(json.dumps(said, separators=(",", ":")).encode()) + len(result.content[0].text.encode())
                print(
                    f"{turn:10} {tape.asked - before:3} requests, {seconds:.2f} s (bare chain {CHAIN * LATENCY:.1f} s),"
                    f" {said['total_failures']} failures in {said['checks']['total']} checks, {size:,} bytes"
                )
    assert not tape.missed, tape.missed


if __name__ == "__main__":
    anyio.run(measure)
