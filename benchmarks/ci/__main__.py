"""CI logs: precision and recall of the parsers, their speed, the start of the command, and memory for a large log.

Run: python benchmarks/ci. Speed, start and memory are measured in processes of their own.
"""

import argparse
import importlib
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.ci.hostile import build_hostile_blocks
from benchmarks.ci.jobs import KINDS, find_job, list_lines, stamp_lines

from ci_failures.logs.literal_search import Literals
from ci_failures.logs.log_reader import LogReader
from ci_failures.parsers import load_built_in

LOGS = Path(__file__).resolve().parents[2] / "libs" / "ci-failures" / "tests" / "logs"
sys.path.insert(0, str(LOGS.parent))

WRAPPINGS: dict[str, Callable[[str], str]] = importlib.import_module("wrapping").WRAPPINGS
"""What systems put around a log, as the tests know it."""

PIECE = 1 << 18
MB = 1 << 20
FAILING = 0.03
"""The share of a mixed log that is about failures."""
SAMPLE = 12
"""Every so many of the stored logs becomes a mixed log."""
ALL = "all logs"
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def read_kept_logs() -> Iterator[tuple[str, bytes, set[tuple[str, str, str]]]]:
    """Iterate over the stored logs: the folder, the log, and its failures as tool, kind and name."""
    for path in sorted(LOGS.rglob("*.log")):
        rows = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["failures"]
        truth = {(row["tool"], row.get("kind", "test"), row["name"]) for row in rows}
        yield path.parent.name, path.read_bytes(), truth


def print_accuracy() -> None:
    """Print precision and recall of each framework; a failure is identified by tool, kind and whole name."""
    literals = Literals(load_built_in())
    kept = list(read_kept_logs())
    for name, wrap in {"as they are": lambda text: text, **WRAPPINGS}.items():
        sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        for folder, log, truth in kept:
            reader = LogReader(literals)
            reader.feed(wrap(log.decode("utf-8", "replace")).encode("utf-8", "replace"))
            failures = [one for tool in reader.finish() for one in tool.failures if not one.flaky]
            found = {(one.tool, one.kind, one.name) for one in failures}
            for at, number in enumerate((1, len(found & truth), len(found - truth), len(truth - found))):
                sums[folder][at] += number
                sums[ALL][at] += number
        print(f"\n{name:26}{'logs':>6}{'failures':>10}{'missed':>8}{'wrong':>7}{'precision':>11}{'recall':>8}")
        for folder in sums if name == "as they are" else (ALL,):
            print_row(folder, *sums[folder])


def print_row(folder: str, logs: int, right: int, wrong: int, missed: int) -> None:
    """Print what is missed and wrong in some logs, precision and recall: 1 where nothing failed and none is read."""
    precision, recall = ((right / total if total else float(not wrong)) for total in (right + wrong, right + missed))
    print(f"{folder:26}{logs:6}{right + missed:10}{missed:8}{wrong:7}{precision:11.3f}{recall:8.3f}")


def read_dense_logs() -> list[bytes]:
    """Return the stored logs, in which nearly every line is about a failure."""
    return [stamp_lines(log.decode("utf-8", "replace").split("\n")) for _, log, _ in read_kept_logs() if log]


def build_quiet_logs() -> list[bytes]:
    """Return logs of jobs without failures, about a megabyte each."""
    wholes = [stamp_lines(list_lines(job)) for job in KINDS]
    return [whole * (MB // len(whole) + 1) for whole in wholes]


def mix_logs() -> list[bytes]:
    """Return stored logs within the log of a job without other failures."""
    logs = []
    for folder, log, _ in list(read_kept_logs())[::SAMPLE]:
        failing, around = (
            stamp_lines(log.decode("utf-8", "replace").split("\n")),
            stamp_lines(list_lines(find_job(folder))),
        )
        size = int(len(failing) / FAILING / 2)
        half = (around * (size // len(around) + 1))[:size]
        logs.append(half[: half.rfind(b"\n") + 1] + failing + half)
    return logs


def build_endless_log() -> list[bytes]:
    """Return the quiet jobs as one log, which `repeat_logs` repeats."""
    return [b"".join(build_quiet_logs())]


def read_with_stithy(logs: Sequence[bytes], size: int) -> None:
    """Read `size` bytes of logs as stithy does."""
    literals = Literals(load_built_in())
    for log in repeat_logs(logs, size):
        reader = LogReader(literals)
        for piece in log:
            reader.feed(piece)
        reader.finish()


def read_with_floor(logs: Sequence[bytes], size: int) -> None:
    """Decode `size` bytes of logs, remove their colours, and split them into lines."""
    for log in repeat_logs(logs, size):
        for piece in log:
            ANSI.sub("", piece.decode("utf-8", "replace")).split("\n")


def read_with_calls(logs: Sequence[bytes], size: int) -> None:
    """Do what the floor does, and call a Python function for each line: what any parser in Python costs at least."""
    for log in repeat_logs(logs, size):
        for piece in log:
            for line in ANSI.sub("", piece.decode("utf-8", "replace")).split("\n"):
                _ignore(line)


def _ignore(line: str) -> bool:  # noqa: ARG001 -- a parser would read it
    return True


def repeat_logs(logs: Sequence[bytes], size: int) -> Iterator[Iterator[bytes]]:
    """Iterate over logs repeatedly, each as pieces, up to `size` bytes; a single log is repeated as one long log."""
    if len(logs) == 1:
        yield islice(cycle(split_log(logs[0])), -(-size // PIECE))
        return
    total = 0
    for log in cycle(logs):
        yield split_log(log)
        total += len(log)
        if total >= size:
            return


def split_log(log: bytes) -> Iterator[bytes]:
    """Iterate over the pieces of a log."""
    return (log[begin : begin + PIECE] for begin in range(0, len(log), PIECE))


BLOCKS: dict[str, Callable[[], list[bytes]]] = {"quiet": build_quiet_logs, "mixed": mix_logs, "dense": read_dense_logs}
HOSTILE: dict[str, Callable[[], list[bytes]]] = {
    name: partial(list, [block]) for name, block in build_hostile_blocks().items()
}
EVERY = {**BLOCKS, **HOSTILE, "endless": build_endless_log}
WAYS: dict[str, Callable[[Sequence[bytes], int], None]] = {
    "stithy": read_with_stithy,
    "floor": read_with_floor,
    "calls": read_with_calls,
}
SMALL = range(1_500, 2_500)
"""Bytes of the stored logs that the start of the command is measured with."""
STARTED = 12
"""How many of them are measured."""


def measure(block: str, way: str, megabytes: int) -> dict[str, float]:
    """Measure in a process of its own, and return the figures that `print_measurement` prints."""
    command = [sys.executable, __file__, "--only", block, way, str(megabytes)]
    figures: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return figures


def print_measurement(block: str, way: str, megabytes: int) -> None:
    """Measure in this process, and print MB per CPU second, and memory in MB: growth beyond the block, and peak."""
    content = EVERY[block]()
    WAYS[way](content, 1)
    before = resource.getrusage(resource.RUSAGE_SELF)
    began = time.process_time()
    WAYS[way](content, megabytes * MB)
    seconds, after = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "speed": megabytes / seconds,
                "grown": (after.ru_maxrss - before.ru_maxrss) / 1024,
                "peak": after.ru_maxrss / 1024,
            }
        )
    )


def print_start() -> None:
    """Print the CPU time of `ci-failures FILE` for small logs, and that of an interpreter that does nothing."""
    logs = [path for path in sorted(LOGS.rglob("*.log")) if path.stat().st_size in SMALL]
    chosen = logs[:: max(1, len(logs) // STARTED)]
    times = sorted(measure_cpu("-m", "ci_failures", str(path)) for path in chosen)
    bare = measure_cpu("-c", "pass")
    print(
        f"start: {len(times)} logs of 2 KB, CPU ms: median {times[len(times) // 2]:.0f}, most {times[-1]:.0f}, "
        f"python -c pass {bare:.0f}"
    )


def measure_cpu(*words: str) -> float:
    """Return the CPU time of the interpreter with some arguments in ms: the least of five runs."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    least = float("inf")
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, env=environment, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least * 1_000


def main() -> None:
    """Measure accuracy, speed and memory, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speed", type=int, default=50, help="MB of the logs whose speed is measured")
    parser.add_argument("--large", type=int, default=1_024, help="MB of the log whose memory is measured; 0 for none")
    parser.add_argument("--hostile", type=int, default=50, help="MB of each hostile log; 0 for none")
    parser.add_argument("--only", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        print_measurement(given.only[0], given.only[1], int(given.only[2]))
        return
    print_accuracy()
    for block in BLOCKS:
        mine, least, calls = (measure(block, way, given.speed)["speed"] for way in WAYS)
        print(
            f"{block:6} {mine:6.1f} MB/s, floor {least:6.1f} MB/s, stithy / floor {mine / least:.2f}, "
            f"with a call for each line {calls:6.1f} MB/s"
        )
    print_start()
    for name in HOSTILE:
        found = measure(name, "stithy", given.hostile) if given.hostile else {}
        if found:
            print(f"{name:28} {found['speed']:6.1f} MB/s, {found['grown']:.0f} MB for {given.hostile:,} MB of it")
    if given.large:
        found = measure("endless", "stithy", given.large)
        print(f"{given.large:,} MB of log: {found['peak']:.0f} MB, {found['grown']:.0f} MB of them for reading")


if __name__ == "__main__":
    main()
