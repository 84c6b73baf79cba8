"""GitHub's own state of a pull request's readiness, and its parts."""

from github_double import git
from github_double.checks import PASSING, app_of, latest_checks, latest_statuses
from github_double.records import Account, Commit, Pull, Repository, Review, Rule
from github_double.world import World

SETTLED = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")


def read_mergeable(pull: Pull) -> bool | None:
    """Return whether there is no conflict; None while that is computed, and for a closed pull request."""
    return None if pull.state == "closed" or pull.computing else pull.mergeable


def compute_state(world: World, pull: Pull) -> str:
    """Return REST's mergeable_state; GraphQL's is the same in upper case."""
    if read_mergeable(pull) is None:
        return "unknown"
    if pull.draft:
        return "draft"
    if not pull.mergeable:
        return "dirty"
    if is_blocked(world, pull):
        return "blocked"
    if is_strict(pull) and list_missing_commits(world, pull):
        return "behind"
    return "clean" if all(passed for _, passed in list_verdicts(pull.repository, pull.head_sha)) else "unstable"


def list_verdicts(repository: Repository, sha: str) -> list[tuple[str, bool]]:
    """Return name and success of every check and status of a commit."""
    checks = ((check.name, check.conclusion in PASSING) for check in latest_checks(repository, sha))
    return [*checks, *((status.context, status.state == "success") for status in latest_statuses(repository, sha))]


def is_blocked(world: World, pull: Pull) -> bool:
    """Return whether an approval, check, resolution or signature is missing, or the base is locked."""
    return (
        pull.held
        or decide(pull) in {"CHANGES_REQUESTED", "REVIEW_REQUIRED"}
        or any(not is_passing(pull, context, app) for context, app in list_required_checks(pull.repository, pull.base))
        or (
            is_demanded(pull, "conversations", "pull_request", "required_review_thread_resolution")
            and has_open_threads(pull)
        )
        or (is_demanded(pull, "signatures", "required_signatures") and not is_signed(world, pull))
        or is_demanded(pull, "locked", "update")
    )


def is_demanded(pull: Pull, switch: str, kind: str, parameter: str = "") -> bool:
    """Return whether the base's classic protection or a ruleset demands something."""
    protection = pull.repository.protections.get(pull.base)
    rules = list_rules(pull.repository, pull.base, kind)
    return bool(protection and getattr(protection, switch)) or any(
        not parameter or rule.parameters[parameter] for rule in rules
    )


def is_strict(pull: Pull) -> bool:
    return is_demanded(pull, "strict", "required_status_checks", "strict_required_status_checks_policy")


def list_missing_commits(world: World, pull: Pull) -> list[Commit]:
    return git.list_between(world.commits, pull.head_sha, pull.repository.branches[pull.base])


def has_open_threads(pull: Pull) -> bool:
    return any(thread.resolved_by is None for thread in pull.threads)


def is_signed(world: World, pull: Pull) -> bool:
    return all(commit.signed for commit in world.commits_of(pull))


def list_decisions(pull: Pull) -> list[Review]:
    """Return each reviewer's current verdict: the latest review that is not a mere comment."""
    current = {}
    for review in pull.reviews:
        if review.state in SETTLED and may_push(pull, review.user):
            current[review.user and review.user.login] = review
    return [review for review in current.values() if review.state != "DISMISSED"]


def may_push(pull: Pull, account: Account | None) -> bool:
    return account is not None and pull.repository.allows(account, "write")


def count_approvals(pull: Pull) -> int:
    return sum(review.state == "APPROVED" for review in list_decisions(pull))


def decide(pull: Pull) -> str | None:
    """Return GraphQL's reviewDecision; reviews by accounts without write permission do not count."""
    if any(review.state == "CHANGES_REQUESTED" for review in list_decisions(pull)):
        return "CHANGES_REQUESTED"
    required = count_required_approvals(pull.repository, pull.base)
    owned = is_demanded(pull, "code_owners", "pull_request", "require_code_owner_review")
    pushed = is_demanded(pull, "last_push", "pull_request", "require_last_push_approval")
    if not required and not owned and not pushed:
        return None
    lacking = count_approvals(pull) < required or (owned and pull.owners) or (pushed and not has_recent_approval(pull))
    return "REVIEW_REQUIRED" if lacking else "APPROVED"


def has_recent_approval(pull: Pull) -> bool:
    """Return whether the latest push was approved; in this world reviewers never push."""
    return any(review.state == "APPROVED" and review.commit == pull.head_sha for review in list_decisions(pull))


def list_rules(repository: Repository, branch: str, kind: str) -> list[Rule]:
    """Return the rules of one type for a branch."""
    return [rule for rule in repository.rules if rule.branch == branch and rule.type == kind]


def count_required_approvals(repository: Repository, branch: str) -> int:
    protection = repository.protections.get(branch)
    counts = [protection.approvals or 0] if protection else []
    rules = list_rules(repository, branch, "pull_request")
    return max([*counts, *(rule.parameters["required_approving_review_count"] for rule in rules)], default=0)


def list_required_contexts(repository: Repository, branch: str) -> list[str]:
    """Return the names of the checks that a branch requires, classic ones first."""
    return list(dict.fromkeys(context for context, _ in list_required_checks(repository, branch)))


def list_required_checks(repository: Repository, branch: str) -> list[tuple[str, int | None]]:
    """Return the checks that a branch requires, each with the id of the app that must report it, or None."""
    protection = repository.protections.get(branch)
    found = []
    if protection:
        apps = {context: app_of(slug)[0] for context, slug in protection.apps.items()}
        found += [(context, apps.get(context)) for context in protection.contexts]
    for rule in list_rules(repository, branch, "required_status_checks"):
        found += [
            (check["context"], check.get("integration_id")) for check in rule.parameters["required_status_checks"]
        ]
    return found


def is_passing(pull: Pull, context: str, app: int | None) -> bool:
    """Return whether a required check passed, reported by the demanded app; statuses have no app."""
    checks = latest_checks(pull.repository, pull.head_sha)
    runs = [check for check in checks if check.name == context and app in {None, app_of(check.app)[0]}]
    statuses = [one for one in latest_statuses(pull.repository, pull.head_sha) if one.context == context and not app]
    good = [check.conclusion in PASSING for check in runs] + [one.state == "success" for one in statuses]
    return bool(good) and any(good)
