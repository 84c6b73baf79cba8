"""Three questions about merge requests of a GitLab that takes 100 ms to answer, each by one call of a new server.

Run: python benchmarks/gitlab [--runs 5]. Each figure is measured in a process of its own, after its imports. The floors
are what a script sends that is written for this question alone: all requests at once, as soon as their paths are known.
It fails if a question takes more requests than it may; the aim for the time is 1.3 times that of the floor.
"""

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import anyio
import httpx
from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._server_process import run_server

from stithy_core.spi import map_concurrently
from stithy_testing import connect, make_app

SERVER = Path(__file__).with_name("_server.py")
LATENCY = 0.1
RUNS = 5
PROJECT = "/api/v4/projects/smith%2Ftools%2Fanvil"
TOKEN = "glpat-smith-0123456789abcdef"  # noqa: S105 -- the double's
SMALL = 5
IDLE = 3.0
"""Seconds after the first call, in which background services import what they need."""
PAGE = 100

Get = Callable[[str], Coroutine[Any, Any, httpx.Response]]


async def read_discussions(get: Get, merge: str) -> None:
    """Read all discussions of a merge request: the first page tells how many there are."""
    path = f"{merge}/discussions?per_page={PAGE}"
    first = await get(path)
    pages = int(first.headers["X-Total-Pages"])
    await map_concurrently(range(2, pages + 1), lambda page: get(f"{path}&page={page}"))


async def ask_unresolved(get: Get, merge: str) -> None:
    """Read who wrote what, and what is resolved."""
    others = ("", "/approvals", "/reviewers")
    async with anyio.create_task_group() as group:
        group.start_soon(read_discussions, get, merge)
        for below in others:
            group.start_soon(get, f"{merge}{below}")


async def ask_failures(get: Get, merge: str) -> None:
    """Read the newest pipeline, its jobs, and the traces of those that failed beside its test report."""
    _, found = await map_concurrently((merge, f"{merge}/pipelines"), get)
    run = f"{PROJECT}/pipelines/{found.json()[0]['id']}"
    jobs, _ = await map_concurrently((f"{run}/jobs?per_page={PAGE}", f"{run}/bridges"), get)
    failed = [f"{PROJECT}/jobs/{job['id']}/trace" for job in jobs.json() if job["status"] == "failed"]
    await map_concurrently([*failed, f"{run}/test_report"], get)


async def ask_readiness(get: Get, merge: str) -> None:
    """Read the merge request, its approvals, threads and pipelines, and the project; then the jobs and the branch."""
    below = ("", "/approvals", "/reviewers", "/discussions?per_page=100", "/commits", "/pipelines", "/blocks")
    paths = (PROJECT, f"{PROJECT}/protected_branches", *(f"{merge}{one}" for one in below))
    answers = dict(zip(paths, await map_concurrently(paths, get), strict=True))
    run = f"{PROJECT}/pipelines/{answers[f'{merge}/pipelines'].json()[0]['id']}"
    branch = f"{PROJECT}/repository/branches/{answers[merge].json()['target_branch']}"
    await map_concurrently((f"{run}/jobs?per_page={PAGE}", f"{run}/bridges", branch), get)


@frozen(kw_only=True)
class Case:
    """A question: the tool, the number of the merge request, the floor, and the most requests of the tool."""

    tool: str
    number: int
    floor: Callable[[Get, str], Awaitable[None]]
    requests: int


CASES = {
    "unresolved, 10,000 notes in threads": Case(
        tool="find_unresolved_comments", number=3, floor=ask_unresolved, requests=12
    ),
    "unresolved, 10,000 general notes": Case(
        tool="find_unresolved_comments", number=4, floor=ask_unresolved, requests=108
    ),
    "failing tests, 3 of 40 jobs": Case(tool="get_failing_tests", number=2, floor=ask_failures, requests=20),
    "may it be merged": Case(tool="check_merge_readiness", number=1, floor=ask_readiness, requests=20),
}


def read_counts(url: str) -> dict[str, int]:
    """Return the server's counts since the last call."""
    counts: dict[str, int] = httpx.get(f"{url}/counts").json()
    return counts


def freeze() -> None:
    """Keep what exists out of garbage collections, as `stithy serve` does before calls."""
    gc.collect()
    gc.freeze()


async def call_stithy(url: str, case: Case) -> dict[str, Any]:
    """Call the tool of a new server once, and return the figures; the text alone is sent, as to known hosts."""
    with tempfile.TemporaryDirectory() as folder:
        text = f'[forges.lab]\nkind = "gitlab"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(Path(folder), f'{text}[serve]\nanswers = "text"\n', environ={"LAB_TOKEN": TOKEN})
        async with connect(app) as client:

            async def ask(number: int) -> str:
                result = await client.call_tool(case.tool, {"pr": f"smith/tools/anvil!{number}"})
                assert not result.is_error, result.content
                answer: str = result.content[0].text
                return answer

            await ask(SMALL)  # imports modules and opens connections
            await anyio.sleep(IDLE)
            freeze()
            read_counts(url)
            began, cpu = time.perf_counter(), time.process_time()
            answer = await ask(case.number)
            figures = {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}
            return read_counts(url) | figures | {"answer": len(answer.encode())}


async def send_bare(url: str, case: Case) -> dict[str, Any]:
    """Send the requests of the floor, and return the figures."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    limits = httpx.Limits(max_connections=16)
    async with httpx.AsyncClient(base_url=url, headers=headers, limits=limits, timeout=600) as client:

        async def get(path: str) -> httpx.Response:
            response = await client.get(path)
            if response.headers["Content-Type"] == "application/json":
                response.json()
            return response

        await map_concurrently([f"{PROJECT}/merge_requests/{SMALL}"] * 8, get)  # opens connections
        freeze()
        read_counts(url)
        began, cpu = time.perf_counter(), time.process_time()
        await case.floor(get, f"{PROJECT}/merge_requests/{case.number}")
        return read_counts(url) | {"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}


def measure(url: str, client: str, name: str) -> dict[str, Any]:
    """Measure in a process of its own, and return the figures."""
    command = [sys.executable, __file__, "--only", client, name, url]
    figures: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return figures


def measure_case(url: str, name: str, runs: int) -> list[str]:
    """Print the figures of a question, and return what is beyond its bound."""
    for client in ("bare", "stithy"):
        measure(url, client, name)  # makes the server compute its answers
    pairs = [(measure(url, "bare", name), measure(url, "stithy", name)) for _ in range(runs)]
    floor, ours = (sorted(side, key=lambda one: float(one["seconds"]))[runs // 2] for side in zip(*pairs, strict=True))
    ratio = ours["seconds"] / floor["seconds"]
    print(f"{name}: an answer of {ours['answer']:,} bytes")
    for label, one in (("stithy", ours), ("bare", floor)):
        times = f"{one['seconds']:5.2f} s, {one['cpu']:.2f} s of CPU"
        print(f"  {label:8} {times}, {one['requests']:5} requests, {one['bytes']:10,} bytes")
    print(f"  ratio    {ratio:5.2f}", flush=True)
    return [f"{name}: {ours['requests']} requests"] if ours["requests"] > CASES[name].requests else []


def main() -> None:
    """Measure all questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        client, name, url = args.only
        print(json.dumps(anyio.run({"stithy": call_stithy, "bare": send_bare}[client], url, CASES[name])))
        return
    print(f"a GitLab that takes {LATENCY * 1_000:.0f} ms to answer, medians of {args.runs} runs")
    with run_server(SERVER, str(LATENCY)) as url:
        excess = [fault for name in CASES for fault in measure_case(url, name, args.runs)]
    sys.exit("\n".join(excess) or None)


if __name__ == "__main__":
    main()
