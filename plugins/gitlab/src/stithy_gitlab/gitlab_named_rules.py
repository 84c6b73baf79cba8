"""Rules with names: for approvals, and external status checks (tiers Premium and Ultimate)."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from stithy_core.spi import EvaluatedRule, Maybe, PullRequestRef, RepositoryRef, Unknown
from stithy_gitlab.gitlab_mapping import Json
from stithy_gitlab.gitlab_projects import list_subject_rows, page_query, project_path, read_if_allowed, subject_path

if TYPE_CHECKING:
    from stithy_core.spi import Forge

ANYBODY = "any_approver"
"""The rule for a number of approvals by whomever."""
MOST_NAMES = 5
STATUS_CHECK = "STATUS_CHECKS_MUST_PASS"
STATUSES = {"passed": True, "failed": False}


async def read_approval_rules(forge: "Forge", repository: RepositoryRef, pr: PullRequestRef | None) -> Maybe[Any]:
    """Read the rules for approvals: of a merge request their state, without one those of the project.

    Unknown where the tier lacks them: GitLab then answers 404 or 403.
    """
    if pr is not None:
        return await read_if_allowed(forge.http.get(f"{subject_path(pr)}/approval_state", shape=dict))
    return await read_if_allowed(forge.http.items(f"{project_path(repository)}/approval_rules", **page_query()))


async def read_status_checks(forge: "Forge", pr: PullRequestRef) -> Sequence[EvaluatedRule]:
    """Read the external status checks of a merge request; empty without the tier Ultimate."""
    rows = await read_if_allowed(list_subject_rows(forge, pr, "status_checks"))
    return [] if isinstance(rows, Unknown) else [_to_status_check(row) for row in rows]


def evaluate_approval_rules(state: Maybe[Json]) -> tuple[EvaluatedRule, ...]:
    """Return the rules for approvals that are named, with their results, and who can approve."""
    if isinstance(state, Unknown):
        return ()
    rows = [row for row in state.get("rules") or () if row.get("rule_type") != ANYBODY]
    return tuple(_to_approval_rule(row) for row in rows if row.get("approvals_required"))


def select_project_rules(rows: Sequence[Json], branch: str, *, is_protected: bool) -> list[Json]:
    """Return those of a project's rules for approvals that apply to a branch."""
    return [row for row in rows if _is_applied(row, branch, is_protected=is_protected)]


def count_approvals(rows: Iterable[Json]) -> int:
    """Return how many approvals rules require at least: one approval may count for several of them."""
    return max((int(row.get("approvals_required") or 0) for row in rows), default=0)


def _is_applied(row: Json, branch: str, *, is_protected: bool) -> bool:
    if row.get("applies_to_all_protected_branches"):
        return is_protected
    names = [one["name"] for one in row.get("protected_branches") or ()]
    return not names or any(matches_branch(name, branch) for name in names)


def matches_branch(pattern: str, branch: str) -> bool:
    """Return whether the name of a protected branch, in which `*` also spans `/`, fits a branch."""
    first, *middle = pattern.split("*")
    if not middle:
        return pattern == branch
    last = middle.pop()
    at, end = len(first), len(branch) - len(last)
    if at > end or not branch.startswith(first) or not branch.endswith(last):
        return False
    for part in middle:  # the first place of each is the best; an expression would try them all
        at = branch.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True


def _to_approval_rule(row: Json) -> EvaluatedRule:
    given, needed = len(row.get("approved_by") or ()), row["approvals_required"]
    able = [one["username"] for one in row.get("eligible_approvers") or ()]
    shown = ", ".join(able[:MOST_NAMES]) + (f" and {len(able) - MOST_NAMES} more" if len(able) > MOST_NAMES else "")
    met = row["approved"] if isinstance(row.get("approved"), bool) else Unknown("GitLab does not report its result")
    return EvaluatedRule(
        name=f"the approval rule {row['name']!r} has {needed} of {needed} approvals ({given} now)",
        met=met,
        action=f"Get an approval of {shown}." if shown else "",
    )


def _to_status_check(row: Json) -> EvaluatedRule:
    met = STATUSES.get(row["status"], Unknown(f"the external service has not answered ({row['status']})"))
    return EvaluatedRule(name=f"the external status check {row['name']!r} passes", met=met)
