"""The HTTP client of forges compared with bare httpx: time, requests saved, and memory. Run: python benchmarks/http."""

import argparse
import asyncio
import gc
import os
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._server_process import run_server
from benchmarks._stdio import format_spread, median, print_table

from stithy_core.http import ForgeHttp
from stithy_core.http.memory_store import MemoryStore
from stithy_core.spi import Dialect, ForgeConfig, Paging, Token, follow_link_header

SERVER = Path(__file__).with_name("_server.py")
READERS = 1_000
BLOCK = 50
WARM_UP = 300
MICRO = 1_000_000
MEGA = 1024 * 1024
TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"  # noqa: S105 -- no account has it
CACHE_BYTES = MEGA

Get = Callable[[str], Awaitable[Any]]


class Tokens:
    """A source with one token."""

    async def current(self) -> Token:
        """Return the token."""
        return Token(value=TOKEN, source="the benchmark")

    async def report_refusal(self, token: Token) -> bool:  # noqa: ARG002 -- the server accepts every token
        """Return False: this token cannot be replaced."""
        return False


@asynccontextmanager
async def open_forge_http(url: str, most: int = CACHE_BYTES) -> AsyncIterator[ForgeHttp]:
    """Open a client of stithy, with a cache of some bytes."""
    dialect = Dialect(paging=Paging(next_page=follow_link_header))
    config = ForgeConfig(alias="bench", kind="bench", url=url)
    http = ForgeHttp(config, dialect=dialect, tokens=Tokens(), store=MemoryStore(most))
    yield http
    await http.aclose()


@asynccontextmanager
async def open_bare(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Open a client of httpx."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=10, limits=httpx.Limits()) as client:
        yield client


async def measure_sharing(url: str) -> None:
    """Send many identical reads at once, and print how many requests the forge received.

    Raises:
        RuntimeError: stithy sent more than one request.
    """
    async with open_bare(url) as theirs, open_forge_http(url) as http:
        counts = [await _read_count(theirs)]
        await asyncio.gather(*(theirs.get("/delayed") for _ in range(READERS)))
        counts.append(await _read_count(theirs))
        await asyncio.gather(*(http.get("/delayed") for _ in range(READERS)))
        counts.append(await _read_count(theirs))
    rows = {"bare": [str(counts[1] - counts[0])], "stithy": [str(counts[2] - counts[1])], "target": ["1"]}
    print_table(f"{READERS:,} identical reads at once", ["upstream"], rows)
    if counts[2] - counts[1] != 1:
        raise RuntimeError("identical reads did not share one request")


async def _read_count(client: httpx.AsyncClient) -> int:
    count: int = (await client.get("/count")).json()
    return count


async def measure_overhead(url: str, kind: str, runs: int, calls: int) -> None:
    """Read different paths one after the other, in short alternating blocks, so that other load affects both."""
    async with open_bare(url) as theirs, open_forge_http(url) as http:

        async def plain(path: str) -> Any:
            return (await theirs.get(path)).json()

        sides: dict[str, Get] = {"bare": plain, "stithy": http.get}
        seconds_by_side: dict[str, list[list[float]]] = {name: [] for name in sides}
        for get in sides.values():
            await _measure_block(get, f"/{kind}/warm", WARM_UP)
        for run in range(runs):
            for times in seconds_by_side.values():
                times.append([])
            for start in range(0, calls, BLOCK):
                for name, get in sides.items():
                    seconds_by_side[name][-1] += await _measure_block(get, f"/{kind}/{name}-{run}-{start}", BLOCK)
    middles = {name: [median(times) for times in blocks] for name, blocks in seconds_by_side.items()}
    floor, mine = (median([seconds for times in seconds_by_side[name] for seconds in times]) for name in sides)
    rows = {
        "bare": [f"{floor * MICRO:.0f}"],
        "stithy": [f"{mine * MICRO:.0f}"],
        "stithy / bare": [f"{mine / floor:.3f}"],
        "middle half": [format_spread(middles["stithy"], middles["bare"])],
        "target": ["1.20"],
    }
    print_table(f"distinct reads, {kind}: {runs} runs of {calls}, in alternating blocks of {BLOCK}", ["p50 us"], rows)


async def _measure_block(get: Get, path: str, calls: int) -> list[float]:
    times = []
    for number in range(calls):
        began = time.perf_counter()
        await get(f"{path}-{number}")
        times.append(time.perf_counter() - began)
    return times


async def measure_memory(url: str, pages: int) -> None:
    """Read many pages, and print the memory after a tenth of them and after all."""
    cache = f"stithy, with a cache of {CACHE_BYTES / MEGA:.0f} MB"
    rows = {
        "bare": await _read_all(_iterate_bare_pages(url), pages),
        "stithy": await _read_all(_iterate_our_pages(url, "/pages/plain"), pages),
        cache: await _read_all(_iterate_our_pages(url, "/pages/etag"), pages),
    }
    print_table(
        f"{pages:,} pages of a list, MB of the process", [f"after {pages // 10:,}", "after all", "growth"], rows
    )


async def _iterate_bare_pages(url: str) -> AsyncIterator[Any]:
    async with open_bare(url) as client:
        place = "/pages/plain"
        while place:
            response = await client.get(place)
            yield response.json()
            place = response.links.get("next", {}).get("url", "")


async def _iterate_our_pages(url: str, path: str) -> AsyncIterator[Any]:
    async with open_forge_http(url) as http:
        async for page in http.pages(path):
            yield page


async def _read_all(page_iterator: AsyncIterator[Any], pages: int) -> list[str]:
    """Read all pages, and return the memory in MB after a tenth of them, after all, and the growth."""
    count, memory = 0, []
    async for _ in page_iterator:
        count += 1
        if count in (pages // 10, pages):
            gc.collect()
            memory.append(_measure_resident_memory())
    assert count == pages, count
    return [f"{memory[0]:.1f}", f"{memory[1]:.1f}", f"{memory[1] - memory[0]:+.1f}"]


def _measure_resident_memory() -> float:
    """Return the resident memory of this process in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / MEGA


async def measure(runs: int, calls: int, pages: int) -> None:
    """Measure all three, memory first: later, memory that others have freed would hide a leak."""
    with run_server(SERVER, str(pages)) as url:
        await measure_memory(url, pages)
        await measure_sharing(url)
        for kind in ("plain", "headers"):
            await measure_overhead(url, kind, runs, calls)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="runs of reads (default 20)")
    parser.add_argument("--calls", type=int, default=200, metavar="N", help="reads in a run (default 200)")
    parser.add_argument("--pages", type=int, default=10_000, metavar="N", help="pages of the list (default 10,000)")
    args = parser.parse_args()
    asyncio.run(measure(args.runs, args.calls, args.pages))


if __name__ == "__main__":
    main()
