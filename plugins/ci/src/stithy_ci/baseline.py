"""Failures of the base branch: what fails there as well is older than the pull request."""

import re
from collections.abc import Sequence

from attrs import evolve, frozen

from ci_failures.failure_merging import merge
from stithy_ci.ci_state.commit_state import CommitState, read_commit_state
from stithy_ci.failing.failure_entry import Entry
from stithy_ci.sources.check_sources import gather_sources
from stithy_core.spi import (
    CommitCheck,
    Context,
    Forge,
    ForgeError,
    Maybe,
    PullRequest,
    Unknown,
    Unsupported,
    or_unknown,
)

MOST_COMMITS = 5
"""Commits of the base branch, from its tip on, that are searched for one whose CI has ended."""
EVENT = re.compile(r" \((?:push|pull_request|pull_request_target|pull_request_sync|merge_group|schedule)\)$")
"""Gitea and Forgejo add the event to a check's name, which differs between a branch and a pull request."""
REMEDY = "Look at the base branch's own runs."


@frozen(kw_only=True)
class BaseFailures:
    """What fails on the base branch.

    Args:
        commit: The commit that was read; empty if no commit has a run that ended.
        failures: What fails there: tool, name and place, as far as it is known by name.
        failing: The names of the checks that fail there, as `name_of` returns them.
        checks: For each check there, by the name that `name_of` returns, whether it was read completely.
        reason: Why nothing is known; empty if something is.
    """

    commit: str = ""
    failures: frozenset[tuple[str, str, str]] = frozenset()
    failing: frozenset[str] = frozenset()
    checks: dict[str, bool]
    reason: str = ""

    def has(self, entry: Entry) -> Maybe[bool]:
        """Return whether the same failure is there.

        Unknown for a check that did not run there or was not read completely, and for a failure without a name: that
        its check fails there as well does not prove that the cause is the same.
        """
        tool, name = entry.identity
        by_name = entry.tool is not None
        if by_name and self._fails(tool, name, entry.place or ""):
            return True
        if self.reason:
            return Unknown(self.reason, REMEDY)
        names = {remove_event(name) for name in (entry.jobs or (entry.check_name,))}
        if not by_name and (alike := sorted(names & self.failing)):
            text = f"compared by check only: {', '.join(alike)} fails on {self.commit[:10]}, too"
            return Unknown(f"{text}, and what failed in it is not compared by name", REMEDY)
        if all(self.checks.get(name) for name in names):
            return False
        lacking = sorted(name for name in names if not self.checks.get(name))
        return Unknown(f"{', '.join(lacking)} did not run on {self.commit[:10]}, or could not be read there", REMEDY)

    def _fails(self, tool: str, name: str, place: str) -> bool:
        """Check whether a test fails there; tests of one name in two modules differ, if both modules are known."""
        if not place:
            return any(one[:2] == (tool, name) for one in self.failures)
        return bool(self.failures & {(tool, name, place), (tool, name, "")})


def remove_event(check: str) -> str:
    """Return the name of a check without its event."""
    return EVENT.sub("", check)


def mark_entry(entry: Entry, before: BaseFailures) -> Entry:
    """Return an entry with `pre_existing`, whether the base branch has it."""
    return evolve(entry, pre_existing=before.has(entry))


async def find_base_failures(
    ctx: Context, forge: Forge, pull: PullRequest, failing: Sequence[CommitCheck]
) -> BaseFailures:
    """Read the base branch's latest commit whose CI has ended, for the checks that fail here."""
    names = {remove_event(check.name) for check in failing}
    if not names:
        return BaseFailures(checks={})
    try:
        truth = await _find_latest_state(forge, pull, names)
    except (ForgeError, Unsupported) as error:
        return BaseFailures(checks={}, reason=f"the base branch could not be read: {error.message}")
    if truth is None:
        return BaseFailures(checks={}, reason=f"no run on {pull.base.branch} has ended")
    alike = [check for check in truth.failing if remove_event(check.name) in names]
    gathered = await gather_sources(ctx, forge, truth, alike)
    merged = await ctx.thread(lambda: merge(gathered.reports))
    found = {(one.failure.tool, one.failure.name, one.failure.place) for one in merged if not one.failure.flaky}
    silent = {check.name for check in alike} - {report.check for one in merged for report in one.reports}
    return BaseFailures(
        commit=truth.commit,
        failures=frozenset(found),
        failing=frozenset(remove_event(check.name) for check in alike),
        checks={remove_event(check.name): check.name not in silent | gathered.partial for check in truth.checks},
    )


async def _find_latest_state(forge: Forge, pull: PullRequest, names: set[str]) -> CommitState | None:
    """Return the state of the latest commit on which the checks in question have ended."""
    for commit in await _list_base_commits(forge, pull):
        truth = await read_commit_state(forge, pull.ref.repository, commit)
        going = {remove_event(check.name) for check in truth.under_way}
        if not names & going and names & {remove_event(check.name) for check in truth.checks}:
            return truth
    return None


async def _list_base_commits(forge: Forge, pull: PullRequest) -> list[str]:
    """Return the latest commits of the base branch: those that the head lacks, and the merge base."""
    compared = await or_unknown(forge.changes.compare(pull.ref.repository, pull.head.commit, pull.base.branch))
    if isinstance(compared, Unknown):
        return [pull.base.commit] if pull.base.commit else []
    newest = [commit.sha for commit in reversed(compared.commits)][:MOST_COMMITS]
    tip = pull.base.commit if compared.commits.cut else ""  # the oldest are listed, and the newest are missing
    parted = "" if isinstance(compared.merge_base, Unknown) else compared.merge_base
    return [commit for commit in dict.fromkeys([tip, *newest, parted]) if commit]
