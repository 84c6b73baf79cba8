"""The service while its forge and its Redis fail: no response is wrong, no token leaks, and it recovers by itself."""

import asyncio
import json
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import ExitStack
from typing import Any

from benchmarks.http_service._proxy import Proxy
from benchmarks.http_service._service import TOKEN, Service, run_redis, run_service

SIZES = range(40, 60)
CLIENTS = 8
OK = 200


class ResponseCheck:
    """Sends requests to a service with faults, and compares its responses with those of a service without.

    Args:
        correct: The service without faults.
        faulty: The service with faults.
    """

    def __init__(self, correct: Service, faulty: Service) -> None:
        self._correct = {size: _send_request(correct.pull_url(size))[1] for size in SIZES}
        self._faulty = faulty
        self.kinds: Counter[str] = Counter()
        self.bodies = bytearray()

    def send(self, size: int) -> bool:
        """Send a request, count its response by kind, and return whether its status is 200."""
        status, body = _send_request(self._faulty.pull_url(size))
        self.bodies += body
        self.kinds[self._classify(status, json.loads(body), json.loads(self._correct[size]))] += 1
        return status == OK

    def has_leak(self) -> bool:
        """Return whether the forge's token is in a response, the log or the metrics."""
        metrics = "\n".join(self._faulty.metrics())
        return TOKEN in self.bodies.decode() + "".join(self._faulty.log) + metrics

    @staticmethod
    def _classify(status: int, body: dict[str, Any], correct: dict[str, Any]) -> str:
        if status != OK:
            return f"{status}"
        if body.get("errors"):
            return "200 with errors"
        return "200" if _list_texts(body) == _list_texts(correct) else "200 and wrong"


async def print_faults(upstream: str, seconds: int) -> None:
    """Print the kinds of responses during the faults, and the time until recovery."""
    proxy = Proxy(upstream)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as server:
        behind = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        await asyncio.to_thread(_measure_faults, upstream, behind, proxy, seconds)


def _measure_faults(upstream: str, behind: str, proxy: Proxy, seconds: int) -> None:
    with run_redis() as redis, ExitStack() as stack:
        shared = {"STITHY_REDIS_URL": redis[0]} if redis else {}
        correct, faulty = (stack.enter_context(run_service(url, **shared)) for url in (upstream, behind))
        check = ResponseCheck(correct, faulty)
        asyncio.run(_run_clients(check, redis[1] if redis else None, seconds))
        proxy.enabled, began = False, time.perf_counter()
        while not check.send(SIZES[0]):
            time.sleep(0.1)
        kinds = ", ".join(f"{kind}: {number}" for kind, number in sorted(check.kinds.items()))
        print(f"  responses     {kinds}{'' if redis else '; without Redis: redis-server is not on PATH'}")
        print(f"  recovered     {time.perf_counter() - began:.1f} s after the last fault, without a restart")
        print(f"  token         {'LEAKED' if check.has_leak() else 'in no response, line of the log or metric'}")


async def _run_clients(check: ResponseCheck, shared: "subprocess.Popen[str] | None", seconds: int) -> None:
    """Run clients for twice some seconds; Redis is killed halfway."""
    ends = time.perf_counter() + 2 * seconds

    async def client(number: int) -> None:
        while time.perf_counter() < ends:
            number += 1
            await asyncio.to_thread(check.send, SIZES[number % len(SIZES)])

    async def kill() -> None:
        await asyncio.sleep(seconds)
        if shared:
            shared.kill()

    await asyncio.gather(kill(), *(client(7 * number) for number in range(CLIENTS)))


def _list_texts(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return ids and texts of the comments; `resolved` may differ: it is unknown if only GitHub's GraphQL fails."""
    return [(row["id"], row["body"]) for row in body["comments"]]


def _send_request(url: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310 -- our own server
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
