"""Two replicas that share a Redis beside one alone: what the second asks for that the first has read."""

import asyncio
from contextlib import ExitStack

from benchmarks.http_service._load import each, load
from benchmarks.http_service._service import Service, redis, service

SIZES = range(300, 315)
WARM = 50


def show_replicas(upstream: str, alone: Service, seconds: int) -> None:
    """Show what each asks of the forge, and how fast it is when nothing has changed."""
    with redis() as found, ExitStack() as stack:
        if found is None:
            print("  left out: there is no redis-server on PATH")
            return
        first, second = (stack.enter_context(service(upstream, STITHY_REDIS_URL=found[0])) for _ in range(2))
        for name, one in (("one, no Redis", alone), ("first of two", first), ("second of two", second)):
            one.asked()
            cold, _ = asyncio.run(each([one.path(size) for size in SIZES], 1))
            sent, confirmed = one.asked() / len(SIZES), _modes(one)
            print(f"  {name:13} cold {cold}, {sent:.1f} requests each; {confirmed}")
            asyncio.run(each([one.path(WARM)], 1))
            print(f"  {'':13} warm {load(one.path(WARM), seconds)}")


def _modes(one: Service) -> str:
    """Say how its reads ended, as its metrics have it."""
    rows = [line for line in one.metrics() if line.startswith("stithy_upstream_reads_total{")]
    return ", ".join(f"{row.partition('mode=')[2].split(chr(34))[1]} {float(row.split()[-1]):.0f}" for row in rows)
