"""One operation on a forge with 100 ms latency, compared with the same bare requests over a new connection."""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import httpx

from stithy_testing import Tape, connect, make_app, playback

CASSETTES = Path(__file__).parents[1] / "cassettes" / "gitea-1.27"
CREATE = CASSETTES / "lab-a-comment-is-created.yaml"
LIST = CASSETTES / "lab-a-conversation-is-listed-oldest-first.yaml"
BODY = "Strike while the iron is hot."
DELAY = 0.1


def measure_tool(name: str, cassette: Path, **arguments: Any) -> float:
    """Call a tool of a new server with a new connection to the forge, and return the seconds."""
    values = {"repository": f"stithy-admin/{cassette.stem}", "pull_request_number": 1} | arguments

    async def call(url: str, folder: Path) -> float:
        app = make_app(folder, f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n')
        async with connect(app, mode="legacy") as client:
            began = time.perf_counter()
            result = await client.call_tool(name, values)
            seconds = time.perf_counter() - began
        assert not result.is_error, result.content
        return seconds

    with playback(Tape.read([cassette]), delay=DELAY) as url, tempfile.TemporaryDirectory() as folder:
        return anyio.run(call, url, Path(folder))


def measure_bare(method: str, cassette: Path) -> float:
    """Read the pull request, then read or write its conversation, as the operation must; return the seconds."""
    repository = f"/api/v1/repos/stithy-admin/{cassette.stem}"
    with playback(Tape.read([cassette]), delay=DELAY) as url:
        began = time.perf_counter()
        with httpx.Client(base_url=url, verify=False) as client:  # noqa: S501 -- plain HTTP needs no certificates read
            client.get(f"{repository}/pulls/1").raise_for_status()
            body = {"body": BODY} if method == "POST" else None
            client.request(method, f"{repository}/issues/1/comments", json=body).raise_for_status()
        return time.perf_counter() - began


def main() -> None:
    """Measure both tools and their floors, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    cases: dict[str, tuple[Callable[[], float], Callable[[], float]]] = {
        "pr_comment_create": (
            lambda: measure_tool("pr_comment_create", CREATE, comment=BODY),
            lambda: measure_bare("POST", CREATE),
        ),
        "pr_comment_list": (lambda: measure_tool("pr_comment_list", LIST), lambda: measure_bare("GET", LIST)),
    }
    print(f"a forge that takes {DELAY * 1_000:.0f} ms to answer; medians of {runs} runs, first calls of a new server")
    for name, (stithy, floor) in cases.items():
        pairs = [(stithy(), floor()) for _ in range(runs)]
        ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
        print(f"{name:18} {ours * 1_000:6.0f} ms   bare {theirs * 1_000:6.0f} ms   ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
