"""The time of one call over stdio, compared with a bare server of the same SDK that returns the same without checks."""

import sys
from contextlib import ExitStack
from pathlib import Path

from attrs import define, field

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._stdio import (
    Bench,
    Connection,
    Era,
    build_parser,
    format_spread,
    measure_seconds,
    median,
    percentile,
    prepare_bench,
    print_table,
)

CALLS = 1_000
BLOCK = 50
WARM_UP = 500
MS = 1_000
ARGUMENTS = {"repository": "owner/repo", "number": 7, "state": "closed", "limit": 50}
CALL = {"name": "bench_01", "arguments": ARGUMENTS}
ERAS: tuple[Era, ...] = ("legacy", "modern")


@define
class CallTimes:
    """The times of one server's calls, in seconds: each call of each run, and the CPU time of all of them."""

    runs: list[list[float]] = field(factory=list)
    cpu: float = 0.0

    @property
    def calls(self) -> list[float]:
        """The seconds of each call of all runs."""
        return [seconds for run in self.runs for seconds in run]


def measure_block(connection: Connection, calls: int) -> list[float]:
    """Send some calls, one after the other, and return the seconds of each."""
    lines = [connection.request("tools/call", CALL) for _ in range(calls)]
    return [measure_seconds(lambda line=line: connection.exchange(line)) for line in lines]  # type: ignore[misc]


def measure(bench: Bench, era: Era, runs: int, calls: int) -> dict[str, CallTimes]:
    """Call both over one connection each, in short alternating blocks, so that other load affects both."""
    times = {side.name: CallTimes() for side in bench.sides}
    with ExitStack() as stack:
        connections = {side.name: stack.enter_context(bench.start(side, era)) for side in bench.sides}
        warm_up(list(connections.values()))
        for _ in range(runs):
            for one in times.values():
                one.runs.append([])
            for start in range(0, calls, BLOCK):
                for name, connection in connections.items():
                    before = connection.cpu()
                    times[name].runs[-1] += measure_block(connection, min(BLOCK, calls - start))
                    times[name].cpu += connection.cpu() - before
    return times


def warm_up(connections: list[Connection]) -> None:
    """Send uncounted calls to all of them, and check that their results are equal.

    Raises:
        RuntimeError: The results differ.
    """
    results = []
    for connection in connections:
        connection.shake_hands()
        measure_block(connection, WARM_UP)
        result = connection.ask("tools/call", CALL)
        results.append([result["content"], result["structuredContent"]])
    if results[0] != results[1]:
        raise RuntimeError(f"the results differ: {results}")


def report(era: Era, times: dict[str, CallTimes], runs: int, calls: int) -> None:
    """Print the table of one era."""
    figures = {
        name: [percentile(one.calls, 0.50), percentile(one.calls, 0.95), one.cpu / len(one.calls)]
        for name, one in times.items()
    }
    middles = {name: [median(run) for run in one.runs] for name, one in times.items()}
    pairs = zip(figures["stithy"], figures["floor"], strict=True)
    rows = {name: [f"{value * MS:.3f}" for value in values] for name, values in figures.items()}
    rows["stithy / floor"] = [f"{mine / floor:.3f}" for mine, floor in pairs]
    rows["middle half"] = [format_spread(middles["stithy"], middles["floor"])]
    rows["target"] = ["1.25"]
    title = f"call, {era} era: {runs} runs of {calls} calls each, in alternating blocks of {BLOCK}"
    print_table(title, ["p50 ms", "p95 ms", "CPU ms"], rows)


def main() -> None:
    """Measure, and print a table for each era."""
    parser = build_parser(__doc__ or "", "runs of calls")
    parser.add_argument("--calls", type=int, default=CALLS, metavar="N", help=f"calls in a run (default {CALLS})")
    args = parser.parse_args()
    with prepare_bench(args.tools, pin=args.pin) as bench:
        for era in ERAS:
            report(era, measure(bench, era, args.runs, args.calls), args.runs, args.calls)


if __name__ == "__main__":
    main()
