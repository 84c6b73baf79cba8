"""The result of `check_merge_readiness` (PULL-51), with additional fields."""

from collections.abc import Iterator
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, excerpt, format_count
from stithy_pulls.readiness.merge_requirements import Blocker, Unproven


@frozen(kw_only=True)
class ReadinessChecks:
    """The answers in short. An unknown answer is omitted here, and `unknown` has the reason.

    Args:
        ci_passing: Whether all checks that ran and all required checks passed.
        approvals_met: Whether all required approvals are there, and no reviewer requested changes.
        no_conflicts: Whether git can merge it without conflicts.
        up_to_date: Whether it contains the whole base branch, required or not.
        branch_protection_satisfied: Whether all rules of the base branch are met, including reviews and checks.
        open_for_merge: Whether it is not a draft, and the repository accepts writes.
        dependencies_closed: Whether everything it depends on is closed.
        token_may_merge: Whether the user of the token may merge into the base branch.
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
    """The reviews and checks that the base branch requires, and their state.

    Args:
        required_approvals: The number of required approvals.
        current_approvals: The number of approvals that count now.
        required_checks: The names of required checks; patterns on Gitea and Forgejo.
        all_checks_required: True if every check that was reported must pass, by whatever name; the following lists
            then have all of them. Omitted otherwise.
        passing_checks: Required checks that passed, were skipped or are neutral.
        failing_checks: Required checks with any other verdict.
        pending_checks: Required checks that run or wait, including those that wait for approval.
        missing_checks: Required checks that were never reported.
        sources: The branch protections and rulesets that require this.
        all_seen: Whether no rule that could matter is hidden from this token, beside rules that are known to be unmet.
    """

    required_approvals: Maybe[int]
    current_approvals: Maybe[int]
    required_checks: Maybe[tuple[str, ...]]
    all_checks_required: bool | None
    passing_checks: tuple[str, ...]
    failing_checks: tuple[str, ...]
    pending_checks: tuple[str, ...]
    missing_checks: tuple[str, ...]
    sources: tuple[str, ...]
    all_seen: bool


@frozen(kw_only=True)
class MergeReadiness:
    """Whether a pull request can be merged.

    Args:
        pr: The pull request under its current name.
        pull_state: open, closed or merged.
        target_branch: The base branch.
        head_commit: The commit that was checked.
        ready_to_merge: True only if it is proven.
        verdict: ready if proven; blocked if a blocker is known; otherwise unproven.
        checks: The answers in short; omitted if the pull request is not open.
        blocking_issues: All known blockers, with who must act.
        unproven: What could block the merge and is unknown, with who can prove it; omitted if all is known.
        branch_protection: The rules of the base branch; omitted if it has none, or the pull request is not open.
        forge_state: The forge's own term, such as `blocked`.
        stacked_on_it: The open pull requests into its branch, which the merge or the deletion of the branch affects;
            omitted without any, or if they are unknown.
        notes: What does not block the merge but is worth knowing.
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
    stacked_on_it: tuple[str, ...] | None
    notes: tuple[str, ...] | None

    def render(self) -> Iterator[str]:
        """Yield the verdict, lines for blockers, unproven reasons and notes, and the commit with its checks."""
        yield f"{self.pr} into {excerpt(self.target_branch)}: {self._format_verdict()}"
        for issue in self.blocking_issues:
            description, action = excerpt(issue.description, 300), excerpt(issue.action_required)
            yield f"- {issue.category}: {description} {issue.actor}: {action}"
        for row in self.unproven or ():
            questions, reason = excerpt(f"whether {', '.join(row.questions)}", 600), excerpt(row.reason, 300)
            yield f"- unproven: {questions} ({reason}). {row.actor}: {excerpt(row.action_required)}"
        for note in self.notes or ():
            yield f"Note: {excerpt(note, 400)}"
        if self.pull_state == "open" and self.verdict != "ready":
            yield f"Checked: {self.head_commit[:10]}"
        if self.branch_protection and self.branch_protection.passing_checks:
            yield excerpt(f"Required checks that passed: {', '.join(self.branch_protection.passing_checks)}", 300)

    def _format_verdict(self) -> str:
        if self.pull_state != "open":
            return f"{self.pull_state}; nothing to merge."
        if self.verdict == "ready":
            return f"ready to merge at {self.head_commit[:10]}."
        if self.verdict == "unproven":
            return "unproven: no blocker found, but not everything could be checked:"
        return f"blocked by {format_count(len(self.blocking_issues), 'issue')}:"
