"""The time of `detect_merge_conflicts`, compared with the bare git commands that find the same conflicts.

Run: python benchmarks/merge [--files 4800]. The benchmark creates a repository, and `git http-backend` serves it on the
loopback. The floor runs the git commands that a user would need, one after the other in a cache of its own, and knows
the files in conflict beforehand. Cold runs have no cache; warm runs have one, and the server must send no object.
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

REPEATS = 15
TEXT = "".join(f"line {number}\n" for number in range(1, 61))
OPTIONS = ("--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none")
REFS = ("+refs/heads/main:refs/heads/base/main", "+refs/pull/1/head:refs/heads/pull/1")
PATHS = [f"folder-{number % 50}/file-{number}.txt" for number in range(0, 250, 50)]


@frozen
class Times:
    """Milliseconds of the git commands, and of the tool."""

    git: list[float] = Factory(list)
    stithy: list[float] = Factory(list)


def create_repository(folder: Path, files: int) -> Any:
    """Create a repository with `files` files, five of them in conflict."""
    shop = FORGE.Workshop(folder)
    shop.commit("Begin", {f"folder-{number % 50}/file-{number}.txt": f"{number}\n{TEXT}" for number in range(files)})
    shop.branch("work")
    for number in range(20):
        shop.commit(f"Head {number}", {f"folder-7/head-{number}.txt": "more\n"})
    for branch, word in (("work", "X"), ("main", "Y")):
        shop.switch(branch)
        shop.commit(word, {path: (shop.work / path).read_text().replace("line 30\n", word) for path in PATHS})
    shop.pull(1, "work")
    return shop


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


async def measure_alternating(served: Any, folder: Path) -> tuple[list[Times], int]:
    """Call the tool and run the git commands in turns, first with new caches, then with an existing one.

    Returns:
        The times of both, cold and warm; and the number of answers with objects that were sent to a warm cache.
    """
    app = make_app(folder, f'[forges.work]\nkind = "gitea"\nurl = "{served.url}"\n', environ={"GITEA_URL": served.url})
    url = f"{served.url}/smith/anvil.git"
    cold, warm, sent = Times(), Times(), 0
    async with connect(app) as client:

        async def ask() -> float:
            begin = time.perf_counter()
            result: Any = await client.call_tool("detect_merge_conflicts", {"pr": "smith/anvil#1"})
            assert result.structured_content["total_conflicts"] == len(PATHS), result.content
            return (time.perf_counter() - begin) * 1000

        os.environ["XDG_CACHE_HOME"] = str(folder / "first")
        await ask()  # imports modules on first use
        for number in range(REPEATS):
            os.environ["XDG_CACHE_HOME"] = str(folder / f"cache-{number}")
            cold.git.append(measure_once(lambda at=number: run_git_commands(url, folder / f"bare-{at}")))  # type: ignore[misc]
            cold.stithy.append(await ask())
        for _ in range(REPEATS):
            warm.git.append(measure_once(lambda: run_git_commands(url, folder / "bare-0")))
            before = served.packs
            warm.stithy.append(await ask())
            sent += served.packs - before
    return [cold, warm], sent


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=4_800, help="how many files the repository has")
    files = parser.parse_args().files
    print(subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip())  # noqa: S607
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chdir(folder)  # the folder is not a clone
        with FORGE.serving(folder / "served", create_repository(folder / "served", files)) as served:
            (cold, warm), sent = anyio.run(measure_alternating, served, folder)
    print(f"{files:,} files, {len(PATHS)} conflicts; median of {REPEATS}, ms")
    for word, times in (("cold", cold), ("warm", warm)):
        floor, own = times.git, times.stithy
        print(f"{word:5} git {median(floor):7.1f}  stithy {median(own):7.1f}  ratio {median(own) / median(floor):.2f}")
    print(f"answers with objects to a warm cache: {sent}")


if __name__ == "__main__":
    main()
