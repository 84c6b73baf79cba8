"""Benchmark architecture documents: the time and quality of search, and the accuracy of check-adr-alignment."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.archdocs._alignment import HALVES, format_report, judge_own_set
from benchmarks.archdocs._size import print_figures


def main() -> None:
    """Run the benchmarks and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[2_000, 20_000], help="numbers of documents")
    parser.add_argument("--vectors", action="store_true", help="with word vectors (the extra `vectors`)")
    args = parser.parse_args()
    for size in args.sizes:
        command = [sys.executable, str(Path(__file__).with_name("_size.py")), str(size)]
        command += ["--vectors"] if args.vectors else []
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        print(f"{size} documents")
        print_figures(json.loads(done.stdout).items())
    for half in HALVES:
        print("\n".join(format_report(f"alignment, {half}", list(judge_own_set(half)))))


if __name__ == "__main__":
    main()
