"""Lists of a pull request page by page: requests, bytes and seconds of a new server, compared with its bare requests.

Run: python benchmarks/conversation/pages.py. Each figure is measured in a process of its own, after its imports, on the
two forges of `_server.py`. The text alone is sent, as to hosts that are known. It fails if a row is beyond its bounds.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import anyio
import httpx
from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._server_process import run_server
from benchmarks.conversation._server import HUGE, ORDINARY, TALK, get_shape

from stithy_core.spi import map_concurrently
from stithy_testing import connect, make_app

SERVER = Path(__file__).with_name("_server.py")
LATENCY = 0.1
SMALL = 30
REVIEWS = 2_500
"""A pull request of Gitea with 300 reviews."""
RUNS = 5
MOST_PAGES = 12
CURSOR = re.compile(r'call again with cursor="([^"]+)"')
FLOOR = "query Floor($number: Int!, $first: Int!, $after: String) { whole }"


@frozen(kw_only=True)
class Row:
    """A list that is measured.

    Args:
        kind: The kind of forge.
        tool: The tool.
        number: The pull request.
        newest: The number of newest items that are asked for; 0 for the tool's own.
        requests: The most requests for the first page, beside those that the forge demands.
        following: The most requests for each following page.
        size: The most bytes of the first answer that reach a model that gets the text alone; 0 for no bound.
    """

    kind: str
    tool: str
    number: int
    newest: int = 0
    requests: int
    following: int = 2
    size: int = 0


ROWS = {
    "unresolved, ordinary": Row(
        kind="github", tool="find_unresolved_comments", number=ORDINARY, requests=3, size=9_400
    ),
    "unresolved, huge": Row(kind="github", tool="find_unresolved_comments", number=HUGE, requests=8, size=16_384),
    "unresolved, 300 reviews": Row(kind="gitea", tool="find_unresolved_comments", number=REVIEWS, requests=305),
    "conversation, 6,000 comments": Row(kind="github", tool="get_pull_request_conversation", number=TALK, requests=65),
    "conversation, newest 100 of 6,000": Row(
        kind="github", tool="get_pull_request_conversation", number=TALK, newest=100, requests=2
    ),
}


def read_counts(url: str) -> dict[str, int]:
    """Return the server's counts since the last call."""
    counts: dict[str, int] = httpx.get(f"{url}/counts").json()
    return counts


async def call_stithy(url: str, row: Row) -> list[dict[str, Any]]:
    """Return the figures of each page of a new server: requests, seconds, bytes of the text, kinds of entries."""
    pages: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        text = f'[forges.lab]\nkind = "{row.kind}"\nurl = "{url}"\ntoken = {{ env = "LAB_TOKEN" }}\n'
        app = make_app(Path(folder), f'{text}[serve]\nanswers = "text"\n', environ={"LAB_TOKEN": "0" * 40})
        async with connect(app) as client:
            await client.call_tool(row.tool, {"pr": f"octo/anvil#{SMALL}"})  # imports modules and opens connections
            cursor: dict[str, str] = {}
            while len(pages) < MOST_PAGES:
                read_counts(url)
                began = time.perf_counter()
                arguments = {"pr": f"octo/anvil#{row.number}"} | ({"max_items": row.newest} if row.newest else {})
                result = await client.call_tool(row.tool, arguments | cursor)
                seconds = time.perf_counter() - began
                assert not result.is_error, result.content
                text = result.content[0].text
                pages.append(measure_answer(text) | read_counts(url) | {"seconds": seconds})
                if (following := CURSOR.search(text)) is None:
                    break
                cursor = {"cursor": following[1]}
    return pages


def measure_answer(text: str) -> dict[str, Any]:
    """Return the bytes of an answer, and how many entries of each kind it has, by the first word behind the id."""
    kinds = Counter(re.findall(r"^- \[\S+\] (?:open, )?(thread|review|comment|[a-z_]+)\b", text, re.MULTILINE))
    return {"text": len(text.encode()), "kinds": kinds}


async def send_bare(url: str, row: Row) -> float:
    """Return the seconds that the requests for the first page take by themselves, as many at once as stithy sends."""
    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=16)) as client:
        api = f"{url}/api/{'v3' if row.kind == 'github' else 'v1'}/repos/octo/anvil"

        async def get(path: str) -> Any:
            return (await client.get(f"{api}/{path}")).json()

        async def query() -> None:
            after: str | None = None
            while True:
                variables = {"number": row.number, "first": 100, "after": after}
                answer = await client.post(f"{url}/api/graphql", json={"query": FLOOR, "variables": variables})
                page = answer.json()["data"]["repository"]["pullRequest"]["reviewThreads"]["pageInfo"]
                if not page["hasNextPage"]:
                    return
                after = page["endCursor"]

        async def reviews() -> None:
            rows = await get(f"pulls/{row.number}/reviews")
            await map_concurrently(rows, lambda one: get(f"pulls/{row.number}/reviews/{one['id']}/comments"))

        async def comments() -> None:
            base = f"issues/{row.number}/comments?per_page=100"
            if row.newest:
                await query()
                return
            await get(base)
            numbers = range(2, -(-get_shape(row.number).general // 100) + 1)
            await map_concurrently(numbers, lambda number: get(f"{base}&page={number}"))

        ways = {"gitea": reviews, "github": query if row.number in (ORDINARY, HUGE) else comments}
        await get(f"pulls/{SMALL}")
        began = time.perf_counter()
        async with anyio.create_task_group() as group:
            group.start_soon(get, f"pulls/{row.number}")
            group.start_soon(ways[row.kind])
        return time.perf_counter() - began


def measure(url: str, client: str, name: str) -> Any:
    """Measure in a process of its own, and return the figures."""
    command = [sys.executable, __file__, "--only", client, name, url]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ))
    return json.loads(done.stdout)


def measure_row(name: str, runs: int) -> list[str]:
    """Print the figures of a row, and return what is beyond its bounds."""
    row = ROWS[name]
    with run_server(SERVER, str(LATENCY)) as url:
        pages = measure(url, "stithy", name)  # makes the server create its responses
        floors, firsts = [], []
        for _ in range(runs):
            floors.append(measure(url, "bare", name))
            pages = measure(url, "stithy", name)
            firsts.append(pages[0]["seconds"])
    first, later = pages[0], pages[1:]
    ratio = sorted(firsts)[runs // 2] / sorted(floors)[runs // 2]
    print(f"{name}: {len(pages)}{' or more' if len(pages) == MOST_PAGES else ''} pages")
    print(f"  first      {sorted(firsts)[runs // 2]:.2f} s, {ratio:.2f} x bare, {_format_page(first)}")
    if later:
        most = max(page["requests"] for page in later)
        seconds = max(page["seconds"] for page in later)
        print(f"  following  {seconds:.2f} s and {most} requests at most, {_format_page(later[0])}")
    return list(_find_excess(row, first, later))


def _format_page(page: dict[str, Any]) -> str:
    kinds = ", ".join(f"{count} {kind}" for kind, count in page["kinds"].items())
    return f"{page['requests']} requests, {page['text']:,} bytes: {kinds}"


def _find_excess(row: Row, first: dict[str, Any], later: list[dict[str, Any]]) -> Any:
    if first["requests"] > row.requests:
        yield f"{row.tool} #{row.number}: {first['requests']} requests for the first page"
    if row.size and first["text"] > row.size:
        yield f"{row.tool} #{row.number}: {first['text']:,} bytes"
    if any(page["requests"] > row.following for page in later):
        yield f"{row.tool} #{row.number}: {[page['requests'] for page in later]} requests for following pages"


def main() -> None:
    """Measure all rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--only", nargs=3, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        client, name, url = args.only
        print(json.dumps(anyio.run({"stithy": call_stithy, "bare": send_bare}[client], url, ROWS[name])))
        return
    print(f"a forge that takes {LATENCY * 1_000:.0f} ms to answer, medians of {args.runs} runs")
    excess = [fault for name in ROWS for fault in measure_row(name, args.runs)]
    sys.exit("\n".join(excess) or None)


if __name__ == "__main__":
    main()
