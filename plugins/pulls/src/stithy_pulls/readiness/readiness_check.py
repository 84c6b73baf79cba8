"""The tool `check_merge_readiness`: read what the forge knows of a merge, and evaluate every requirement (PULL-50)."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias

import anyio
from attrs import evolve

from stithy_core.spi import (
    Context,
    FileChange,
    Forge,
    ForgeError,
    Issue,
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
from stithy_pulls.conflicts.mergeable_state import may_be_computing
from stithy_pulls.conflicts.trial_merge import try_merge
from stithy_pulls.git.fetch_sources import find_head_source
from stithy_pulls.git.git_errors import GitError
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.ref_fetching import read_remote_tip
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
from stithy_pulls.readiness.merge_consequences import describe_children, list_known_children
from stithy_pulls.readiness.merge_facts import MergeFacts, get_rules
from stithy_pulls.readiness.merge_requirements import Blocker, Requirement, combine_answers, list_unproven
from stithy_pulls.readiness.readiness_results import BranchProtection, MergeReadiness, ReadinessChecks
from stithy_pulls.readiness.review_requirements import count_current_approvals, evaluate_reviews
from stithy_pulls.stacks.stack_links import get_own_branch, list_children
from stithy_pulls.tools import CheckMergeReadiness

PAUSES = (0.5, 1.0, 2.0, 3.0)
"""Seconds before each further request to a forge that is still processing a push."""
SPARE = 5
"""Seconds of the call's time limit that are not spent on waiting."""
TRIES = 2
PAUSE = 1.0
"""Seconds between two requests. GitHub needs about as long for its test merge, and hides the rules meanwhile."""


async def read_settled(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
    """Read the readiness of a pull request, again while the forge computes part of it; then reviews become unknown."""
    whole = await _read_computed(ctx, forge, ref)
    for pause in PAUSES:
        if not await _is_processing_push(ctx, forge, whole):
            return whole
        if ctx.remaining() < pause + SPARE:
            break
        await anyio.sleep(pause)
        whole = await _read_computed(ctx, forge, ref)
    reason = "the forge is still processing the latest push, which may dismiss approvals"
    return evolve(whole, reviews=Unknown(reason, "Try again in a minute."))


async def _is_processing_push(ctx: Context, forge: Forge, whole: Readiness) -> bool:
    """Return whether the forge has yet to move the ref of the pull request, if that can change the answer.

    Gitea and Forgejo move the ref before they mark reviews as stale, dismiss approvals and list the changed files.
    """
    pull = whole.pull_request
    if not whole.doubt or pull.state != "open" or not _rests_on_former_head(whole):
        return False
    source = find_head_source(forge, pull)
    try:
        tip = await with_repository(ctx, forge, pull.ref.repository, partial(read_remote_tip, source=source))
    except (GitError, Unsupported):  # without git, conflicts stay unknown, so nothing is proven anyway
        return False
    return bool(source.commit and tip) and tip != source.commit


def _rests_on_former_head(whole: Readiness) -> bool:
    """Return whether an approval of a former head might count, or a rule is about the changed files."""
    rules, reviews, head = whole.rules, whole.reviews, whole.pull_request.head.commit
    if isinstance(rules, Unknown) or isinstance(reviews, Unknown):  # then nothing is proven
        return False
    by_file = not isinstance(rules.protected_files, Unknown) and bool(rules.protected_files)
    former = any(review.state == "approved" and review.commit != head for review in reviews)
    return by_file or (former and rules.dismisses_stale is not False)


async def _read_computed(ctx: Context, forge: Forge, ref: PullRequestRef) -> Readiness:
    whole = await forge.pull_requests.readiness(ref)
    for _ in range(TRIES):
        computing = may_be_computing(whole.pull_request) and not whole.doubt
        if not computing or ctx.remaining() < 2 * PAUSE:
            break
        await anyio.sleep(PAUSE)
        try:
            whole = await forge.pull_requests.readiness(ref)
        except ForgeError:  # the earlier answer is still valid
            break
    return whole


async def find_conflict(ctx: Context, forge: Forge, whole: Readiness) -> Maybe[bool]:
    """Return whether the pull request conflicts: by the forge, or by git if the forge's verdict does not decide."""
    mergeable, pull = whole.pull_request.mergeable, whole.pull_request
    if not whole.doubt:
        return mergeable if isinstance(mergeable, Unknown) else not mergeable
    try:
        work = partial(_try_own_merge, ctx, pull)
        merged = await with_repository(ctx, forge, pull.ref.repository, work, recent=True, announced=True)
    except (GitError, Unsupported) as fault:
        return Unknown(f"{whole.doubt}, and git could not answer: {fault.message}", fault.suggestion)
    return Unknown(merged.refused) if merged.refused else not merged.clean


async def _try_own_merge(ctx: Context, pull: PullRequest, repository: GitRepository) -> MergeResult:
    return (await try_merge(ctx, repository, pull, pull.base.branch)).merged


MOST_NAMES = 15
"""Names of checks in a list. Blocking checks are named in the description of their blocker, too."""


def answer_ended(pull: PullRequest) -> MergeReadiness:
    """Return the result for a merged or closed pull request."""
    by = f" by {pull.merged_by.login}" if pull.merged_by else ""
    at = pull.merged_at or pull.closed_at
    when = f" on {at:%Y-%m-%d}" if at else ""
    if pull.merged:
        commit = f" as {pull.merge_commit[:10]}" if pull.merge_commit else ""
        ending = f"The pull request was merged{by}{when}{commit}."
        blocker = Blocker(category="merged", description=ending, action_required="Nothing to do.", actor="nobody")
    else:
        ending, action = f"The pull request was closed{when} without a merge.", "Reopen it if it is still wanted."
        blocker = Blocker(category="closed", description=ending, action_required=action, actor="author")
    return MergeReadiness(
        pr=str(pull.ref),
        pull_state="merged" if pull.merged else "closed",
        target_branch=pull.base.branch,
        head_commit=pull.head.commit,
        ready_to_merge=False,
        verdict="blocked",
        checks=None,
        blocking_issues=(blocker,),
        unproven=None,
        branch_protection=None,
        forge_state=pull.forge_state or None,
        stacked_on_it=None,
        notes=None,
    )


def answer_open(facts: MergeFacts) -> MergeReadiness:
    """Return the result for an open pull request."""
    conflicts, permission, dependencies = (
        evaluate_conflicts(facts),
        evaluate_permission(facts),
        evaluate_dependencies(facts),
    )
    state, reviews, checks_requirement = (
        [evaluate_archived(facts), evaluate_draft(facts)],
        evaluate_reviews(facts),
        evaluate_checks(facts),
    )
    rules = [*reviews, checks_requirement, *evaluate_branch_rules(facts)]
    rules.append(evaluate_unexplained_block(facts, rules))
    requirements = [*state, conflicts, *rules, dependencies, permission]
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
    ready = combine_answers(requirements)
    return MergeReadiness(
        pr=str(facts.pull.ref),
        pull_state="open",
        target_branch=facts.pull.base.branch,
        head_commit=facts.pull.head.commit,
        ready_to_merge=ready is True,
        verdict="unproven" if isinstance(ready, Unknown) else "ready" if ready else "blocked",
        checks=checks,
        blocking_issues=tuple(blocker for requirement in requirements for blocker in requirement.blockers),
        unproven=list_unproven(requirements) or None,
        branch_protection=None if facts.rules.protected is False else _create_protection(facts, rules),
        forge_state=facts.pull.forge_state or None,
        stacked_on_it=tuple(str(child.ref) for child in list_known_children(facts)) or None,
        notes=tuple(_list_notes(facts, requirements)) or None,
    )


def _create_protection(facts: MergeFacts, rules: Iterable[Requirement]) -> BranchProtection:
    requirements = list(rules)
    hidden = (
        any(isinstance(requirement.met, Unknown) for requirement in requirements)
        and combine_answers(requirements) is False
    )
    found, names = group_required_checks(facts), facts.rules.required_checks
    known = ChecksByVerdict() if isinstance(found, Unknown) else found
    return BranchProtection(
        required_approvals=facts.rules.required_approvals,
        current_approvals=count_current_approvals(facts),
        required_checks=names if isinstance(names, Unknown) else names[:MOST_NAMES],
        all_checks_required=facts.rules.all_checks is True or None,
        passing_checks=known.passing[:MOST_NAMES],
        failing_checks=known.failing[:MOST_NAMES],
        pending_checks=(known.pending + known.held)[:MOST_NAMES],
        missing_checks=known.missing[:MOST_NAMES],
        sources=facts.rules.sources[:MOST_NAMES],
        all_seen=not hidden,
    )


def _list_notes(facts: MergeFacts, requirements: Iterable[Requirement]) -> Iterable[str]:
    for requirement in requirements:
        yield from requirement.notes
    names: Maybe[tuple[str, ...]] = facts.rules.required_checks
    if not isinstance(names, Unknown) and len(names) > MOST_NAMES:
        yield f"{len(names)} checks are required; the lists hold the first {MOST_NAMES}."
    yield from describe_children(facts)
    if facts.whole.auto_merge:
        yield "Auto-merge is enabled: the forge merges the pull request when nothing blocks it."
    if facts.pull.locked is True:
        yield "The conversation is locked: only users with write access can comment or review."


Question: TypeAlias = Callable[[], Awaitable[Any]]


async def check_readiness(ctx: Context, args: CheckMergeReadiness) -> MergeReadiness:
    """Check whether a pull request can be merged."""
    forge, ref = await ctx.pull_request(args.pr)
    whole = await read_settled(ctx, forge, ref)
    pull, rules = whole.pull_request, get_rules(whole)
    if pull.merged or pull.state != "open":
        return answer_ended(pull)
    questions: tuple[Question, ...] = (
        lambda: find_conflict(ctx, forge, whole),
        lambda: _read_dependencies(forge, whole),
        lambda: _read_files(forge, pull, wanted=_has_patterns(rules.protected_files)),
        lambda: _read_children(forge, whole),
    )
    conflicts, waits_for, files, children = await map_concurrently(questions, lambda question: question())
    facts = MergeFacts(whole=whole, rules=rules, conflicts=conflicts, waits_for=waits_for, files=files)
    return answer_open(evolve(facts, children=children))


async def _read_dependencies(forge: Forge, whole: Readiness) -> Maybe[Listing[Issue]]:
    """Read what must be closed before the merge, unless it came with the rest."""
    if whole.dependencies is not None:
        return whole.dependencies
    return await or_unknown(forge.pull_requests.dependencies(whole.pull_request.ref))


async def _read_children(forge: Forge, whole: Readiness) -> Maybe[Sequence[PullRequest]]:
    """Read the open pull requests into the branch of this one. No pull request can target the branch of a fork here."""
    pull = whole.pull_request
    if not get_own_branch(pull):
        return ()
    found = whole.children
    if found is None:
        found = await or_unknown(forge.pull_requests.list(pull.ref.repository, base=pull.head.branch))
    return found if isinstance(found, Unknown) else list_children(pull, found)


async def _read_files(forge: Forge, pull: PullRequest, *, wanted: bool) -> Maybe[Listing[FileChange]]:
    """Read the changed files if a rule is about them."""
    return await or_unknown(forge.changes.files(pull.ref)) if wanted else Listing()


def _has_patterns(patterns: Maybe[tuple[str, ...]]) -> bool:
    return not isinstance(patterns, Unknown) and bool(patterns)
