"""Everything that stands on a pull request: open ones at any height, and beside each other."""

from collections.abc import Sequence

from attrs import evolve

from stithy_core.spi import PullRequest, format_count
from stithy_pulls.git.commit_log import filter_present
from stithy_pulls.git.fetch_sources import get_head_label
from stithy_pulls.stacks.commit_pool import CommitPool
from stithy_pulls.stacks.stack_path import StackPath, trace_path, trace_path_by_names
from stithy_pulls.stacks.stack_survey import PullHistory, StackSurvey

MOST_FETCHED = 100
"""Open pull requests whose heads are fetched, because their commits may show that they stand on another."""

MOST_TRACED = 40


async def trace_upstack(
    survey: StackSurvey, pool: CommitPool, base_past: PullHistory
) -> tuple[tuple[StackPath, ...], tuple[str, ...]]:
    """Return a path from the bottom to each highest open pull request that stands on the base, and notes.

    Args:
        survey: The pull requests from the API.
        pool: The commits, with the head of the base.
        base_past: The former heads of the base.
    """
    candidates, notes = await _list_candidates(survey, pool, base_past)
    paths: list[StackPath] = []
    for pull in candidates:
        if any(path.find_index(pull) >= 0 for path in paths):
            continue
        path = await trace_path(evolve(survey, dependent=pull), pool, base_past, ())
        if not path.circle and path.find_index(survey.base) >= 0:
            paths.append(path)
    return _keep_highest(paths), notes


def trace_upstack_by_names(survey: StackSurvey) -> tuple[StackPath, ...]:
    """Return the same by branch names only, without git."""
    paths = [trace_path_by_names(evolve(survey, dependent=pull)) for pull in _list_open(survey)]
    return _keep_highest([path for path in paths if not path.circle and path.find_index(survey.base) >= 0])


def _list_open(survey: StackSurvey) -> list[PullRequest]:
    """Return the open pull requests that may stand on the base, the newest first: these are mostly the highest."""
    found = [pull for pull in survey.list_pulls() if pull.state == "open" and pull.ref != survey.base.ref]
    return sorted(found, key=lambda pull: -pull.ref.number)


def _keep_highest(paths: Sequence[StackPath]) -> tuple[StackPath, ...]:
    """Return the paths that do not end within another, by their numbers."""

    def is_part(path: StackPath) -> bool:
        top = path.levels[-1]
        return any(len(path.levels) < len(other.levels) and other.find_index(top) >= 0 for other in paths)

    whole = [path for path in paths if not is_part(path)]
    return tuple(sorted(whole, key=lambda path: [pull.ref.number for pull in path.levels]))


async def _list_candidates(
    survey: StackSurvey, pool: CommitPool, base_past: PullHistory
) -> tuple[list[PullRequest], tuple[str, ...]]:
    """Return the open pull requests that names or commits connect with the base, and what was not read."""
    pulls = _list_open(survey)
    named = {pull.ref.number for path in trace_upstack_by_names(survey) for pull in path.levels}
    read = pulls[:MOST_FETCHED]
    await pool.fetch_heads(read)
    containing = await _find_containing(survey, pool, base_past, read)
    by_name = [pull for pull in pulls if pull.ref.number in named]
    by_history = [pull for pull in read if pull.ref.number in containing - named]
    notes = []
    if len(pulls) > len(read):
        notes.append(f"Only the commits of the newest {format_count(len(read), 'open pull request')} were read.")
    if len(by_history) > MOST_TRACED:
        notes.append(f"{len(by_history)} pull requests have a commit of the base; {MOST_TRACED} were read.")
    return [*by_name, *by_history[:MOST_TRACED]], tuple(notes)


async def _find_containing(
    survey: StackSurvey, pool: CommitPool, base_past: PullHistory, pulls: Sequence[PullRequest]
) -> set[int]:
    """Return the numbers of pull requests whose history has a head of the base, but not its merge."""
    heads = await filter_present(pool.repository, base_past.heads)
    if not heads:
        return set()
    labels = {f"refs/heads/{get_head_label(pull)}": pull.ref.number for pull in pulls if pool.get_head(pull)}
    words = [f"--contains={sha}" for sha in heads]
    merge = survey.base.merge_commit if survey.base.merged else ""
    if merge and merge not in heads and await pool.has_commit(merge):
        words.append(f"--no-contains={merge}")  # after a merge, all new branches have its commits
    output = await pool.repository.git(
        "for-each-ref", "--format=%(refname)", *words, "refs/heads/pull/", what="find what stands on a commit"
    )
    return {labels[ref] for ref in output.stdout.decode(errors="surrogateescape").splitlines() if ref in labels}
