"""The result of `check_merge_readiness`: the schema of PULL-51, with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, excerpt
from stithy_pulls.readiness.merge_requirements import Blocker, Unproven


@frozen(kw_only=True)
class ReadinessChecks:
    """The answers in short: one that is not known is left out, and `unknown` says why.

    Args:
        ci_passing: Whether all checks passed that ran, and all that are required.
        approvals_met: Whether everybody approved whom the base demands, and nobody asked for changes.
        no_conflicts: Whether it can be merged as git sees it.
        up_to_date: Whether it holds all of its base, demanded or not.
        branch_protection_satisfied: Whether the base's rules are met, with those about reviews and checks.
        open_for_merge: Whether it is no draft, in a repository that takes writes.
        dependencies_closed: Whether all that it depends on is closed.
        token_may_merge: Whether the token's user may merge into the base.
    """

    ci_passing: Maybe[bool]
    approvals_met: Maybe[bool]
    no_conflicts: Maybe[bool]
    up_to_date: Maybe[bool]
    branch_protection_satisfied: Maybe[bool]
    open_for_merge: Maybe[bool]
    dependencies_closed: Maybe[bool]
    token_may_merge: Maybe[bool]


@frozen(kw_only=True)
class BranchProtection:
    """What the base demands of reviews and checks, and what of it is there.

    Args:
        required_approvals: How many.
        current_approvals: How many count now.
        required_checks: By name; on Gitea and Forgejo they are patterns.
        passing_checks: Those of them that passed, were skipped or are neutral.
        failing_checks: Those that came to anything else.
        pending_checks: Those that run or wait, also for somebody's leave.
        missing_checks: Those that nobody reported.
        sources: What demands it.
        all_seen: Whether no demand is hidden from this token that could matter, beside what is known to be unmet.
    """

    required_approvals: Maybe[int]
    current_approvals: Maybe[int]
    required_checks: Maybe[tuple[str, ...]]
    passing_checks: tuple[str, ...]
    failing_checks: tuple[str, ...]
    pending_checks: tuple[str, ...]
    missing_checks: tuple[str, ...]
    sources: tuple[str, ...]
    all_seen: bool


@frozen(kw_only=True)
class MergeReadiness:
    """Whether a pull request may be merged.

    Args:
        pr: Under its present name.
        pull_state: open, closed or merged.
        target_branch: Into which it goes.
        head_commit: Of which all this is said.
        ready_to_merge: True only where it is proven.
        verdict: ready where it is proven; blocked where something is known to stand before it; else unproven.
        checks: The answers in short; left out where it is no longer open.
        blocking_issues: All that is known to stand before it, with who must act.
        unproven: What could stand before it and is not known, with who can prove it; left out where all is known.
        branch_protection: What the base demands; left out where nothing protects it, and where it is no longer open.
        forge_state: The forge's own word, such as `blocked`.
        notes: What stands in nobody's way and is yet worth knowing.
    """

    pr: str
    pull_state: Literal["open", "closed", "merged"]
    target_branch: Annotated[str, Meta(cut=False)]
    head_commit: str
    ready_to_merge: bool
    verdict: Literal["ready", "blocked", "unproven"]
    checks: ReadinessChecks | None
    blocking_issues: tuple[Blocker, ...]
    unproven: tuple[Unproven, ...] | None
    branch_protection: BranchProtection | None
    forge_state: str | None
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield the verdict, a line for each blocker and for each unproven reason, and what else is worth knowing."""
        yield f"{self.pr} into {excerpt(self.target_branch)}: {self._verdict()}"
        for issue in self.blocking_issues:
            said, action = excerpt(issue.description, 300), excerpt(issue.action_required)
            yield f"- {issue.category}: {said} {issue.actor}: {action}"
        for row in self.unproven or ():
            questions, reason = excerpt(f"whether {', '.join(row.questions)}", 600), excerpt(row.reason, 300)
            yield f"- unproven: {questions} ({reason}). {row.actor}: {excerpt(row.action_required)}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note)}"

    def _verdict(self) -> str:
        if self.pull_state != "open":
            return f"{self.pull_state}, nothing is left to merge."
        if self.verdict == "ready":
            return f"ready to merge at {self.head_commit[:10]}."
        if self.verdict == "unproven":
            return "unproven: no blocker was found, and not everything could be checked:"
        many = len(self.blocking_issues)
        return f"blocked, {many} {'thing stands' if many == 1 else 'things stand'} in the way:"
