"""`check_merge_readiness`: from a pull request to whether it may be merged (PULL-50)."""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

import anyio
from attrs import evolve

from stithy_core.spi import (
    Context,
    FileChange,
    Forge,
    ForgeError,
    Listing,
    Maybe,
    PullRequest,
    PullRequestRef,
    Readiness,
    Unknown,
    Unsupported,
    map_concurrently,
    or_unknown,
)
from stithy_pulls.conflicts.merge_tree import MergeResult
from stithy_pulls.conflicts.trial_merge import try_merge
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import get_open_heads, list_refs
from stithy_pulls.git.repository_access import with_repository
from stithy_pulls.readiness.branch_requirements import (
    evaluate_archived,
    evaluate_branch_rules,
    evaluate_conflicts,
    evaluate_dependencies,
    evaluate_draft,
    evaluate_permission,
    evaluate_unexplained_block,
)
from stithy_pulls.readiness.check_requirements import (
    ChecksByVerdict,
    evaluate_checks,
    group_required_checks,
    is_ci_passing,
)
from stithy_pulls.readiness.merge_facts import MergeFacts, get_rules
from stithy_pulls.readiness.merge_requirements import Blocker, Requirement, combine_answers, list_unproven
from stithy_pulls.readiness.readiness_results import BranchProtection, MergeReadiness, ReadinessChecks
from stithy_pulls.readiness.review_requirements import count_current_approvals, evaluate_reviews
from stithy_pulls.tools import CheckMergeReadiness

PAUSES = (0.5, 1.0, 2.0, 3.0)
"""Seconds before each further look at a forge that still processes a push."""
SPARE = 5
"""Seconds of the call that this leaves for the rest."""
TRIES = 2
PAUSE = 1.0
"""Seconds between two questions: GitHub needs about as long for its test merge, and hides the rules meanwhile."""


async def read_settled(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
    """Read all that stands before a merge, and all of it again while the forge still computes some of it."""
    whole = await _computed(ctx, forge, ref)
    for pause in PAUSES:
        if not await _is_processing_push(ctx, forge, whole):
            return whole
        if ctx.remaining() < pause + SPARE:
            break
        await anyio.sleep(pause)
        whole = await _computed(ctx, forge, ref)
    reason = "the forge is still processing the latest push, after which approvals may be dismissed"
    return evolve(whole, reviews=Unknown(reason, "Ask again in a minute."))


async def _is_processing_push(ctx: Context, forge: Forge, whole: Readiness) -> bool:
    """Return whether the forge has yet to move the ref of the pull request, where that matters.

    Gitea and Forgejo move it before they mark reviews as stale, dismiss approvals and list the changed files again.
    """
    pull = whole.pull_request
    if not whole.doubt or not get_open_heads([pull]) or not _rests_on_former_head(whole):
        return False
    try:
        listed = await with_repository(ctx, forge, pull.ref.repository, partial(list_refs, refs=get_open_heads([pull])))
    except (GitError, Unsupported):  # without git nothing is proven anyway
        return False
    return any(listed.get(ref, sha) != sha for ref, sha in get_open_heads([pull]).items())


def _rests_on_former_head(whole: Readiness) -> bool:
    """Return whether an approval of a former head might count, or a rule is about the changed files."""
    rules, reviews, head = whole.rules, whole.reviews, whole.pull_request.head.commit
    if isinstance(rules, Unknown) or isinstance(reviews, Unknown):  # nothing is proven then
        return False
    by_file = not isinstance(rules.protected_files, Unknown) and bool(rules.protected_files)
    former = any(review.state == "approved" and review.commit != head for review in reviews)
    return by_file or (former and rules.dismisses_stale is not False)


async def _computed(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
    whole = await forge.pull_requests.readiness(ref)
    for _ in range(TRIES):
        pull = whole.pull_request
        computing = isinstance(pull.mergeable, Unknown) and pull.state == "open" and not whole.doubt
        if not computing or ctx.remaining() < 2 * PAUSE:
            break
        await anyio.sleep(PAUSE)
        try:
            whole = await forge.pull_requests.readiness(ref)
        except ForgeError:  # what is known so far is still true
            break
    return whole


async def find_conflict(ctx: Context, forge: Forge, whole: Readiness) -> Maybe[bool]:
    """Find whether it conflicts."""
    said, pull = whole.pull_request.mergeable, whole.pull_request
    if not whole.doubt:
        return said if isinstance(said, Unknown) else not said
    try:
        merged = await with_repository(ctx, forge, pull.ref.repository, partial(_merge, ctx, pull))
    except (GitError, Unsupported) as fault:
        return Unknown(f"{whole.doubt}, and git could not answer: {fault.message}", fault.suggestion)
    return Unknown(merged.refused) if merged.refused else not merged.clean


async def _merge(ctx: Context, pull: PullRequest, repository: GitRepository) -> MergeResult:
    return (await try_merge(ctx, repository, pull, pull.base.branch)).merged


MOST_NAMES = 15
"""Names of checks in a list: an answer is short, and what is in the way is named first in its sentence."""


def answer_ended(pull: PullRequest) -> MergeReadiness:
    """Answer for one that is merged or closed."""
    by = f" by {pull.merged_by.login}" if pull.merged_by else ""
    at = pull.merged_at or pull.closed_at
    when = f" on {at:%Y-%m-%d}" if at else ""
    if pull.merged:
        said = f"It was merged{by}{when}{f' as {pull.merge_commit[:10]}' if pull.merge_commit else ''}."
        end = Blocker(category="merged", description=said, action_required="Nothing: it is done.", actor="nobody")
    else:
        said, action = f"It was closed{when} without a merge.", "Reopen it, if it is still wanted."
        end = Blocker(category="closed", description=said, action_required=action, actor="author")
    return MergeReadiness(
        pr=str(pull.ref),
        pull_state="merged" if pull.merged else "closed",
        target_branch=pull.base.branch,
        head_commit=pull.head.commit,
        ready_to_merge=False,
        verdict="blocked",
        checks=None,
        blocking_issues=(end,),
        unproven=None,
        branch_protection=None,
        forge_state=pull.forge_state or None,
        notes=None,
    )


def answer_open(facts: MergeFacts) -> MergeReadiness:
    """Answer for one that is open."""
    conflicts, permission, dependencies = (
        evaluate_conflicts(facts),
        evaluate_permission(facts),
        evaluate_dependencies(facts),
    )
    state, reviews, machines = (
        [evaluate_archived(facts), evaluate_draft(facts)],
        evaluate_reviews(facts),
        evaluate_checks(facts),
    )
    rules = [*reviews, machines, *evaluate_branch_rules(facts)]
    rules.append(evaluate_unexplained_block(facts, rules))
    parts = [*state, conflicts, *rules, dependencies, permission]
    behind = facts.whole.behind
    checks = ReadinessChecks(
        ci_passing=is_ci_passing(facts),
        approvals_met=combine_answers(reviews),
        no_conflicts=combine_answers([conflicts]),
        up_to_date=behind if isinstance(behind, Unknown) else behind == 0,
        branch_protection_satisfied=combine_answers(rules),
        open_for_merge=combine_answers(state),
        dependencies_closed=combine_answers([dependencies]),
        token_may_merge=combine_answers([permission]),
    )
    ready = combine_answers(parts)
    return MergeReadiness(
        pr=str(facts.pull.ref),
        pull_state="open",
        target_branch=facts.pull.base.branch,
        head_commit=facts.pull.head.commit,
        ready_to_merge=ready is True,
        verdict="unproven" if isinstance(ready, Unknown) else "ready" if ready else "blocked",
        checks=checks,
        blocking_issues=tuple(blocker for part in parts for blocker in part.blockers),
        unproven=list_unproven(parts) or None,
        branch_protection=None if facts.rules.protected is False else _protection(facts, rules),
        forge_state=facts.pull.forge_state or None,
        notes=tuple(_notes(facts, parts)) or None,
    )


def _protection(facts: MergeFacts, rules: Iterable[Requirement]) -> BranchProtection:
    parts = list(rules)
    hidden = any(isinstance(part.met, Unknown) for part in parts) and combine_answers(parts) is False
    found, names = group_required_checks(facts), facts.rules.required_checks
    known = ChecksByVerdict() if isinstance(found, Unknown) else found
    return BranchProtection(
        required_approvals=facts.rules.required_approvals,
        current_approvals=count_current_approvals(facts),
        required_checks=names if isinstance(names, Unknown) else names[:MOST_NAMES],
        passing_checks=known.passing[:MOST_NAMES],
        failing_checks=known.failing[:MOST_NAMES],
        pending_checks=(known.pending + known.held)[:MOST_NAMES],
        missing_checks=known.missing[:MOST_NAMES],
        sources=facts.rules.sources[:MOST_NAMES],
        all_seen=not hidden,
    )


def _notes(facts: MergeFacts, parts: Iterable[Requirement]) -> Iterable[str]:
    for part in parts:
        yield from part.notes
    names: Maybe[tuple[str, ...]] = facts.rules.required_checks
    if not isinstance(names, Unknown) and len(names) > MOST_NAMES:
        yield f"{len(names)} checks are required; lists of them hold the first {MOST_NAMES}."
    if facts.whole.auto_merge:
        yield "It will be merged by itself as soon as nothing stands in the way (auto-merge)."
    if facts.pull.locked is True:
        yield "Its conversation is locked: only people with write access may comment or review."


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
