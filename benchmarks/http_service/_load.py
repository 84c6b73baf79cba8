"""Load on a server: by wrk if it is on PATH, else by a client of this module, which the output names."""

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
    """The load on a server.

    Args:
        by: The name of the client.
        rate: Responses per second.
        p50: The median of the seconds of a request.
        p99: Their 99th percentile.
    """

    by: str
    rate: float
    p50: float
    p99: float

    def __str__(self) -> str:
        return f"{self.rate:8,.0f}/s   p50 {self.p50 * 1_000:8.1f} ms   p99 {self.p99 * 1_000:8.1f} ms   ({self.by})"


def measure_load(url: str, seconds: int) -> Load:
    """Request a URL repeatedly for some seconds, over sixteen connections."""
    return _run_wrk(url, seconds) if shutil.which("wrk") else asyncio.run(_run_own_client(url, seconds))


async def request_each(urls: Sequence[str], at_once: int) -> tuple[Load, list[bytes]]:
    """Request each URL once, at most `at_once` at a time; return the load and the bodies."""
    times: list[float] = []
    bodies: list[bytes] = []
    slots = asyncio.Semaphore(at_once)

    async def request(url: str) -> None:
        async with slots:
            connection = await _Connection.to(url)
            began = time.perf_counter()
            bodies.append(await connection.get(url))
            times.append(time.perf_counter() - began)
            connection.close()

    began = time.perf_counter()
    await asyncio.gather(*map(request, urls))
    return _summarise("own client", times, time.perf_counter() - began), bodies


def _run_wrk(url: str, seconds: int) -> Load:
    command = ["wrk", "--threads", "1", "--connections", str(CONNECTIONS), "--duration", f"{seconds}s", "--latency"]
    output = subprocess.run([*command, url], capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    times = {name: _parse_seconds(value) for name, value in re.findall(r"^ +(50|99)% +(\S+)", output, re.MULTILINE)}
    rate = re.search(r"Requests/sec: +([\d.]+)", output)
    assert rate is not None
    return Load("wrk", float(rate[1]), times["50"], times["99"])


def _parse_seconds(text: str) -> float:
    match = re.fullmatch(r"([\d.]+)(us|ms|s)", text.strip())
    assert match is not None
    return float(match[1]) * UNITS[match[2]]


async def _run_own_client(url: str, seconds: int) -> Load:
    times: list[float] = []
    ends = time.perf_counter() + seconds

    async def client() -> None:
        connection = await _Connection.to(url)
        while (began := time.perf_counter()) < ends:
            await connection.get(url)
            times.append(time.perf_counter() - began)
        connection.close()

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return _summarise("own client, wrk is not installed", times, seconds)


def _summarise(by: str, times: list[float], seconds: float) -> Load:
    times.sort()
    return Load(by, len(times) / seconds, times[len(times) // 2], times[len(times) * 99 // 100])


class _Connection:
    """A persistent connection with the minimum of HTTP that the servers here need."""

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
