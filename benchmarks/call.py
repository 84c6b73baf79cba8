"""How long one call takes over stdio, beside a bare server of the same SDK that answers the same, unchecked."""

import sys
from contextlib import ExitStack
from pathlib import Path

from attrs import define, field

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._stdio import Bench, Connection, Era, bench, median, options, percentile, show, spread, timed

CALLS = 1_000
BLOCK = 50
WARM_UP = 500
MS = 1_000
ARGUMENTS = {"repository": "owner/repo", "number": 7, "state": "closed", "limit": 50}
CALL = {"name": "bench_01", "arguments": ARGUMENTS}
ERAS: tuple[Era, ...] = ("legacy", "modern")


@define
class Found:
    """What one server's calls took, in seconds: each call of each run, and the CPU of all of them together."""

    runs: list[list[float]] = field(factory=list)
    cpu: float = 0.0

    @property
    def calls(self) -> list[float]:
        """The calls of all runs."""
        return [seconds for run in self.runs for seconds in run]


def block(connection: Connection, calls: int) -> list[float]:
    """Call so many times, one after the other, and give the seconds of each."""
    lines = [connection.request("tools/call", CALL) for _ in range(calls)]
    return [timed(lambda line=line: connection.exchange(line)) for line in lines]  # type: ignore[misc]


def measure(made: Bench, era: Era, runs: int, calls: int) -> dict[str, Found]:
    """Call both over one connection each, in short alternating blocks, so that other work falls on both."""
    found = {side.name: Found() for side in made.sides}
    with ExitStack() as stack:
        opened = {side.name: stack.enter_context(made.start(side, era)) for side in made.sides}
        warm_up(list(opened.values()))
        for _ in range(runs):
            for one in found.values():
                one.runs.append([])
            for begun in range(0, calls, BLOCK):
                for name, connection in opened.items():
                    before = connection.cpu()
                    found[name].runs[-1] += block(connection, min(BLOCK, calls - begun))
                    found[name].cpu += connection.cpu() - before
    return found


def warm_up(connections: list[Connection]) -> None:
    """Call all of them for a while, and see that they answer alike.

    Raises:
        RuntimeError: They do not.
    """
    answers = []
    for connection in connections:
        connection.shake_hands()
        block(connection, WARM_UP)
        answer = connection.ask("tools/call", CALL)
        answers.append([answer["content"], answer["structuredContent"]])
    if answers[0] != answers[1]:
        raise RuntimeError(f"the answers differ: {answers}")


def report(era: Era, found: dict[str, Found], runs: int, calls: int) -> None:
    """Print what was found in one era."""
    figures = {
        name: [percentile(one.calls, 0.50), percentile(one.calls, 0.95), one.cpu / len(one.calls)]
        for name, one in found.items()
    }
    middles = {name: [median(run) for run in one.runs] for name, one in found.items()}
    pairs = zip(figures["stithy"], figures["floor"], strict=True)
    rows = {name: [f"{value * MS:.3f}" for value in values] for name, values in figures.items()}
    rows["stithy / floor"] = [f"{mine / floor:.3f}" for mine, floor in pairs]
    rows["middle half"] = [spread(middles["stithy"], middles["floor"])]
    rows["target"] = ["1.25"]
    title = f"call, {era} era: {runs} runs of {calls} calls each, in alternating blocks of {BLOCK}"
    show(title, ["p50 ms", "p95 ms", "CPU ms"], rows)


def main() -> None:
    """Measure and print."""
    parser = options(__doc__ or "", "runs of calls")
    parser.add_argument("--calls", type=int, default=CALLS, metavar="N", help=f"calls in a run (default {CALLS})")
    given = parser.parse_args()
    with bench(given.tools, pin=given.pin) as made:
        for era in ERAS:
            report(era, measure(made, era, given.runs, given.calls), given.runs, given.calls)


if __name__ == "__main__":
    main()
