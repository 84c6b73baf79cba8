"""List the facts of a review about changes of clones of real repositories, to be judged for truth and use.

Usage: python benchmarks/facts [--cases 25] [--seed 1] [--most 2] CLONE...

Each row has the repository, the commit, the kind of the fact, its place and its text, separated by tabs. Changes are
merges, or commits where a repository squashes; those of bots are left out. `judged.tsv` has the facts behind ADR 64
with their verdicts.
"""

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.reviewers._histories import InlineContext

from stithy_core.spi import GitRemote
from stithy_pulls.code.published_code import read_exports
from stithy_pulls.code.touched_definitions import compare_definitions, read_versions, select_parsable
from stithy_pulls.diffs.pull_diff import read_git_diff
from stithy_pulls.facts.fact_rules import collect_facts, select_whole_files
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.told_facts import is_told
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import find_merge_base, list_all_paths
from stithy_pulls.impact.reverted_files import find_revert_facts, read_file_history

LOOKED_AT = 1_500
"""Changes of the base branch among which cases are chosen."""
MOST_FILES = 150
BOT = re.compile(r"\[bot\]|dependabot|renovate|^(?:chore|fix|build)\(deps|^Bump ")


def main() -> None:
    """Print the facts about the chosen changes of each clone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--cases", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=2, help="facts of one kind for each change")
    options = parser.parse_args()
    for clone in options.clones:
        anyio.run(print_facts, clone, options)


async def print_facts(clone: Path, options: argparse.Namespace) -> None:
    """Print the facts about changes of one clone."""
    folder = clone / ".git" if (clone / ".git").is_dir() else clone
    name = clone.parent.name if clone.name in ("repo", ".git") else clone.name
    remote, forge = GitRemote(url="https://clone.example/owner/name"), None  # nothing is fetched
    repository = GitRepository("git", folder, remote, forge, seconds=300, lazy=False, partial=False)  # type: ignore[arg-type]
    changes = await list_changes(repository)
    random.Random(f"{name} {options.seed}").shuffle(changes)  # noqa: S311 -- no secret
    for sha, parents, seconds in changes[: options.cases]:
        facts: list[Fact] = []
        with suppress(GitError):  # a clone may lack large files
            facts = await find_facts(repository, sha, parents, seconds)
        for fact in select_facts(facts, options.most):
            place = f"{fact.path}:{fact.line}" if fact.line else fact.path
            print(name, sha[:10], fact.kind, place, fact.text, sep="\t", flush=True)


async def list_changes(repository: GitRepository) -> list[tuple[str, list[str], int]]:
    """Return changes of the base branch: commit, parents, and seconds since 1970."""
    words = ("log", "--first-parent", f"-{LOOKED_AT}", "--format=%H%x1f%P%x1f%ct%x1f%s", "-z", "HEAD")
    rows = [row.split("\x1f", 3) for row in await repository.run_lines(*words, what="read history")]
    changes = [
        (sha, parents.split(), int(at)) for sha, parents, at, subject in rows if parents and not BOT.search(subject)
    ]
    merges = [change for change in changes if len(change[1]) > 1]
    return merges if len(merges) * 3 > len(changes) else changes


async def find_facts(repository: GitRepository, sha: str, parents: Sequence[str], seconds: int) -> list[Fact]:
    """Return the facts about one change, as `analyze_pr_impact` finds them, that its title does not tell."""
    target, head = parents[0], parents[1] if len(parents) > 1 else sha
    ctx: Any = InlineContext()
    base = await find_merge_base(repository, target, head) or target
    diff = await read_git_diff(ctx, repository, base, head)
    if len(diff.changes) > MOST_FILES:
        return []
    parsed = select_parsable(diff.changes)
    exports = await read_exports(repository, target, parsed)
    blobs = await read_versions(repository, parsed, select_whole_files(diff.changes))
    code = compare_definitions(parsed, blobs, exports)
    title = get_title((await repository.git("log", "-1", "--format=%B", sha)).stdout.decode(errors="replace"))
    found = collect_facts(diff.changes, code, await list_all_paths(repository, head))
    history = await read_file_history(repository, base, diff.changes, datetime.fromtimestamp(seconds, UTC))
    facts = [*(fact for facts in found.values() for fact in facts), *find_revert_facts(diff.changes, history)]
    return [fact for fact in facts if not is_told(fact, title)]


def get_title(message: str) -> str:
    """Return the title of the pull request: the subject, or what a merge commit has below it."""
    lines = [line for line in message.splitlines() if line.strip()] or [""]
    return lines[1] if lines[0].startswith("Merge ") and lines[1:] else lines[0]


def select_facts(facts: Sequence[Fact], most: int) -> Iterator[Fact]:
    """Yield at most so many facts of a kind."""
    seen: Counter[str] = Counter()
    for fact in facts:
        seen[fact.kind] += 1
        if seen[fact.kind] <= most:
            yield fact


if __name__ == "__main__":
    main()
