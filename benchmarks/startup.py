"""How long stithy takes to answer its first `tools/list`, beside a bare server of the same SDK with the same tools."""

import sys
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._stdio import Bench, Side, bench, median, options, show, spread, timed

MS = 1_000


@frozen
class Start:
    """One start, in seconds: until the tools were listed, of CPU until then, and of CPU until the server has ended."""

    wall: float
    cpu: float
    whole: float


FIGURES: list[Callable[[Start], float]] = [lambda one: one.wall, lambda one: one.cpu, lambda one: one.whole]


def start(made: Bench, side: Side) -> Start:
    """Start a server, have it list its tools, and end it."""
    opened = []

    def listed() -> None:
        opened.append(made.start(side))
        opened[0].shake_hands()
        opened[0].ask("tools/list")

    wall = timed(listed)
    return Start(wall, opened[0].cpu(), opened[0].close())


def measure(made: Bench, runs: int) -> dict[str, list[Start]]:
    """Start both in turn, so that whatever else the machine does falls on both; the first of each warms up."""
    found: dict[str, list[Start]] = {side.name: [] for side in made.sides}
    for run in range(runs + 1):
        for side in made.sides:
            one = start(made, side)
            if run:
                found[side.name].append(one)
    return found


def main() -> None:
    """Measure and print."""
    given = options(__doc__ or "", "starts of each server").parse_args()
    with bench(given.tools, pin=given.pin) as made:
        found = measure(made, given.runs)
    figures = [{name: [figure(one) for one in starts] for name, starts in found.items()} for figure in FIGURES]
    rows = {name: [f"{median(one[name]) * MS:.1f}" for one in figures] for name in found}
    rows["stithy / floor"] = [f"{median(one['stithy']) / median(one['floor']):.3f}" for one in figures]
    rows["middle half"] = [spread(one["stithy"], one["floor"]) for one in figures]
    rows["target"] = ["1.05", "", "1.00"]
    title = f"start: spawn to tools/list answered, {given.tools} tools, medians of {given.runs} interleaved runs"
    show(title, ["wall ms", "CPU ms", "CPU to end"], rows)


if __name__ == "__main__":
    main()
