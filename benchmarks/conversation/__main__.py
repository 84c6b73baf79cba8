"""`find_unresolved_comments` on a very large pull request: one call of a new server, compared with its bare requests.

Run: python benchmarks/conversation. Each figure is measured in a process of its own. The server has created its
responses before, so only its latency counts.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._server_process import run_server

from stithy_core.spi import map_concurrently
from stithy_testing import connect, make_app

SERVER = Path(__file__).with_name("_server.py")
LATENCY = 0.1
SIZES = (2_500, 5_000, 10_000)
SMALL = 30
KINDS = ("github", "gitea")
BASES = {"github": "/api/v3/repos/octo/anvil", "gitea": "/api/v1/repos/octo/anvil"}
QUESTION = "query Threads($first: Int!, $after: String, $number: Int!) { whole }"


def read_counts(url: str) -> dict[str, int]:
    """Read the server's counts since the last call: requests, bytes, and responses that were not modified."""
    counts: dict[str, int] = httpx.get(f"{url}/counts").json()
    return counts


def measure_peak_memory() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def call_stithy(url: str, kind: str, size: int) -> dict[str, Any]:
    """Call a new stithy server twice, and return the figures of both calls."""
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        text = f'[forges.lab]\nkind = "{kind}"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(Path(folder), text, environ={"LAB_TOKEN": "0" * 40})
        async with connect(app) as client:

            async def ask(number: int) -> int:
                result = await client.call_tool("find_unresolved_comments", {"pr": f"octo/anvil#{number}"})
                assert not result.is_error, result.content
                text = result.content[0].text
                return len(json.dumps(result.structured_content, separators=(",", ":")).encode()) + len(text.encode())

            await ask(SMALL)  # imports modules and opens connections
            before = measure_peak_memory()
            read_counts(url)
            for turn in ("first", "again"):
                began = time.perf_counter()
                answer = await ask(size)
                seconds = time.perf_counter() - began
                figures[turn] = read_counts(url) | {"seconds": seconds, "answer": answer}
            figures["memory"] = measure_peak_memory() - before
    return figures


async def send_bare(url: str, kind: str, size: int) -> dict[str, Any]:
    """Send the same bare requests, as many at once as stithy, and return the figures."""
    base = f"{url}{BASES[kind]}"
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=16)) as client:

        async def get(path: str) -> Any:
            return (await client.get(f"{base}/{path}")).json()

        async def threads() -> None:
            after: str | None = None
            while True:
                variables = {"number": size, "first": 100, "after": after}
                answer = await client.post(f"{url}/api/graphql", json={"query": QUESTION, "variables": variables})
                page = answer.json()["data"]["repository"]["pullRequest"]["reviewThreads"]["pageInfo"]
                if not page["hasNextPage"]:
                    return
                after = page["endCursor"]

        async def inline() -> None:
            reviews = await get(f"pulls/{size}/reviews")
            await map_concurrently(reviews, lambda review: get(f"pulls/{size}/reviews/{review['id']}/comments"))

        await get(f"pulls/{SMALL}")
        before = measure_peak_memory()
        read_counts(url)
        began = time.perf_counter()
        async with anyio.create_task_group() as group:
            group.start_soon(threads if kind == "github" else inline)
            for path in (f"pulls/{size}", f"issues/{size}/comments?per_page=100"):
                group.start_soon(get, path)
        return read_counts(url) | {"seconds": time.perf_counter() - began, "memory": measure_peak_memory() - before}


def measure(url: str, client: str, kind: str, size: int) -> dict[str, Any]:
    """Measure in a process of its own, and return the figures."""
    command = [sys.executable, __file__, "--only", client, kind, str(size), url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def print_size(kind: str, size: int, ours: dict[str, Any], floor: dict[str, Any]) -> None:
    """Print the figures of one size."""
    first, again = ours["first"], ours["again"]
    print(f"\n{kind}, {size:,} comments: an answer of {first['answer']:,} bytes")
    print(f"  first         {_format_row(first)}, {ours['memory']:.0f} MB more memory")
    print(f"  again         {_format_row(again)}, {again['not_modified']} not modified")
    print(f"  bare          {_format_row(floor)}, {floor['memory']:.0f} MB more memory")
    print(f"  first / bare  {first['seconds'] / floor['seconds']:6.2f}")


def _format_row(figures: dict[str, Any]) -> str:
    return f"{figures['seconds']:6.2f} s {figures['requests']:5} requests {figures['bytes'] / 1e6:6.2f} MB"


def main() -> None:
    """Measure both forges in all sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        client, kind, size, url = args.only
        print(json.dumps(anyio.run({"stithy": call_stithy, "bare": send_bare}[client], url, kind, int(size))))
        return
    print(f"find_unresolved_comments on a forge that takes {LATENCY * 1_000:.0f} ms to answer, 300 threads")
    for kind in KINDS:
        for size in args.sizes:
            with run_server(SERVER, str(LATENCY)) as url:
                measure(url, "stithy", kind, size)  # makes the server create its responses
                floor = measure(url, "bare", kind, size)
                print_size(kind, size, measure(url, "stithy", kind, size), floor)


if __name__ == "__main__":
    main()
