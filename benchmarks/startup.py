"""The time until `tools/list` is answered, compared with a bare server of the same SDK with the same tools."""

import sys
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._stdio import (
    Bench,
    Side,
    build_parser,
    format_spread,
    measure_seconds,
    median,
    prepare_bench,
    print_table,
)

MS = 1_000


@frozen
class Start:
    """One start, in seconds: time and CPU time until the tools are listed, and CPU time until the server has ended."""

    wall: float
    cpu: float
    whole: float


FIGURES: list[Callable[[Start], float]] = [lambda one: one.wall, lambda one: one.cpu, lambda one: one.whole]


def measure_start(bench: Bench, side: Side) -> Start:
    """Start a server, list its tools, and end it."""
    connections = []

    def list_tools() -> None:
        connections.append(bench.start(side))
        connections[0].shake_hands()
        connections[0].ask("tools/list")

    wall = measure_seconds(list_tools)
    return Start(wall, connections[0].cpu(), connections[0].close())


def measure(bench: Bench, runs: int) -> dict[str, list[Start]]:
    """Start both in turn, so that other load affects both; the first start of each is not counted."""
    starts: dict[str, list[Start]] = {side.name: [] for side in bench.sides}
    for run in range(runs + 1):
        for side in bench.sides:
            one = measure_start(bench, side)
            if run:
                starts[side.name].append(one)
    return starts


def main() -> None:
    """Measure, and print a table."""
    args = build_parser(__doc__ or "", "starts of each server").parse_args()
    with prepare_bench(args.tools, pin=args.pin) as bench:
        results = measure(bench, args.runs)
    figures = [{name: [figure(one) for one in starts] for name, starts in results.items()} for figure in FIGURES]
    rows = {name: [f"{median(one[name]) * MS:.1f}" for one in figures] for name in results}
    rows["stithy / floor"] = [f"{median(one['stithy']) / median(one['floor']):.3f}" for one in figures]
    rows["middle half"] = [format_spread(one["stithy"], one["floor"]) for one in figures]
    rows["target"] = ["1.00", "1.00", "1.00"]
    title = f"start: spawn to tools/list answered, {args.tools} tools, medians of {args.runs} interleaved runs"
    print_table(title, ["wall ms", "CPU ms", "CPU to end"], rows)


if __name__ == "__main__":
    main()
