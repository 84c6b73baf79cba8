"""The checks and statuses of a commit that count."""

from github_double.check_records import CheckRun, Status
from github_double.records import Repository

PASSING = ("success", "neutral", "skipped")
APPS = {"github-actions": (15368, "GitHub Actions")}


def app_of(slug: str) -> tuple[int, str]:
    """Return the number and the name of a GitHub App."""
    return APPS.get(slug, (sum(slug.encode()), slug.title()))


def latest_checks(repository: Repository, sha: str) -> list[CheckRun]:
    """Return the latest check run of each name and app."""
    return [check for check in repository.check_runs if check.sha == sha and check.latest]


def latest_statuses(repository: Repository, sha: str) -> list[Status]:
    """Return the latest status of each context, the newest first."""
    latest = {status.context: status for status in repository.statuses if status.sha == sha}
    return sorted(latest.values(), key=lambda status: status.id, reverse=True)


def combine_statuses(repository: Repository, sha: str) -> str:
    """Return the combined state of the statuses: pending also without statuses."""
    states = {status.state for status in latest_statuses(repository, sha)}
    if states & {"failure", "error"}:
        return "failure"
    return "success" if states == {"success"} else "pending"


def combine_all(repository: Repository, sha: str) -> str | None:
    """Return GraphQL's combined state of checks and statuses; None without any."""
    checks, statuses = latest_checks(repository, sha), latest_statuses(repository, sha)
    if not checks and not statuses:
        return None
    states = {status.state.upper() for status in statuses}
    states |= {"PENDING" if check.status != "completed" else _state(check.conclusion) for check in checks}
    return next(state for state in ("ERROR", "FAILURE", "PENDING", "SUCCESS") if state in states)


def _state(conclusion: str | None) -> str:
    return "SUCCESS" if conclusion in PASSING else "FAILURE"
