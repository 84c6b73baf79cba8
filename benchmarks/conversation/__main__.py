"""What is unresolved on a very large pull request: one call of a new server, beside its requests sent bare.

Run: python benchmarks/conversation. Every figure is of a process of its own, for which the server has made its answers
before, so that only its latency is waited for.
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

from benchmarks._serving import serving

from stithy_core.spi import map_concurrently
from stithy_testing import connect, make_app

SERVER = Path(__file__).with_name("_server.py")
LATENCY = 0.1
SIZES = (2_500, 5_000, 10_000)
SMALL = 30
KINDS = ("github", "gitea")
BASES = {"github": "/api/v3/repos/octo/anvil", "gitea": "/api/v1/repos/octo/anvil"}
QUESTION = "query Threads($first: Int!, $after: String, $number: Int!) { whole }"


def counts(url: str) -> dict[str, int]:
    """Give what was asked since this was asked last."""
    found: dict[str, int] = httpx.get(f"{url}/counts").json()
    return found


def peak() -> float:
    """Give the most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def ours(url: str, kind: str, size: int) -> dict[str, Any]:
    """Ask a new server of ours twice."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        text = f'[forges.lab]\nkind = "{kind}"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(Path(folder), text, environ={"LAB_TOKEN": "0" * 40})
        async with connect(app) as client:

            async def ask(number: int) -> int:
                result = await client.call_tool("find_unresolved_comments", {"pr": f"octo/anvil#{number}"})
                assert not result.is_error, result.content
                text = result.content[0].text
                return len(json.dumps(result.structured_content, separators=(",", ":")).encode()) + len(text.encode())

            await ask(SMALL)  # what is imported and connected once
            before = peak()
            counts(url)
            for turn in ("first", "again"):
                began = time.perf_counter()
                answer = await ask(size)
                seconds = time.perf_counter() - began
                found[turn] = counts(url) | {"seconds": seconds, "answer": answer}
            found["memory"] = peak() - before
    return found


async def bare(url: str, kind: str, size: int) -> dict[str, Any]:
    """Send the same requests with nothing around them, as many at once as ours."""
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
        before = peak()
        counts(url)
        began = time.perf_counter()
        async with anyio.create_task_group() as group:
            group.start_soon(threads if kind == "github" else inline)
            for path in (f"pulls/{size}", f"issues/{size}/comments?per_page=100"):
                group.start_soon(get, path)
        return counts(url) | {"seconds": time.perf_counter() - began, "memory": peak() - before}


def measured(url: str, who: str, kind: str, size: int) -> dict[str, Any]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--only", who, kind, str(size), url]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def show(kind: str, size: int, found: dict[str, Any], floor: dict[str, Any]) -> None:
    """Show one size."""
    first, again = found["first"], found["again"]
    print(f"\n{kind}, {size:,} comments: an answer of {first['answer']:,} bytes")
    print(f"  first         {_row(first)}, {found['memory']:.0f} MB more held")
    print(f"  again         {_row(again)}, {again['not_modified']} not modified")
    print(f"  bare          {_row(floor)}, {floor['memory']:.0f} MB more held")
    print(f"  first / bare  {first['seconds'] / floor['seconds']:6.2f}")


def _row(found: dict[str, Any]) -> str:
    return f"{found['seconds']:6.2f} s {found['requests']:5} requests {found['bytes'] / 1e6:6.2f} MB"


def main() -> None:
    """Measure both forges in all sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        who, kind, size, url = given.only
        print(json.dumps(anyio.run({"ours": ours, "bare": bare}[who], url, kind, int(size))))
        return
    print(f"find_unresolved_comments on a forge that takes {LATENCY * 1_000:.0f} ms to answer, 300 threads")
    for kind in KINDS:
        for size in given.sizes:
            with serving(SERVER, str(LATENCY)) as url:
                measured(url, "ours", kind, size)  # makes the answers
                floor = measured(url, "bare", kind, size)
                show(kind, size, measured(url, "ours", kind, size), floor)


if __name__ == "__main__":
    main()
