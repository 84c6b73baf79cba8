"""The comments service: warm, cold and shared responses, a very large pull request, memory, replicas, faults.

Run: python benchmarks/http_service. The floor is `/healthz` of the same process, which sends no request and writes no
data.
"""

import argparse
import asyncio
import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._server_process import run_server
from benchmarks.http_service._faults import print_faults
from benchmarks.http_service._load import measure_load, request_each
from benchmarks.http_service._replicas import print_replicas
from benchmarks.http_service._service import Service, run_service

UPSTREAM = Path(__file__).resolve().parents[1] / "conversation" / "_server.py"
LATENCY = 0.02
WARM, SHARED, LARGE = 50, 250, 10_000
COLD = range(100, 200)
CLIENTS = 1_000


def print_warm(service: Service, seconds: int) -> None:
    """Print the load of the floor, and that of a small pull request that has not changed."""
    asyncio.run(request_each([service.pull_url(WARM)], 1))
    print(f"  healthz       {measure_load(f'{service.url}/healthz', seconds)}")
    print(f"  warm          {measure_load(service.pull_url(WARM), seconds)}")


def print_cold(service: Service) -> None:
    """Print the load of pull requests that are requested for the first time, one after the other."""
    service.read_request_count()
    load, _ = asyncio.run(request_each([service.pull_url(size) for size in COLD], 1))
    print(f"  cold          {load}, {service.read_request_count() / len(COLD):.1f} requests to the forge each")


def print_shared(service: Service) -> None:
    """Print the load of many equal requests at once, and the number of requests of a single one."""
    service.read_request_count()
    asyncio.run(request_each([service.pull_url(SHARED + 1)], 1))
    alone = service.read_request_count()
    load, bodies = asyncio.run(request_each([service.pull_url(SHARED)] * CLIENTS, CLIENTS))
    assert len(set(bodies)) == 1
    print(f"  {CLIENTS:,} at once {load}, {service.read_request_count()} requests to the forge; one alone: {alone}")


def print_large(service: Service) -> None:
    """Print the figures of a very large pull request, the first time and again."""
    before = service.read_peak_memory()
    for turn in ("first", "again"):
        service.read_request_count()
        began = time.perf_counter()
        _, (body,) = asyncio.run(request_each([service.pull_url(LARGE)], 1))
        seconds, requests = time.perf_counter() - began, service.read_request_count()
        count = len(json.loads(body)["comments"])
        print(f"  {turn}         {seconds:6.2f} s, {count:,} comments, {len(body):,} bytes, {requests} requests")
    print(f"  memory        {service.read_peak_memory()} MB at most, {before} MB before it")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    args = parser.parse_args()
    with run_server(UPSTREAM, str(LATENCY)) as upstream:
        print(f"the comments service on a GitHub with {LATENCY * 1_000:.0f} ms latency; 16 clients at a time")
        with run_service(upstream) as service:  # a process each: GitHub's limit is 900 points a minute
            print_warm(service, args.seconds)
            print_cold(service)
        with run_service(upstream) as service:
            print_shared(service)
            print(f"a pull request of {LARGE:,} comments")
            print_large(service)
        print("two replicas that share a Redis, and one alone")
        with run_service(upstream) as service:
            print_replicas(upstream, service, args.seconds)
        print("every fourth response of the forge is a fault, and Redis is killed halfway")
        asyncio.run(print_faults(upstream, args.seconds))


if __name__ == "__main__":
    main()
