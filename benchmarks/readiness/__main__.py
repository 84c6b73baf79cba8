"""The time of `check_merge_readiness` on a GitHub that takes 100 ms to answer, compared with the same bare requests.

Run: python benchmarks/readiness [--runs 10]. Answers are played back from recordings of the contract double. The floor
knows the requests beforehand: it sends the first one, then all others at once.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
import httpx
import yaml
from attrs import define

from stithy_core.spi import map_concurrently
from stithy_testing import Tape, connect, make_app, playback
from stithy_testing.cassettes import Exchange

CASSETTES = Path(__file__).parents[2] / "cassettes" / "github"
CASES = {
    "classic protection": "readiness-has-everything-that-the-merge-depends-on",
    "nothing protects it": "an-unprotected-branch-has-no-rules",
    "rulesets alone": "rulesets-alone-protect-a-branch",
    "seen by a reader": "the-known-rules-depend-on-the-permission-read-none",
}
HOST = "github.example"
DELAY = 0.1
MOST_REQUESTS, MOST_BYTES = 7, 1_330


@define
class CountingTape(Tape):
    """A tape that counts requests."""

    requests: int = 0

    def play(self, method: str, uri: str, body: bytes) -> Exchange:
        """Count the request and return its response."""
        self.requests += 1
        return super().play(method, uri, body)


def read_tape(cassette: Path) -> CountingTape:
    """Return the recorded responses."""
    return CountingTape(exchanges=Tape.read([cassette]).exchanges)


def measure_tool(cassette: Path) -> tuple[float, int, int]:
    """Call the tool of a new server.

    Returns:
        The seconds, the number of requests, and the bytes of the text, which known hosts get alone.
    """

    async def call(url: str, folder: Path) -> tuple[float, int]:
        forge = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        text = f'{forge}[serve]\nanswers = "text"\n'
        app = make_app(folder, text, environ={"HUB_TOKEN": "0" * 40})
        async with connect(app, mode="legacy") as client:
            began = time.perf_counter()
            result = await client.call_tool("check_merge_readiness", {"pr": "smith/lab#1"})
            seconds = time.perf_counter() - began
        assert not result.is_error, result.content
        return seconds, len(result.content[0].text.encode())

    tape = read_tape(cassette)
    with playback(tape, hosts=[HOST], delay=DELAY) as url, tempfile.TemporaryDirectory() as folder:
        seconds, size = anyio.run(call, url, Path(folder))
    assert not tape.missed, tape.missed
    return seconds, tape.requests, size


def measure_floor(cassette: Path) -> float:
    """Send the recorded requests, the first one before the others; return the seconds."""
    rows: list[Any] = [row["request"] for row in yaml.safe_load(cassette.read_text(encoding="utf-8"))["interactions"]]

    async def send(url: str) -> float:
        async with httpx.AsyncClient(verify=False) as client:  # noqa: S501 -- plain HTTP needs no certificates read

            async def ask(request: Any) -> None:
                place = request["uri"].replace(f"https://{HOST}", url)
                body = request["body"].encode() if request["body"] else None
                (await client.request(request["method"], place, content=body)).json()

            began = time.perf_counter()
            await ask(rows[0])
            await map_concurrently(rows[1:], ask)
            return time.perf_counter() - began

    with playback(read_tape(cassette), hosts=[HOST], delay=DELAY) as url:
        return anyio.run(send, url)


def main() -> None:
    """Measure each case, and check its limits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    print(f"check_merge_readiness on a GitHub that takes {DELAY * 1_000:.0f} ms; medians of {runs} runs of new servers")
    for name, recording in CASES.items():
        cassette = CASSETTES / f"readiness-{recording}.yaml"
        measure_tool(cassette)  # imports modules on first use
        pairs = [(measure_tool(cassette), measure_floor(cassette)) for _ in range(runs)]
        stithy, floor = (statistics.median(side) for side in zip(*((one[0], two) for one, two in pairs), strict=True))
        _, requests, size = pairs[-1][0]
        assert requests <= MOST_REQUESTS, (name, requests)
        assert size <= MOST_BYTES, (name, size)
        print(f"{name:20} {stithy * 1_000:5.0f} ms   bare {floor * 1_000:5.0f} ms   ratio {stithy / floor:.2f}", end="")
        print(f"   {requests} requests, {size:,} bytes")


if __name__ == "__main__":
    main()
