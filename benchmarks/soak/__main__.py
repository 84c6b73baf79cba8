"""What 100,000 mixed calls leave behind, eight at once over one stdio connection. Run: python benchmarks/soak."""

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

from benchmarks._stdio import Bench, Connection, Era, bench, median, percentile, show

CALLS = 100_000
WARM_UP = 10_000
AT_ONCE = 8
BLOCK = 1_000
MS = 1_000
MEGABYTES, TIMES = 5, 3
"""The targets: how much memory may grow after the warm-up, and how many times p50 p99 may be."""

SANDBOX = '\n[forges.box]\nkind = "sandbox"\n'
REPOSITORY, NUMBER = "box:smithy/anvil", 1

Params = dict[str, Any]


def call(name: str, **arguments: object) -> tuple[str, Params]:
    """Give the method and parameters of a call."""
    return "tools/call", {"name": name, "arguments": arguments}


BENCH = call("bench_01", repository="owner/repo", number=7, state="closed", limit=50)
FLOOR = {"a tool": (9, BENCH), "tools/list": (1, ("tools/list", {}))}
STITHY = FLOOR | {
    "a forge": (3, call("pr_comment_list", repository=REPOSITORY, pull_request_number=NUMBER)),
    "a wait": (1, call("soak_wait")),
    "a thread": (1, call("soak_thread")),
    "cancelled": (1, call("soak_wait")),
    "list_plugins": (1, call("list_plugins")),
    "refused": (2, call("bench_02", repository=7, number="x" * 100, more=[[]])),
    "unknown tool": (1, call("bench_1")),
    "a resource": (1, ("resources/read", {"uri": "stithy://statistics"})),
}
KINDS = {"stithy": STITHY, "floor": FLOOR}


@define
class Found:
    """What one server's calls took, in seconds by kind, and what it held after the warm-up and at the end.

    Args:
        connection: To the server.
        kinds: What is called, and how often.
        seconds: What each call took, by kind.
        blocks: p99 / p50 of each block.
        before: What was held after the warm-up.
        after: What was held at the end.
    """

    connection: Connection
    kinds: dict[str, tuple[int, tuple[str, Params]]]
    seconds: dict[str, list[float]] = field(factory=dict)
    blocks: list[float] = field(factory=list)
    before: list[float] = field(factory=list)
    after: list[float] = field(factory=list)

    def block(self, calls: int, chance: random.Random) -> None:
        """Keep so many calls under way at once until all are done; one that is cancelled is not waited for.

        Raises:
            RuntimeError: The server ended.
        """
        names = chance.choices(list(self.kinds), [share for share, _ in self.kinds.values()], k=calls)
        waited: dict[int, tuple[str, float]] = {}
        took = []
        while names or waited:
            while names and len(waited) < AT_ONCE:
                self._begin(names.pop(), waited)
            answer = self._receive()
            if answer.get("id") in waited:
                name, began = waited.pop(answer["id"])
                took.append(time.perf_counter() - began)
                self.seconds.setdefault(name, []).append(took[-1])
        self.blocks.append(percentile(took, 0.99) / percentile(took, 0.50))

    def _begin(self, name: str, waited: dict[int, tuple[str, float]]) -> None:
        line = self.connection.request(*self.kinds[name][1])
        number = json.loads(line)["id"]
        if name == "cancelled":
            self.connection.send(line + self.connection.note("notifications/cancelled", {"requestId": number}))
        else:
            waited[number] = name, time.perf_counter()
            self.connection.send(line)

    def _receive(self) -> Params:
        answer: Params | None = json.loads(self.connection.receive() or "null")
        if answer is None:
            raise RuntimeError("the server ended")
        return answer

    def _state(self) -> Params:
        """Ask a plugin what is under way; a call that was cancelled too late may still be answered before."""
        line = self.connection.request(*call("soak_state"))
        self.connection.send(line)
        number = json.loads(line)["id"]
        answer = next(answer for answer in iter(self._receive, None) if answer.get("id") == number)
        state: Params = answer["result"]["structuredContent"]
        return state

    def ends(self) -> list[tuple[str, list[float]]]:
        """Give what was held at both ends."""
        return [("before", self.before), ("after", self.after)]

    def held(self) -> list[float]:
        """Give memory in MB, open files, and of stithy its tasks and threads."""
        held = [self.connection.memory(), self.connection.descriptors()]
        if self.kinds is FLOOR:
            return held
        state = self._state()
        return [*held, state["tasks"], state["threads"]]


def measure(made: Bench, era: Era, calls: int, warm_up: int) -> dict[str, Found]:
    """Call both servers in short alternating blocks, so that other work falls on both."""
    chance = random.Random(era)  # noqa: S311 -- the same calls in every run
    with ExitStack() as stack:
        found = {side.name: Found(stack.enter_context(made.start(side, era)), KINDS[side.name]) for side in made.sides}
        for one in found.values():
            one.connection.shake_hands()
        for phase in (warm_up, calls):
            for one in found.values():
                one.seconds.clear()
                one.blocks.clear()
            for _ in range(phase // BLOCK):
                for one in found.values():
                    one.block(BLOCK, chance)
            for one in found.values():
                one.before, one.after = one.after, one.held()
    return found


def report(era: Era, found: dict[str, Found], calls: int) -> bool:
    """Print what was found in one era; gives whether stithy left nothing behind."""
    columns = ["calls", "p50 ms", "p99 ms", "p99 / p50"]
    rows: dict[str, list[str]] = {}
    for side, one in found.items():
        every = [seconds for kind in one.seconds.values() for seconds in kind]
        rows |= {f"{side}, all": figures(every)} | {f"{side}, {name}": figures(of) for name, of in one.seconds.items()}
    show(f"soak, {era} era: {calls} calls, {AT_ONCE} at once, in alternating blocks", columns, rows)
    held = {f"{side}, {when}": cells(row) for side, one in found.items() for when, row in one.ends()}
    show("held after the warm-up and at the end", ["MB", "open files", "tasks", "threads"], held)
    mine = found["stithy"]
    grown, *left = (after - before for before, after in zip(mine.before, mine.after, strict=True))
    middles = ", ".join(f"{side} {median(one.blocks):.2f}" for side, one in found.items())
    print(f"  p99 / p50 of the middle block: {middles} (target {TIMES}); memory grew by {grown:.1f} MB ({MEGABYTES})")
    return grown <= MEGABYTES and not any(left[:2])


def figures(seconds: Sequence[float]) -> list[str]:
    """Write what calls took."""
    p50, p99 = percentile(seconds, 0.50), percentile(seconds, 0.99)
    return [str(len(seconds)), f"{p50 * MS:.2f}", f"{p99 * MS:.2f}", f"{p99 / p50:.2f}"]


def cells(row: Sequence[float]) -> list[str]:
    """Write what a server held."""
    return [f"{row[0]:.1f}", *(str(round(value)) for value in row[1:])]


def install(made: Bench) -> None:
    """Add a forge in memory and a plugin to what the benchmarks have anyway."""
    with (made.directory / "stithy.toml").open("a") as settings:
        settings.write(SANDBOX)
    modules = Path(made.environ["PYTHONPATH"])
    info = modules / "stithy_soak-1.0.dist-info"
    info.mkdir()
    shutil.copy(Path(__file__).with_name("_plugin.py"), modules / "stithy_soak.py")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stithy-soak\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[stithy]\nsoak = stithy_soak\n")


def main() -> int:
    """Measure and print; the exit code says whether something was left behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=CALLS, metavar="N", help=f"calls (default {CALLS})")
    parser.add_argument("--warm-up", type=int, default=WARM_UP, metavar="N", help=f"calls before (default {WARM_UP})")
    parser.add_argument("--era", choices=("legacy", "modern"), default="modern", help="default modern")
    parser.add_argument("--pin", action="store_true", help="servers on one core, their client on another")
    given = parser.parse_args()
    with bench(pin=given.pin) as made:
        install(made)
        return 0 if report(given.era, measure(made, given.era, given.calls, given.warm_up), given.calls) else 1


if __name__ == "__main__":
    sys.exit(main())
