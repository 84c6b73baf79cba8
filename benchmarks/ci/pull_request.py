"""The failures of a pull request with 40 jobs, 3 of them failed, at 100 ms latency, compared with its longest chain.

Run: python benchmarks/ci/pull_request.py. The responses are those of a recording, with more jobs and with real logs.
"""

import json
import tempfile
import time
from pathlib import Path
from threading import Lock
from typing import Any

import anyio
import httpx
import yaml

from stithy_core.spi import map_concurrently
from stithy_github.readiness_queries import CHECKS
from stithy_testing import Tape, connect, make_app, playback

ROOT = Path(__file__).resolve().parents[2]
RECORDING = ROOT / "cassettes" / "github" / "ci-a-failure-leads-to-the-step-that-failed.yaml"
LOGS = [
    ROOT / "libs" / "ci-failures" / "tests" / "logs" / name
    for name in ("pytest/9-plain.log", "go/broken.log", "jest/29-ci.log")
]
REPOSITORY = "/api/v3/repos/smith/lab"
HOSTS = ("github.example", "storage.github.example")
LATENCY = 0.1
JOBS = 40
ENDED = "2026-01-05T09:05:00Z"
"""The time when the jobs ended: some minutes before the call."""
EXIT = {
    "path": ".github",
    "location": {"start": {"line": 9}, "end": {"line": 9}},
    "annotation_level": "FAILURE",
    "message": "Process completed with exit code 1.",
    "title": None,
    "raw_details": None,
}
"""The annotation that every failed job has."""
CHAIN = 3
"""The requests that wait for one another: the pull request with its checks, the URL of a log, and the log."""


class RequestCounter(Tape):
    """A tape that counts requests."""

    def __init__(self) -> None:
        super().__init__()
        self.requests = 0
        self._count_lock = Lock()

    def play(self, method: str, uri: str, body: bytes) -> Any:
        """Count the request and return its response."""
        with self._count_lock:
            self.requests += 1
        return super().play(method, uri, body)


def build_tape() -> RequestCounter:
    """Return a tape with 40 copies of the recorded job; the last three have failed, and have a log each."""
    tape = RequestCounter()
    for row in yaml.safe_load(RECORDING.read_text(encoding="utf-8"))["interactions"]:
        uri, text = row["request"]["uri"], row["response"]["body"]["string"]
        if "/logs" in uri:
            for log, job in zip(LOGS, list_failed_ids(), strict=True):
                response = (
                    row["response"] if "/jobs/" in uri else row["response"] | {"body": {"string": log.read_bytes()}}
                )
                text = yaml.safe_dump(response).replace("5000000008", str(job)) if "/jobs/" in uri else ""
                request = row["request"] | {"uri": uri.replace("5000000008", str(job))}
                tape.add(request, yaml.safe_load(text) if text else response)
            continue
        body = json.loads(text)
        if isinstance(body, dict) and "jobs" in body:
            (one,) = body["jobs"]
            body |= {"total_count": JOBS, "jobs": [copy_job(one, number) for number in range(JOBS)]}
        if uri.endswith("/graphql"):
            contexts = get_contexts(body)
            (one,) = contexts["nodes"]
            contexts |= {"totalCount": JOBS, "nodes": [copy_check_run(one, number) for number in range(JOBS)]}
        tape.add(row["request"], row["response"] | {"body": {"string": json.dumps(body)}})
    return tape


def get_contexts(body: dict[str, Any]) -> dict[str, Any]:
    """Return the checks in the answer of the query."""
    contexts: dict[str, Any] = body["data"]["repository"]["pullRequest"]["statusCheckRollup"]["contexts"]
    return contexts


def list_failed_ids() -> list[int]:
    """Return the ids of the failed jobs."""
    return [5_000_000_100 + number for number in range(JOBS - len(LOGS), JOBS)]


def copy_job(one: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a copy of a job with another id, name and conclusion."""
    job: dict[str, Any] = json.loads(json.dumps(one).replace("5000000008", str(5_000_000_100 + number)))
    failed = number >= JOBS - len(LOGS)
    conclusion = "failure" if failed else "success"
    return job | {"name": f"job {number:02}", "conclusion": conclusion, "completed_at": ENDED}


def copy_check_run(one: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a copy of a job's check run; a failed one has an annotation."""
    check = copy_job(one, number)
    notes = [EXIT] if check["conclusion"] == "failure" else []
    annotations = {"totalCount": len(notes)}
    return check | {
        "conclusion": check["conclusion"].upper(),
        "annotations": annotations,
        "notes": annotations | {"nodes": notes},
    }


def measure_floor() -> float:
    """Read the pull request with its checks, then the failed jobs' logs at once, as a script would; return seconds."""

    async def read_log(client: httpx.AsyncClient, check: dict[str, Any]) -> None:
        place = await client.get(f"{REPOSITORY}/actions/jobs/{check['databaseId']}/logs")
        (await client.get(place.headers["Location"])).raise_for_status()

    async def read(url: str) -> float:
        async with httpx.AsyncClient(base_url=url, verify=False) as client:  # noqa: S501 -- plain HTTP
            query = {"query": CHECKS, "variables": {"owner": "smith", "name": "lab", "number": 1}}
            began = time.perf_counter()
            checks = get_contexts((await client.post("/api/graphql", json=query)).json())["nodes"]
            failed = [check for check in checks if check["conclusion"] == "FAILURE"]
            await map_concurrently(failed, lambda check: read_log(client, check))
            return time.perf_counter() - began

    with playback(build_tape(), delay=LATENCY, hosts=HOSTS) as url:
        return anyio.run(read, url)


async def measure() -> None:
    """Call a new server twice, and print requests, seconds and bytes."""
    tape = build_tape()
    with (
        tempfile.TemporaryDirectory() as folder,
        playback(tape, delay=LATENCY, hosts=HOSTS) as url,
    ):
        text = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        app = make_app(Path(folder), text, environ={"HUB_TOKEN": "0" * 40})
        async with connect(app) as client:
            for turn in ("first call", "again"):
                before, began = tape.requests, time.perf_counter()
                result = await client.call_tool("get_failing_tests", {"pr": "smith/lab#1"})
                seconds, content = time.perf_counter() - began, result.structured_content
                size = len(json.dumps(content, separators=(",", ":")).encode()) + len(result.content[0].text.encode())
                print(
                    f"{turn:10} {tape.requests - before:3} requests,"
                    f" {seconds:.2f} s (bare chain {CHAIN * LATENCY:.1f} s),"
                    f" {content['total_failures']} failures in {content['checks']['total']} checks, {size:,} bytes"
                )
    assert not tape.missed, tape.missed


if __name__ == "__main__":
    anyio.run(measure)
