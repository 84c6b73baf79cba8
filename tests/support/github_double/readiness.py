"""What stands before a merge, as far as GitHub's own word for it says."""

from github_double.checks import PASSING, latest_checks, latest_statuses

SETTLED = ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")


def mergeability(pull):
    """Say whether there is no conflict; None while that is computed, and once it is closed."""
    return None if pull.state == "closed" or pull.computing else pull.mergeable


def mergeable_state(world, pull):
    """Give REST's word, of which GraphQL's is the capitals."""
    if mergeability(pull) is None:
        return "unknown"
    if pull.draft:
        return "draft"
    if not pull.mergeable:
        return "dirty"
    if lacks(world, pull):
        return "blocked"
    return "clean" if all(passed for _, passed in verdicts(pull.repository, pull.head_sha)) else "unstable"


def verdicts(repository, sha):
    """Give every check and status of a commit by name, with whether it passed."""
    checks = ((check.name, check.conclusion in PASSING) for check in latest_checks(repository, sha))
    return [*checks, *((status.context, status.state == "success") for status in latest_statuses(repository, sha))]


def lacks(world, pull):
    """Say whether an approval, a check, a settled thread, or new commits of the base are missing."""
    passed = {name for name, good in verdicts(pull.repository, pull.head_sha) if good}
    return (
        approvals(pull) < required_approvals(pull.repository, pull.base)
        or decision(pull) == "CHANGES_REQUESTED"
        or not passed.issuperset(required_contexts(pull.repository, pull.base))
    )


def decisions(pull):
    """Give everybody's current verdict: the latest that is more than a remark."""
    current = {}
    for review in pull.reviews:
        if review.state in SETTLED:
            current[review.user and review.user.login] = review
    return [review for review in current.values() if review.state != "DISMISSED"]


def approvals(pull):
    return sum(review.state == "APPROVED" for review in decisions(pull))


def decision(pull):
    """Give GraphQL's reviewDecision."""
    if any(review.state == "CHANGES_REQUESTED" for review in decisions(pull)):
        return "CHANGES_REQUESTED"
    required = required_approvals(pull.repository, pull.base)
    if not required:
        return None
    return "APPROVED" if approvals(pull) >= required else "REVIEW_REQUIRED"


def rules_of(repository, branch, kind):
    """Give the rules of one type that hold for a branch."""
    return [rule for rule in repository.rules if rule.branch == branch and rule.type == kind]


def required_approvals(repository, branch):
    protection = repository.protections.get(branch)
    counts = [protection.approvals or 0] if protection else []
    rules = rules_of(repository, branch, "pull_request")
    return max([*counts, *(rule.parameters["required_approving_review_count"] for rule in rules)], default=0)


def required_contexts(repository, branch):
    """Give the names of the checks that a branch demands, classic ones first."""
    protection = repository.protections.get(branch)
    found = list(protection.contexts) if protection else []
    for rule in rules_of(repository, branch, "required_status_checks"):
        found += [check["context"] for check in rule.parameters["required_status_checks"]]
    return list(dict.fromkeys(found))
