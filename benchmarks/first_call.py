"""The first call of a session on a GitHub of 100 ms latency, compared with later calls and with the same bare requests.

Run: python benchmarks/first_call.py [--runs 10] [--idle 3]. Each run starts `stithy serve`, lists its tools, and leaves
it alone while a model would choose a tool.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._stdio import REMOVED_PREFIXES, Connection, build_command, measure_seconds, median, print_table
from benchmarks.ci.pull_request import HOSTS, LATENCY, build_tape
from benchmarks.ci.pull_request import measure_floor as measure_failures_floor
from benchmarks.readiness.__main__ import CASES, CASSETTES, measure_floor, read_tape

from stithy_testing import Tape, playback

LATER = 3
"""Calls after the first one."""
MS = 1_000


@frozen
class FirstCall:
    """One session, in seconds: the first call's time, its CPU time, and the median CPU time of the later calls."""

    wall: float
    cpu: float
    later: float


@frozen
class Case:
    """A tool, the forge that it is called on, and the same requests, sent bare."""

    tool: str
    build: Callable[[], Tape]
    floor: Callable[[], float]


def measure_session(tool: str, url: str, idle: float) -> FirstCall:
    """Start a server, list its tools, wait, and call one of them several times."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(REMOVED_PREFIXES)}
    with tempfile.TemporaryDirectory(prefix="stithy-bench-") as folder:
        settings = f'[forges.hub]\nkind = "github"\nurl = "{url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
        Path(folder, "stithy.toml").write_text(settings)
        with Connection(build_command(), Path(folder), environ | {"HUB_TOKEN": "0" * 40}, "legacy") as server:
            server.shake_hands()
            server.ask("tools/list")
            time.sleep(idle)
            calls = [measure_call(server, tool) for _ in range(1 + LATER)]
    (wall, cpu), *later = calls
    return FirstCall(wall, cpu, median([one for _, one in later]))


def measure_call(server: Connection, tool: str) -> tuple[float, float]:
    """Call a tool; return the seconds, and those of CPU time."""
    before = server.cpu()
    arguments = {"name": tool, "arguments": {"pr": "smith/lab#1"}}
    answers = []
    wall = measure_seconds(lambda: answers.append(server.ask("tools/call", arguments)))
    assert not answers[0].get("isError"), answers[0]["content"]
    return wall, server.cpu() - before


READY = CASSETTES / f"readiness-{CASES['classic protection']}.yaml"
TOOLS = [
    Case("get_failing_tests", build_tape, measure_failures_floor),
    Case("check_merge_readiness", lambda: read_tape(READY), lambda: measure_floor(READY)),
]


def measure_case(case: Case, idle: float) -> tuple[FirstCall, float]:
    """Return one session, and the seconds of the floor."""
    tape = case.build()
    with playback(tape, hosts=HOSTS, delay=LATENCY) as url:
        session = measure_session(case.tool, url, idle)
    assert not tape.missed, tape.missed
    return session, case.floor()


def main() -> None:
    """Measure each tool in turn with its floor, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10, help="sessions of each tool (default 10)")
    parser.add_argument("--idle", type=float, default=3.0, help="seconds before the first call (default 3)")
    args = parser.parse_args()
    rows = {}
    for case in TOOLS:
        pairs = [measure_case(case, args.idle) for _ in range(args.runs)]
        wall, floor = median([one.wall for one, _ in pairs]), median([floor for _, floor in pairs])
        cpu, later = median([one.cpu for one, _ in pairs]), median([one.later for one, _ in pairs])
        beyond = median([one.cpu - one.later for one, _ in pairs])
        times = [f"{value * MS:.0f}" for value in (wall, floor, cpu, later, beyond)]
        rows[case.tool] = [*times[:2], f"{wall / floor:.2f}", *times[2:]]
    title = f"first call, {args.idle:g} s after the tools were listed, medians of {args.runs} sessions"
    print_table(title, ["wall ms", "bare ms", "ratio", "CPU ms", "later", "beyond"], rows)


if __name__ == "__main__":
    main()
