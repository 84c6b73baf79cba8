"""The comments service: warm, cold and shared answers, a very large pull request, memory, replicas, faults.

Run: python benchmarks/http_service. The floor is `/healthz` of the same process, which asks nobody and writes nothing.
"""

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._serving import serving
from benchmarks.http_service._faults import show_faults
from benchmarks.http_service._load import each, load
from benchmarks.http_service._replicas import show_replicas
from benchmarks.http_service._service import Service, service

UPSTREAM = Path(__file__).resolve().parents[1] / "conversation" / "_server.py"
LATENCY = 0.02
WARM, SHARED, LARGE = 50, 250, 10_000
COLD = range(100, 200)
CLIENTS = 1_000


def show_warm(served: Service, seconds: int) -> None:
    """Show the floor, and a small pull request that has not changed."""
    asyncio.run(each([served.path(WARM)], 1))
    print(f"  healthz       {load(f'{served.url}/healthz', seconds)}")
    print(f"  warm          {load(served.path(WARM), seconds)}")


def show_cold(served: Service) -> None:
    """Show pull requests that nobody has asked for, one after the other."""
    served.asked()
    found, _ = asyncio.run(each([served.path(size) for size in COLD], 1))
    print(f"  cold          {found}, {served.asked() / len(COLD):.1f} requests to the forge each")


def show_shared(served: Service) -> None:
    """Show many who ask for the same at once, beside one who asks for a like one."""
    served.asked()
    asyncio.run(each([served.path(SHARED + 1)], 1))
    alone = served.asked()
    found, answers = asyncio.run(each([served.path(SHARED)] * CLIENTS, CLIENTS))
    assert len(set(answers)) == 1
    print(f"  {CLIENTS:,} at once {found}, {served.asked()} requests to the forge; one alone: {alone}")


def show_large(served: Service) -> None:
    """Show a very large pull request, the first time and again."""
    before = served.peak()
    for turn in ("first", "again"):
        served.asked()
        began = time.perf_counter()
        _, (answer,) = asyncio.run(each([served.path(LARGE)], 1))
        seconds = time.perf_counter() - began
        count = len(json.loads(answer)["comments"])
        print(
            f"  {turn}         {seconds:6.2f} s, {count:,} comments, {len(answer):,} bytes, {served.asked()} requests"
        )
    print(f"  memory        {served.peak()} MB at most, {before} MB before it")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    given = parser.parse_args()
    with serving(UPSTREAM, str(LATENCY)) as upstream:
        print(f"the comments service on a GitHub that takes {LATENCY * 1_000:.0f} ms to answer; 16 clients at a time")
        with service(upstream) as served:  # a process each: GitHub lets one spend 900 points a minute
            show_warm(served, given.seconds)
            show_cold(served)
        with service(upstream) as served:
            show_shared(served)
            print(f"a pull request of {LARGE:,} comments")
            show_large(served)
        print("two replicas that share a Redis, and one alone")
        with service(upstream) as served:
            show_replicas(upstream, served, given.seconds)
        print("every fourth answer of the forge is a fault, and its Redis is killed half-way")
        asyncio.run(show_faults(upstream, given.seconds))


if __name__ == "__main__":
    main()
