"""From all that is known about a merge to the answer."""

from collections.abc import Iterable

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.readiness.facts import MergeFacts
from stithy_pulls.readiness.machines import ChecksByVerdict, evaluate_checks, group_required_checks, is_ci_passing
from stithy_pulls.readiness.parts import Blocker, Requirement, combine_answers, list_unproven
from stithy_pulls.readiness.protections import evaluate_branch_rules, evaluate_unexplained_block
from stithy_pulls.readiness.results import BranchProtection, MergeReadiness, ReadinessChecks
from stithy_pulls.readiness.reviews import count_current_approvals, evaluate_reviews
from stithy_pulls.readiness.state import (
    evaluate_archived,
    evaluate_conflicts,
    evaluate_dependencies,
    evaluate_draft,
    evaluate_permission,
)

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
    conflicts, permission, dependencies = evaluate_conflicts(facts), evaluate_permission(facts), evaluate_dependencies(facts)
    state, reviews, machines = [evaluate_archived(facts), evaluate_draft(facts)], evaluate_reviews(facts), evaluate_checks(facts)
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
