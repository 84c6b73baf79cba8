"""Logs of jobs without failures: a runner's set-up, packages, builds and tests in verbose mode.

The files in `lines` have their lines: `%%` separates blocks of lines as a tool prints them, and `{n}` is a counter.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

LINES = Path(__file__).parent / "lines"
STAMP = "2026-11-21T10:20:{second:02}.{fraction:07}Z "
REPEATED = 40
"""The number of repetitions of a block with a counter."""
KINDS = {
    "python": "pytest unittest django nose ruff flake8 mypy",
    "javascript": "jest vitest mocha nodetest nodetap tape playwright ava tsc eslint",
    "go": "go golangci-lint",
    "rust": "cargo nextest rustc clippy",
    "jvm": "surefire gradle junit-console testng ant sbt scalatest javac kotlinc",
    "native": "gtest ctest catch2 doctest_cpp compilers",
    "scripting": "rspec minitest phpunit exunit prove bats infrastructure",
}
"""The jobs, and the folders of the stored logs that fit into them."""


def find_job(folder: str) -> str:
    """Return the job that the stored logs of a folder fit into."""
    return next((job for job, folders in KINDS.items() if folder in folders.split()), "scripting")


def list_lines(job: str) -> list[str]:
    """Return the lines of a job, without timestamps."""
    step, around = _read_blocks("set-up")
    return [line for block in (around, *_read_blocks(job)) for part in (step, block) for line in _repeat_block(part)]


def stamp_lines(lines: Iterable[str]) -> bytes:
    """Return lines as a runner stores them, with timestamps."""
    return "".join(
        f"{STAMP.format(second=n // 1000 % 60, fraction=n * 7919 % 10**7)}{line}\n" for n, line in enumerate(lines)
    ).encode()


def _read_blocks(name: str) -> list[str]:
    text = (LINES / f"{name}.txt").read_bytes().decode()  # a text file would lose its carriage returns
    return text.removesuffix("\n").split("\n%%\n")


def _repeat_block(block: str) -> Iterator[str]:
    for number in range(1, REPEATED + 1 if "{n}" in block else 2):
        yield from block.replace("{n}", str(number)).split("\n")
