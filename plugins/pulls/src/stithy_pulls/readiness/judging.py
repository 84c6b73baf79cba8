"""From all that is known about a merge to the answer."""

from collections.abc import Iterable

from stithy_core.spi import Maybe, PullRequest, Unknown
from stithy_pulls.readiness.facts import Facts
from stithy_pulls.readiness.machines import Checked, check_part, passing, required
from stithy_pulls.readiness.parts import Blocker, Part, together, unproven
from stithy_pulls.readiness.protections import protection_parts, unexplained
from stithy_pulls.readiness.results import BranchProtection, Checks, MergeReadiness
from stithy_pulls.readiness.reviews import current, review_parts
from stithy_pulls.readiness.state import archived_part, conflict_part, dependency_part, draft_part, permission_part

MOST_NAMES = 15
"""Names of checks in a list: an answer is short, and what is in the way is named first in its sentence."""


def ended(pull: PullRequest) -> MergeReadiness:
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


def judged(facts: Facts) -> MergeReadiness:
    """Answer for one that is open."""
    conflicts, permission, dependencies = conflict_part(facts), permission_part(facts), dependency_part(facts)
    state, reviews, machines = [archived_part(facts), draft_part(facts)], review_parts(facts), check_part(facts)
    rules = [*reviews, machines, *protection_parts(facts)]
    rules.append(unexplained(facts, rules))
    parts = [*state, conflicts, *rules, dependencies, permission]
    behind = facts.whole.behind
    checks = Checks(
        ci_passing=passing(facts),
        approvals_met=together(reviews),
        no_conflicts=together([conflicts]),
        up_to_date=behind if isinstance(behind, Unknown) else behind == 0,
        branch_protection_satisfied=together(rules),
        open_for_merge=together(state),
        dependencies_closed=together([dependencies]),
        token_may_merge=together([permission]),
    )
    ready = together(parts)
    return MergeReadiness(
        pr=str(facts.pull.ref),
        pull_state="open",
        target_branch=facts.pull.base.branch,
        head_commit=facts.pull.head.commit,
        ready_to_merge=ready is True,
        verdict="unproven" if isinstance(ready, Unknown) else "ready" if ready else "blocked",
        checks=checks,
        blocking_issues=tuple(blocker for part in parts for blocker in part.blockers),
        unproven=unproven(parts) or None,
        branch_protection=None if facts.rules.protected is False else _protection(facts, rules),
        forge_state=facts.pull.forge_state or None,
        notes=tuple(_notes(facts, parts)) or None,
    )


def _protection(facts: Facts, rules: Iterable[Part]) -> BranchProtection:
    parts = list(rules)
    hidden = any(isinstance(part.met, Unknown) for part in parts) and together(parts) is False
    found, names = required(facts), facts.rules.required_checks
    known = Checked() if isinstance(found, Unknown) else found
    return BranchProtection(
        required_approvals=facts.rules.required_approvals,
        current_approvals=current(facts),
        required_checks=names if isinstance(names, Unknown) else names[:MOST_NAMES],
        passing_checks=known.passing[:MOST_NAMES],
        failing_checks=known.failing[:MOST_NAMES],
        pending_checks=(known.pending + known.held)[:MOST_NAMES],
        missing_checks=known.missing[:MOST_NAMES],
        sources=facts.rules.sources[:MOST_NAMES],
        all_seen=not hidden,
    )


def _notes(facts: Facts, parts: Iterable[Part]) -> Iterable[str]:
    for part in parts:
        yield from part.notes
    names: Maybe[tuple[str, ...]] = facts.rules.required_checks
    if not isinstance(names, Unknown) and len(names) > MOST_NAMES:
        yield f"{len(names)} checks are required; lists of them hold the first {MOST_NAMES}."
    if facts.whole.auto_merge:
        yield "It will be merged by itself as soon as nothing stands in the way (auto-merge)."
    if facts.pull.locked is True:
        yield "Its conversation is locked: only people with write access may comment or review."
