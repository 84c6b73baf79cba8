"""What the client of forges costs beside bare httpx, what it saves, and what it holds. Run: python benchmarks/http."""

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

from benchmarks._serving import serving
from benchmarks._stdio import median, show, spread

from stithy_core.http import ForgeHttp
from stithy_core.http.memory_store import MemoryStore
from stithy_core.spi import Dialect, ForgeConfig, Paging

SERVER = Path(__file__).with_name("_server.py")
READERS = 1_000
BLOCK = 50
WARM_UP = 300
MICRO = 1_000_000
MEGA = 1024 * 1024
TOKEN = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"  # noqa: S105 -- of nobody
KEPT = MEGA

Get = Callable[[str], Awaitable[Any]]


class Tokens:
    """Gives the token of nobody."""

    async def current(self) -> str | None:
        """Give it."""
        return TOKEN

    async def report_refusal(self, value: str) -> bool:  # noqa: ARG002 -- the server takes every token
        """Have no other."""
        return False


@asynccontextmanager
async def ours(url: str, most: int = KEPT) -> AsyncIterator[ForgeHttp]:
    """Make a client of ours."""
    dialect = Dialect(paging=Paging.LINKS)
    config = ForgeConfig(alias="bench", kind="bench", url=url)
    http = ForgeHttp(config, dialect=dialect, tokens=Tokens(), store=MemoryStore(most))
    yield http
    await http.aclose()


@asynccontextmanager
async def bare(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Make a client of httpx."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=10, limits=httpx.Limits()) as client:
        yield client


async def sharing(url: str) -> None:
    """Ask the same at once, very often, and show how often the forge was asked.

    Raises:
        RuntimeError: Our readers asked more than once.
    """
    async with bare(url) as theirs, ours(url) as http:
        asked = [await _asked(theirs)]
        await asyncio.gather(*(theirs.get("/held") for _ in range(READERS)))
        asked.append(await _asked(theirs))
        await asyncio.gather(*(http.get("/held") for _ in range(READERS)))
        asked.append(await _asked(theirs))
    rows = {"bare": [str(asked[1] - asked[0])], "stithy": [str(asked[2] - asked[1])], "target": ["1"]}
    show(f"{READERS:,} identical reads at once", ["upstream"], rows)
    if asked[2] - asked[1] != 1:
        raise RuntimeError("identical reads did not share one request")


async def _asked(client: httpx.AsyncClient) -> int:
    count: int = (await client.get("/asked")).json()
    return count


async def overhead(url: str, kind: str, runs: int, calls: int) -> None:
    """Read one thing after the other, in short blocks that alternate, so that other work falls on both."""
    async with bare(url) as theirs, ours(url) as http:

        async def plain(path: str) -> Any:
            return (await theirs.get(path)).json()

        sides: dict[str, Get] = {"bare": plain, "stithy": http.get}
        found: dict[str, list[list[float]]] = {name: [] for name in sides}
        for get in sides.values():
            await _block(get, f"/{kind}/warm", WARM_UP)
        for run in range(runs):
            for times in found.values():
                times.append([])
            for begun in range(0, calls, BLOCK):
                for name, get in sides.items():
                    found[name][-1] += await _block(get, f"/{kind}/{name}-{run}-{begun}", BLOCK)
    middles = {name: [median(times) for times in blocks] for name, blocks in found.items()}
    floor, mine = (median([seconds for times in found[name] for seconds in times]) for name in sides)
    rows = {
        "bare": [f"{floor * MICRO:.0f}"],
        "stithy": [f"{mine * MICRO:.0f}"],
        "stithy / bare": [f"{mine / floor:.3f}"],
        "middle half": [spread(middles["stithy"], middles["bare"])],
        "target": ["1.20"],
    }
    show(f"distinct reads, {kind}: {runs} runs of {calls}, in alternating blocks of {BLOCK}", ["p50 us"], rows)


async def _block(get: Get, path: str, calls: int) -> list[float]:
    times = []
    for number in range(calls):
        began = time.perf_counter()
        await get(f"{path}-{number}")
        times.append(time.perf_counter() - began)
    return times


async def holding(url: str, pages: int) -> None:
    """Read very many pages, and show what is held after a tenth of them and after all."""
    rows = {
        "bare": await _held(_bare_pages(url), pages),
        "stithy": await _held(_our_pages(url, "/pages/plain"), pages),
        f"stithy, with {KEPT / MEGA:.0f} MB of copies": await _held(_our_pages(url, "/pages/kept"), pages),
    }
    show(f"{pages:,} pages of a list, MB of the process", [f"after {pages // 10:,}", "after all", "growth"], rows)


async def _bare_pages(url: str) -> AsyncIterator[Any]:
    async with bare(url) as client:
        place = "/pages/plain"
        while place:
            response = await client.get(place)
            yield response.json()
            place = response.links.get("next", {}).get("url", "")


async def _our_pages(url: str, path: str) -> AsyncIterator[Any]:
    async with ours(url) as http:
        async for page in http.pages(path):
            yield page


async def _held(reading: AsyncIterator[Any], pages: int) -> list[str]:
    count, held = 0, []
    async for _ in reading:
        count += 1
        if count in (pages // 10, pages):
            gc.collect()
            held.append(_resident())
    assert count == pages, count
    return [f"{held[0]:.1f}", f"{held[1]:.1f}", f"{held[1] - held[0]:+.1f}"]


def _resident() -> float:
    """Give the megabytes that this process has in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / MEGA


async def measure(runs: int, calls: int, pages: int) -> None:
    """Measure all three: what is held first, before anything else leaves room in which a leak would not show."""
    with serving(SERVER, str(pages)) as url:
        await holding(url, pages)
        await sharing(url)
        for kind in ("plain", "told"):
            await overhead(url, kind, runs, calls)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20, metavar="N", help="runs of reads (default 20)")
    parser.add_argument("--calls", type=int, default=200, metavar="N", help="reads in a run (default 200)")
    parser.add_argument("--pages", type=int, default=10_000, metavar="N", help="pages of the list (default 10,000)")
    given = parser.parse_args()
    asyncio.run(measure(given.runs, given.calls, given.pages))


if __name__ == "__main__":
    main()
