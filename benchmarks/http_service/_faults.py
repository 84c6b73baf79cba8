"""The service while its forge and its Redis fail: no answer is wrong, no token leaves, and it recovers by itself."""

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
from benchmarks.http_service._service import TOKEN, Service, redis, service

SIZES = range(40, 60)
CLIENTS = 8
OK = 200


class Witness:
    """Asks as clients do, and compares what it is told with what is so."""

    def __init__(self, right: Service, spoilt: Service) -> None:
        self._right = {size: _ask(right.path(size))[1] for size in SIZES}
        self._spoilt = spoilt
        self.told: Counter[str] = Counter()
        self.heard = bytearray()

    def ask(self, size: int) -> bool:
        """Ask once, and say whether all was well."""
        status, body = _ask(self._spoilt.path(size))
        self.heard += body
        self.told[self._kind(status, json.loads(body), json.loads(self._right[size]))] += 1
        return status == OK

    def leaks(self) -> bool:
        """Say whether the forge's token stands in anything that left the process."""
        metrics = "\n".join(self._spoilt.metrics())
        return TOKEN in self.heard.decode() + "".join(self._spoilt.log) + metrics

    @staticmethod
    def _kind(status: int, body: dict[str, Any], right: dict[str, Any]) -> str:
        if status != OK:
            return f"{status}"
        if body.get("errors"):
            return "200 with its errors said"
        return "200" if _said(body) == _said(right) else "200 and wrong"


async def show_faults(upstream: str, seconds: int) -> None:
    """Show what clients were told meanwhile, and how long it took to be well again."""
    proxy = Proxy(upstream)
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as listening:
        behind = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        await asyncio.to_thread(_watch, upstream, behind, proxy, seconds)


def _watch(upstream: str, behind: str, proxy: Proxy, seconds: int) -> None:
    with redis() as found, ExitStack() as stack:
        shared = {"STITHY_REDIS_URL": found[0]} if found else {}
        right, spoilt = (stack.enter_context(service(url, **shared)) for url in (upstream, behind))
        witness = Witness(right, spoilt)
        asyncio.run(_load(witness, found[1] if found else None, seconds))
        proxy.spoils, began = False, time.perf_counter()
        while not witness.ask(SIZES[0]):
            time.sleep(0.1)
        told = ", ".join(f"{kind}: {number}" for kind, number in sorted(witness.told.items()))
        print(f"  told          {told}{'' if found else '; there is no redis-server on PATH'}")
        print(f"  well again    {time.perf_counter() - began:.1f} s after the last fault, without a restart")
        print(f"  token         {'LEAKED' if witness.leaks() else 'in no answer, line of the log or metric'}")


async def _load(witness: Witness, shared: "subprocess.Popen[str] | None", seconds: int) -> None:
    """Have clients ask for a while; half-way the Redis is killed."""
    ends = time.perf_counter() + 2 * seconds

    async def client(number: int) -> None:
        while time.perf_counter() < ends:
            number += 1
            await asyncio.to_thread(witness.ask, SIZES[number % len(SIZES)])

    async def kill() -> None:
        await asyncio.sleep(seconds)
        if shared:
            shared.kill()

    await asyncio.gather(kill(), *(client(7 * number) for number in range(CLIENTS)))


def _said(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Give what was said; whether it is resolved may be unknown, where GitHub's GraphQL fails and its REST does not."""
    return [(row["id"], row["body"]) for row in body["comments"]]


def _ask(url: str) -> tuple[int, bytes]:
    try:
        with urllib.request.urlopen(url) as answer:  # noqa: S310 -- our own server
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
