"""Two replicas that share a Redis, compared with one alone: the requests of the second after the first has read."""

import asyncio
from contextlib import ExitStack

from benchmarks.http_service._load import measure_load, request_each
from benchmarks.http_service._service import Service, run_redis, run_service

SIZES = range(300, 315)
WARM = 50


def print_replicas(upstream: str, alone: Service, seconds: int) -> None:
    """Print the requests of each to the forge, and the load when nothing has changed."""
    with run_redis() as redis, ExitStack() as stack:
        if redis is None:
            print("  skipped: redis-server is not on PATH")
            return
        first, second = (stack.enter_context(run_service(upstream, STITHY_REDIS_URL=redis[0])) for _ in range(2))
        for name, one in (("one, no Redis", alone), ("first of two", first), ("second of two", second)):
            one.read_request_count()
            cold, _ = asyncio.run(request_each([one.pull_url(size) for size in SIZES], 1))
            requests, modes = one.read_request_count() / len(SIZES), _format_read_modes(one)
            print(f"  {name:13} cold {cold}, {requests:.1f} requests each; {modes}")
            asyncio.run(request_each([one.pull_url(WARM)], 1))
            print(f"  {'':13} warm {measure_load(one.pull_url(WARM), seconds)}")


def _format_read_modes(one: Service) -> str:
    """Format the number of reads by mode, from the metrics."""
    rows = [line for line in one.metrics() if line.startswith("stithy_upstream_reads_total{")]
    return ", ".join(f"{row.partition('mode=')[2].split(chr(34))[1]} {float(row.split()[-1]):.0f}" for row in rows)
