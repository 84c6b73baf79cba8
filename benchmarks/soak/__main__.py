"""Memory, files and tasks after 100,000 mixed calls, eight at once over one connection. Run: python benchmarks/soak."""

import argparse
import json
import random
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from attrs import define, field

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks._stdio import Bench, Connection, Era, median, percentile, prepare_bench, print_table

CALLS = 100_000
WARM_UP = 10_000
AT_ONCE = 8
BLOCK = 1_000
MS = 1_000
MEGABYTES, TIMES = 5, 3
"""The targets: the growth of memory in MB after the warm-up, and p99 / p50."""

SANDBOX = '\n[forges.box]\nkind = "sandbox"\n'
REPOSITORY, NUMBER = "box:smithy/anvil", 1

Params = dict[str, Any]


def build_call(name: str, **arguments: object) -> tuple[str, Params]:
    """Return the method and the parameters of a call."""
    return "tools/call", {"name": name, "arguments": arguments}


BENCH = build_call("bench_01", repository="owner/repo", number=7, state="closed", limit=50)
FLOOR = {"a tool": (9, BENCH), "tools/list": (1, ("tools/list", {}))}
STITHY = FLOOR | {
    "a forge": (3, build_call("pr_comment_list", repository=REPOSITORY, pull_request_number=NUMBER)),
    "a wait": (1, build_call("soak_wait")),
    "a thread": (1, build_call("soak_thread")),
    "cancelled": (1, build_call("soak_wait")),
    "list_plugins": (1, build_call("list_plugins")),
    "refused": (2, build_call("bench_02", repository=7, number="x" * 100, more=[[]])),
    "unknown tool": (1, build_call("bench_1")),
    "a resource": (1, ("resources/read", {"uri": "stithy://statistics"})),
}
KINDS = {"stithy": STITHY, "floor": FLOOR}


@define
class SoakRun:
    """The calls of one server: their times, and the resources of the server after the warm-up and at the end.

    Resources are memory in MB and the number of open files, for stithy also those of tasks and threads.

    Args:
        connection: The connection to the server.
        kinds: The share, the method and the parameters of each kind of call.
        seconds: The seconds of each call, by kind.
        blocks: p99 / p50 of each block.
        before: The resources after the warm-up.
        after: The resources at the end.
    """

    connection: Connection
    kinds: dict[str, tuple[int, tuple[str, Params]]]
    seconds: dict[str, list[float]] = field(factory=dict)
    blocks: list[float] = field(factory=list)
    before: list[float] = field(factory=list)
    after: list[float] = field(factory=list)

    def run_block(self, calls: int, chance: random.Random) -> None:
        """Send some calls, `AT_ONCE` at a time, and wait for all but the cancelled ones.

        Raises:
            RuntimeError: The server ended.
        """
        names = chance.choices(list(self.kinds), [share for share, _ in self.kinds.values()], k=calls)
        pending: dict[int, tuple[str, float]] = {}
        times = []
        while names or pending:
            while names and len(pending) < AT_ONCE:
                self._start_call(names.pop(), pending)
            response = self._receive()
            if response.get("id") in pending:
                name, began = pending.pop(response["id"])
                times.append(time.perf_counter() - began)
                self.seconds.setdefault(name, []).append(times[-1])
        self.blocks.append(percentile(times, 0.99) / percentile(times, 0.50))

    def _start_call(self, name: str, pending: dict[int, tuple[str, float]]) -> None:
        line = self.connection.request(*self.kinds[name][1])
        number = json.loads(line)["id"]
        if name == "cancelled":
            self.connection.send(line + self.connection.note("notifications/cancelled", {"requestId": number}))
        else:
            pending[number] = name, time.perf_counter()
            self.connection.send(line)

    def _receive(self) -> Params:
        response: Params | None = json.loads(self.connection.receive() or "null")
        if response is None:
            raise RuntimeError("the server ended")
        return response

    def _read_state(self) -> Params:
        """Read the numbers of tasks and threads from a tool; responses to calls cancelled too late may come first."""
        line = self.connection.request(*build_call("soak_state"))
        self.connection.send(line)
        number = json.loads(line)["id"]
        response = next(response for response in iter(self._receive, None) if response.get("id") == number)
        state: Params = response["result"]["structuredContent"]
        return state

    def list_resources(self) -> list[tuple[str, list[float]]]:
        """Return the resources after the warm-up and at the end."""
        return [("before", self.before), ("after", self.after)]

    def measure_resources(self) -> list[float]:
        """Return memory in MB and the number of open files, for stithy also those of tasks and threads."""
        resources = [self.connection.memory(), self.connection.descriptors()]
        if self.kinds is FLOOR:
            return resources
        state = self._read_state()
        return [*resources, state["tasks"], state["threads"]]


def measure(bench: Bench, era: Era, calls: int, warm_up: int) -> dict[str, SoakRun]:
    """Call both servers in short alternating blocks, so that other load affects both."""
    chance = random.Random(era)  # noqa: S311 -- the same calls in every run
    with ExitStack() as stack:
        runs = {
            side.name: SoakRun(stack.enter_context(bench.start(side, era)), KINDS[side.name]) for side in bench.sides
        }
        for one in runs.values():
            one.connection.shake_hands()
        for phase in (warm_up, calls):
            for one in runs.values():
                one.seconds.clear()
                one.blocks.clear()
            for _ in range(phase // BLOCK):
                for one in runs.values():
                    one.run_block(BLOCK, chance)
            for one in runs.values():
                one.before, one.after = one.after, one.measure_resources()
    return runs


def report(era: Era, runs: dict[str, SoakRun], calls: int) -> bool:
    """Print the tables of one era, and return whether memory, open files and tasks are within their targets."""
    columns = ["calls", "p50 ms", "p99 ms", "p99 / p50"]
    rows: dict[str, list[str]] = {}
    for side, one in runs.items():
        every = [seconds for kind in one.seconds.values() for seconds in kind]
        rows[f"{side}, all"] = format_times(every)
        rows |= {f"{side}, {name}": format_times(seconds) for name, seconds in one.seconds.items()}
    print_table(f"soak, {era} era: {calls} calls, {AT_ONCE} at once, in alternating blocks", columns, rows)
    resources = {
        f"{side}, {when}": format_resources(row) for side, one in runs.items() for when, row in one.list_resources()
    }
    print_table("resources after the warm-up and at the end", ["MB", "open files", "tasks", "threads"], resources)
    mine = runs["stithy"]
    growth, *left = (after - before for before, after in zip(mine.before, mine.after, strict=True))
    middles = ", ".join(f"{side} {median(one.blocks):.2f}" for side, one in runs.items())
    print(f"  p99 / p50 of the middle block: {middles} (target {TIMES}); memory grew by {growth:.1f} MB ({MEGABYTES})")
    return growth <= MEGABYTES and not any(left[:2])


def format_times(seconds: Sequence[float]) -> list[str]:
    """Return the cells of the times of calls."""
    p50, p99 = percentile(seconds, 0.50), percentile(seconds, 0.99)
    return [str(len(seconds)), f"{p50 * MS:.2f}", f"{p99 * MS:.2f}", f"{p99 / p50:.2f}"]


def format_resources(row: Sequence[float]) -> list[str]:
    """Return the cells of a server's resources."""
    return [f"{row[0]:.1f}", *(str(round(value)) for value in row[1:])]


def install_plugin(bench: Bench) -> None:
    """Add a forge in memory and a plugin to those of all benchmarks."""
    with (bench.directory / "stithy.toml").open("a") as settings:
        settings.write(SANDBOX)
    modules = Path(bench.environ["PYTHONPATH"])
    info = modules / "stithy_soak-1.0.dist-info"
    info.mkdir()
    shutil.copy(Path(__file__).with_name("_plugin.py"), modules / "stithy_soak.py")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stithy-soak\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[stithy]\nsoak = stithy_soak\n")


def main() -> int:
    """Measure, and print the tables; the exit code is 1 if a target of resources is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS, metavar="N", help=f"calls (default {CALLS})")
    parser.add_argument("--warm-up", type=int, default=WARM_UP, metavar="N", help=f"calls before (default {WARM_UP})")
    parser.add_argument("--era", choices=("legacy", "modern"), default="modern", help="default modern")
    parser.add_argument("--pin", action="store_true", help="servers on one core, their client on another")
    args = parser.parse_args()
    with prepare_bench(pin=args.pin) as bench:
        install_plugin(bench)
        return 0 if report(args.era, measure(bench, args.era, args.calls, args.warm_up), args.calls) else 1


if __name__ == "__main__":
    sys.exit(main())
