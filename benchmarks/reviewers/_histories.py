"""Read decided changes of clones, as the tool reads those of a pull request."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from stithy_core.spi import GitRemote, OwnersFile
from stithy_pulls.code.touched_definitions import TouchedCode
from stithy_pulls.diffs.diff_range import DiffRange
from stithy_pulls.diffs.pull_diff import read_git_diff
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import find_merge_base
from stithy_pulls.impact.branch_activity import read_activity
from stithy_pulls.impact.impact_evidence import ImpactEvidence, blame_files, list_writers
from stithy_pulls.impact.merge_decisions import MOST_DECISIONS, MergeDecision, read_decisions
from stithy_pulls.owners.code_owners import resolve_ownership
from stithy_pulls.owners.owners_file import read_code_owners

LOOKED_AT = 700
"""Changes of the base branch among which cases are chosen."""
MOST_FILES = 30
MOST_LAST = 8
"""Files whose last author counts for the baseline."""


@frozen(kw_only=True)
class ReviewCase:
    """A change whose deciders are known, and what was known before it.

    Args:
        change: The change.
        evidence: The evidence of the tool, read at its parent.
        last_authors: The addresses of the last authors of its files.
    """

    change: MergeDecision
    evidence: ImpactEvidence
    last_authors: tuple[str, ...]


class InlineContext:
    """The part of a call that reading needs: work for threads is done at once."""

    async def thread(self, function: Callable[..., Any], *args: Any) -> Any:
        """Call the function."""
        return function(*args)


async def read_cases(clone: Path, most: int) -> list[ReviewCase]:
    """Read cases from a clone, evenly among its latest changes.

    Args:
        clone: A git directory, or a folder with one.
        most: Maximum number of cases.
    """
    folder = clone / ".git" if (clone / ".git").is_dir() else clone
    remote = GitRemote(url="https://clone.example/owner/name")
    forge: Any = None  # nothing is fetched
    repository = GitRepository("git", folder, remote, forge, seconds=120, lazy=False, partial=False)
    changes = await read_decisions(repository, "HEAD", LOOKED_AT + MOST_DECISIONS)
    fitting = [place for place, change in enumerate(changes[:LOOKED_AT]) if _is_case(change)]
    chosen = fitting[:: max(1, len(fitting) // most)][:most]
    cases = []
    for place in chosen:
        with suppress(GitError):  # a clone may lack large files
            cases.append(await _read_case(repository, changes, place))
    return cases


def _is_case(change: MergeDecision) -> bool:
    is_bot = "bot" in change.author or "bot" in change.merger.partition("@")[0]
    return bool(change.merger or change.reviewers) and 0 < len(change.paths) <= MOST_FILES and not is_bot


async def _read_case(repository: GitRepository, changes: Sequence[MergeDecision], place: int) -> ReviewCase:
    change = changes[place]
    parents = (await repository.git("rev-list", "--parents", "-n1", change.sha)).stdout.decode().split()[1:]
    target, head = parents[0], parents[-1] if parents[1:] else change.sha
    base = await find_merge_base(repository, target, head) or target
    ctx: Any = InlineContext()
    diff = await read_git_diff(ctx, repository, base, head)
    owners = await read_code_owners(repository, OwnersFile(), target)
    paths = [changed.path for changed in diff.changes]
    ends = DiffRange(target, base, head)
    evidence = ImpactEvidence(
        ends=ends,
        owned=resolve_ownership(owners, paths),
        blame=await blame_files(repository, diff.changes, base),
        activity=await read_activity(repository, target, change.at),
        decisions=tuple(changes[place + 1 : place + 1 + MOST_DECISIONS]),
        code=TouchedCode(),
        writers=await list_writers(repository, ends),
    )
    last = [await _read_last_author(repository, target, path) for path in paths[:MOST_LAST]]
    return ReviewCase(change=change, evidence=evidence, last_authors=tuple(filter(None, last)))


async def _read_last_author(repository: GitRepository, target: str, path: str) -> str:
    output = await repository.git("log", "-1", "--format=%ae", target, "--", path)
    return output.stdout.decode(errors="replace").strip().lower()
