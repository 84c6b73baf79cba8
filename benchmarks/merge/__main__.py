"""The time of `detect_merge_conflicts`, compared with the bare git commands that find the same conflicts.

Run: python benchmarks/merge [--files 4800] [--commits 0] [--behind 20] [--repeats 15]. The benchmark creates a
repository, and `git http-backend` serves it on the loopback. The floor runs the git commands that a user would need,
one after the other in a cache of its own, and knows the files in conflict beforehand; it fetches the whole history
without files.
Cold runs have no cache; warm runs have one, and the server must send no object.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import anyio
from attrs import Factory, frozen

from stithy_testing import connect, make_app

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))
FORGE: Any = import_module("git_forge")  # tests have no types

BEGINNING = 1_767_600_000
TEXT = "".join(f"line {number}\n" for number in range(1, 61))
OPTIONS = ("--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none")
REFS = ("+refs/heads/main:refs/heads/base/main", "+refs/pull/1/head:refs/heads/pull/1")
PATHS = [f"folder-0/part-{number}/file-{number * 50}.txt" for number in range(5)]


@frozen
class Times:
    """Milliseconds of the git commands and of the tool, and the bytes that the server sent to each in the last run."""

    git: list[float] = Factory(list)
    stithy: list[float] = Factory(list)
    sent: dict[str, int] = Factory(dict)


def create_repository(folder: Path, files: int, commits: int, behind: int) -> Any:
    """Create a repository with `files` files, five of them in conflict.

    The branches diverged `behind` commits ago, after `commits` others.
    """
    shop = FORGE.Workshop(folder)
    beginning = {place_file(number): f"{number}\n{TEXT}" for number in range(files)}
    commands = [format_commit("main", "Begin", beginning)]
    for number in range(commits):
        change = {place_file(number * 7919 % files): f"{number}\n{TEXT}"}
        commands.append(format_commit("main", f"Change {number}\n\nWhat it is for, in a sentence.", change, number))
    commands.append("reset refs/heads/work\nfrom refs/heads/main\n\n")
    for branch, count, word in (("work", 20, "X\n"), ("main", behind, "Y\n")):
        for number in range(count):
            path = place_file(files + number if branch == "work" else 300 + number * 31 % (files - 300))
            change = {path: f"{branch} {number}\n{TEXT}"}
            commands.append(format_commit(branch, f"{branch} {number}", change, commits + number))
        sides = {path: beginning[path].replace("line 30\n", word) for path in PATHS}
        commands.append(format_commit(branch, word, sides, commits + count))
    shop.git("fast-import", "--quiet", given="".join(commands).encode())
    shop.pull(1, "work")
    return shop


def place_file(number: int) -> str:
    """Return the path of a file."""
    return f"folder-{number % 50}/part-{number // 50 % 20}/file-{number}.txt"


def format_commit(branch: str, message: str, files: dict[str, str], at: int = 0) -> str:
    """Return the commands of git fast-import that commit files."""
    changes = "".join(f"M 100644 inline {path}\ndata {len(text)}\n{text}\n" for path, text in files.items())
    head = f"commit refs/heads/{branch}\ncommitter smith <smith@forge.invalid> {BEGINNING + at} +0000\n"
    return f"{head}data {len(message)}\n{message}\n{changes}\n"


def run_git_commands(url: str, cache: Path) -> None:
    """Run the git commands of the floor: fetch, merge, read, and find the last authors."""
    run: Callable[..., str] = FORGE.git
    if not cache.exists():
        cache.mkdir()
        run(cache, "init", "-q", "--bare")
        run(cache, "remote", "add", "origin", url)
    run(cache, "fetch", *OPTIONS, "origin", *REFS)
    merged = run(cache, "merge-tree", "--write-tree", "-z", "--messages", "base/main", "pull/1", check=False)
    tree, *fields = merged.split("\0")
    rows = run(cache, "ls-tree", "-z", tree, "--", *PATHS).split("\0")[:-1]
    oids = [row.split()[2] for row in rows] + [field.split()[1] for field in fields if "\t" in field]
    run(cache, "cat-file", "--batch", given="".join(f"{oid}\n" for oid in oids).encode())
    for ends in ("pull/1..base/main", "base/main..pull/1"):
        run(cache, "log", "--format=%H %an %aI %s", "--name-only", "-z", "--no-renames", ends, "--", *PATHS)


def measure_once(work: Callable[[], None]) -> float:
    """Return the milliseconds that `work` takes."""
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


async def measure_alternating(served: Any, folder: Path, repeats: int) -> tuple[list[Times], int]:
    """Call the tool and run the git commands in turns, first with new caches, then with an existing one.

    Returns:
        The times of both, cold and warm; and the number of answers with objects that were sent to a warm cache.
    """
    app = make_app(folder, f'[forges.work]\nkind = "gitea"\nurl = "{served.url}"\n', environ={"GITEA_URL": served.url})
    url = f"{served.url}/smith/anvil.git"
    cold, warm, packs = Times(), Times(), 0
    async with connect(app) as client:

        async def ask(progress: Any = None) -> float:
            begin = time.perf_counter()
            arguments = {"pr": "smith/anvil#1"}
            result: Any = await client.call_tool("detect_merge_conflicts", arguments, progress_callback=progress)
            assert result.structured_content["total_conflicts"] == len(PATHS), result.content
            return (time.perf_counter() - begin) * 1000

        os.environ["XDG_CACHE_HOME"] = str(folder / "first")
        await ask(print_progress)  # imports modules on first use
        for number in range(repeats):
            os.environ["XDG_CACHE_HOME"] = str(folder / f"cache-{number}")
            before = served.sent
            cold.git.append(measure_once(lambda at=number: run_git_commands(url, folder / f"bare-{at}")))  # type: ignore[misc]
            between = served.sent
            cold.stithy.append(await ask())
            cold.sent.update(git=between - before, stithy=served.sent - between)
        for _ in range(repeats):
            warm.git.append(measure_once(lambda: run_git_commands(url, folder / "bare-0")))
            before = served.packs
            warm.stithy.append(await ask())
            packs += served.packs - before
    return [cold, warm], packs


async def print_progress(_done: float, _total: float | None, message: str | None) -> None:
    """Print the announcement of the first fetch."""
    if message and "first fetch" in message:
        print(message)


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=4_800, help="how many files the repository has")
    parser.add_argument("--commits", type=int, default=0, help="how many commits precede the fork point")
    parser.add_argument("--behind", type=int, default=20, help="how many commits main has since then")
    parser.add_argument("--repeats", type=int, default=15, help="how often each is measured")
    return parser.parse_args()


def main() -> None:
    """Measure, and print a table."""
    args = parse_arguments()
    print(subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip())  # noqa: S607
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)  # the folder is not a clone
        shop = create_repository(folder / "served", args.files, args.commits, args.behind)
        with FORGE.serving(folder / "served", shop) as served:
            (cold, warm), packs = anyio.run(measure_alternating, served, folder, args.repeats)
    print(f"{args.files:,} files, {args.commits:,} commits, {args.behind:,} behind, {len(PATHS)} conflicts;")
    print(f"median of {args.repeats}, ms")
    for word, times in (("cold", cold), ("warm", warm)):
        floor, own = times.git, times.stithy
        print(f"{word:5} git {median(floor):7.1f}  stithy {median(own):7.1f}  ratio {median(own) / median(floor):.2f}")
    print(f"bytes to a new cache: git {cold.sent['git']:,}, stithy {cold.sent['stithy']:,}")
    print(f"answers with objects to a warm cache: {packs}")


if __name__ == "__main__":
    main()
