"""`check_merge_readiness`: from a pull request to whether it may be merged (PULL-50)."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from stithy_core.spi import (
    Context,
    FileChange,
    Forge,
    Listing,
    Maybe,
    PullRequest,
    Unknown,
    map_concurrently,
    or_unknown,
)
from stithy_pulls.offers import CheckMergeReadiness
from stithy_pulls.readiness.conflicts import find_conflict, read_settled
from stithy_pulls.readiness.facts import MergeFacts, get_rules
from stithy_pulls.readiness.judging import answer_ended, answer_open
from stithy_pulls.readiness.results import MergeReadiness

Question: TypeAlias = Callable[[], Awaitable[Any]]


async def check_readiness(ctx: Context, args: CheckMergeReadiness) -> MergeReadiness:
    """Check a pull request."""
    forge, ref = await ctx.pull_request(args.pr)
    whole = await read_settled(ctx, forge, ref)
    pull, rules = whole.pull_request, get_rules(whole)
    if pull.merged or pull.state != "open":
        return answer_ended(pull)
    questions: tuple[Question, ...] = (
        lambda: find_conflict(ctx, forge, whole),
        lambda: or_unknown(forge.pull_requests.dependencies(pull.ref)),
        lambda: _files(forge, pull, wanted=_names_any(rules.protected_files)),
    )
    conflicts, waits_for, files = await map_concurrently(questions, lambda question: question())
    return answer_open(MergeFacts(whole=whole, rules=rules, conflicts=conflicts, waits_for=waits_for, files=files))


async def _files(forge: Forge, pull: PullRequest, *, wanted: bool) -> Maybe[Listing[FileChange]]:
    """Read what it changes, where a rule is about that."""
    return await or_unknown(forge.changes.files(pull.ref)) if wanted else Listing()


def _names_any(patterns: Maybe[tuple[str, ...]]) -> bool:
    return not isinstance(patterns, Unknown) and bool(patterns)
