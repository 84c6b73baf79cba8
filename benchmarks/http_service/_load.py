"""Requests to a server: by wrk where it is on PATH, else by a client of our own, which says so."""

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from attrs import frozen

CONNECTIONS = 16
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}


@frozen
class Load:
    """What a server took.

    Args:
        by: Which client asked.
        rate: Answers a second.
        p50: Seconds within which half of the answers came.
        p99: The same for 99 of 100.
    """

    by: str
    rate: float
    p50: float
    p99: float

    def __str__(self) -> str:
        return f"{self.rate:8,.0f}/s   p50 {self.p50 * 1_000:8.1f} ms   p99 {self.p99 * 1_000:8.1f} ms   ({self.by})"


def load(url: str, seconds: int) -> Load:
    """Ask the same for a while, sixteen at a time."""
    return _by_wrk(url, seconds) if shutil.which("wrk") else asyncio.run(_by_ourselves(url, seconds))


async def each(urls: Sequence[str], at_once: int) -> tuple[Load, list[bytes]]:
    """Ask each of some URLs once, and give the answers as well."""
    times: list[float] = []
    answers: list[bytes] = []
    free = asyncio.Semaphore(at_once)

    async def one(url: str) -> None:
        async with free:
            connection = await _Connection.to(url)
            began = time.perf_counter()
            answers.append(await connection.get(url))
            times.append(time.perf_counter() - began)
            connection.close()

    began = time.perf_counter()
    await asyncio.gather(*map(one, urls))
    return _load("own client", times, time.perf_counter() - began), answers


def _by_wrk(url: str, seconds: int) -> Load:
    command = ["wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{seconds}s", "--latency"]
    said = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in said, said
    times = {name: _seconds(value) for name, value in re.findall(r"^ +(50|99)% +(\S+)", said, re.MULTILINE)}
    rate = re.search(r"Requests/sec: +([\d.]+)", said)
    assert rate is not None
    return Load("wrk", float(rate[1]), times["50"], times["99"])


def _seconds(text: str) -> float:
    found = re.fullmatch(r"([\d.]+)(us|ms|s)", text.strip())
    assert found is not None
    return float(found[1]) * UNITS[found[2]]


async def _by_ourselves(url: str, seconds: int) -> Load:
    times: list[float] = []
    ends = time.perf_counter() + seconds

    async def client() -> None:
        connection = await _Connection.to(url)
        while (began := time.perf_counter()) < ends:
            await connection.get(url)
            times.append(time.perf_counter() - began)
        connection.close()

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return _load("own client, wrk is not there", times, seconds)


def _load(by: str, times: list[float], seconds: float) -> Load:
    times.sort()
    return Load(by, len(times) / seconds, times[len(times) // 2], times[len(times) * 99 // 100])


class _Connection:
    """One connection that is kept, and no more of HTTP than the servers here need."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, url: str) -> "_Connection":
        parts = urlsplit(url)
        return cls(*await asyncio.open_connection(parts.hostname, parts.port))

    async def get(self, url: str) -> bytes:
        parts = urlsplit(url)
        target = f"{parts.path}?{parts.query}" if parts.query else parts.path
        self._writer.write(f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = re.search(r"^content-length: (\d+)", head, re.MULTILINE)
        body = await self._reader.readexactly(int(length[1]) if length else 0)
        assert head.startswith("http/1.1 200"), head + body.decode()
        return body

    def close(self) -> None:
        self._writer.close()
