"""The source files of stithy that one warm call enters, in the order in which it reaches them.

The call goes from an MCP client in the same process through the server to a recorded forge and back. A file counts
where one of its functions runs in the event loop. What the first calls import, create and keep does not count.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Self

import anyio

from stithy_testing import Tape, connect, make_app, playback

CASSETTE = Path(__file__).parents[1] / "cassettes" / "gitea-1.27" / "lab-a-conversation-is-listed-oldest-first.yaml"
ARGUMENTS = {"repository": f"stithy-admin/{CASSETTE.stem}", "pull_request_number": 1}
WARM_UP = 2


class CallTrace:
    """The functions of stithy that run while it is active.

    Attributes:
        calls: How often each function was called, in the order of their first calls.
        moves: How often a call led from one file to another.
    """

    def __init__(self) -> None:
        self.calls: dict[CodeType, int] = {}
        self.moves = 0
        self._file = ""

    def __enter__(self) -> Self:
        sys.setprofile(self._record)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)

    def _record(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_globals.get("__name__", "")
        if event != "call" or not name.startswith("stithy_") or name.startswith("stithy_testing"):
            return
        self.calls[frame.f_code] = self.calls.get(frame.f_code, 0) + 1
        self.moves += frame.f_code.co_filename != self._file
        self._file = frame.f_code.co_filename

    @property
    def files(self) -> dict[str, int]:
        """The files, each as its path below `src` with the number of its functions that ran."""
        counts: dict[str, int] = {}
        for code in self.calls:
            path = code.co_filename.rpartition("/src/")[2]
            if not path.startswith("<"):  # methods that attrs has written
                counts[path] = counts.get(path, 0) + 1
        return counts


async def trace_call(url: str, folder: Path) -> CallTrace:
    """Call `pr_comment_list` until it is warm, and once more under a trace."""
    # The service of stithy-archdocs watches files in the same event loop, and would be counted by chance.
    settings = f'[forges.lab]\nkind = "gitea"\nurl = "{url}"\n[plugins]\ndisabled = ["stithy-archdocs"]\n'
    app = make_app(folder, settings)
    async with connect(app) as client:
        for _ in range(WARM_UP):
            await _call(client)
        with CallTrace() as trace:
            await _call(client)
    return trace


async def _call(client: Any) -> None:
    result = await client.call_tool("pr_comment_list", ARGUMENTS)
    assert not result.is_error, result.content


def main() -> None:
    """Trace the call and print its files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.parse_args()
    with playback(Tape.read([CASSETTE])) as url, tempfile.TemporaryDirectory() as folder:
        trace = anyio.run(trace_call, url, Path(folder))
    for path, functions in trace.files.items():
        print(f"{functions:4}  {path}")
    print(
        f"a warm pr_comment_list: {len(trace.files)} files, {len(trace.calls)} functions,"
        f" {sum(trace.calls.values())} calls, {trace.moves} moves between files"
    )


if __name__ == "__main__":
    main()
