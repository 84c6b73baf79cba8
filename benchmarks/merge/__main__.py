"""Conflicts of a pull request: a call of the tool, beside the bare git commands that find the same.

Run: python benchmarks/merge [--files 4800]. A repository is made and served on the loopback by `git http-backend`. The
floor runs, in a cache of its own, the commands of git that a person would need, one after the other and knowing
beforehand what is in conflict. Cold has no cache; warm has one, and must be sent no object.
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
    """How many milliseconds the commands of git took, and how many the tool did."""

    git: list[float] = Factory(list)
    stithy: list[float] = Factory(list)


def prepared(folder: Path, files: int) -> Any:
    """Make a repository of so many files, with five of them in conflict."""
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


def bare(url: str, cache: Path) -> None:
    """Run what finds the same: fetch, merge, read, and ask who touched the files."""
    run: Callable[..., str] = FORGE.git
    if not cache.exists():
        cache.mkdir()
        run(cache, "init", "-q", "--bare")
        run(cache, "remote", "add", "origin", url)
    run(cache, "fetch", *OPTIONS, "origin", *REFS)
    merged = run(cache, "merge-tree", "--write-tree", "-z", "--messages", "base/main", "pull/1", check=False)
    tree, *fields = merged.split("\0")
    told = run(cache, "ls-tree", "-z", tree, "--", *PATHS).split("\0")[:-1]
    oids = [row.split()[2] for row in told] + [field.split()[1] for field in fields if "\t" in field]
    run(cache, "cat-file", "--batch", given="".join(f"{oid}\n" for oid in oids).encode())
    for ends in ("pull/1..base/main", "base/main..pull/1"):
        run(cache, "log", "--format=%H %an %aI %s", "--name-only", "-z", "--no-renames", ends, "--", *PATHS)


def timed(work: Callable[[], None]) -> float:
    """Give how many milliseconds something takes."""
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1000


async def measured(served: Any, folder: Path) -> tuple[list[Times], int]:
    """Call the tool and run the commands by turns, with new caches and then with one; give how long both took.

    Beside it how many answers with objects were sent to a warm cache.
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
        await ask()  # what is imported at first use
        for number in range(REPEATS):
            os.environ["XDG_CACHE_HOME"] = str(folder / f"cache-{number}")
            cold.git.append(timed(lambda at=number: bare(url, folder / f"bare-{at}")))  # type: ignore[misc]
            cold.stithy.append(await ask())
        for _ in range(REPEATS):
            warm.git.append(timed(lambda: bare(url, folder / "bare-0")))
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
        os.chdir(folder)  # which is no clone
        with FORGE.serving(folder / "served", prepared(folder / "served", files)) as served:
            (cold, warm), sent = anyio.run(measured, served, folder)
    print(f"{files:,} files, {len(PATHS)} conflicts; median of {REPEATS}, ms")
    for word, times in (("cold", cold), ("warm", warm)):
        floor, own = times.git, times.stithy
        print(f"{word:5} git {median(floor):7.1f}  stithy {median(own):7.1f}  ratio {median(own) / median(floor):.2f}")
    print(f"answers with objects to a warm cache: {sent}")


if __name__ == "__main__":
    main()
