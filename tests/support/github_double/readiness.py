"""What stands before a merge, as far as GitHub's own word for it says."""

from github_double import git
from github_double.checks import PASSING, app_of, latest_checks, latest_statuses

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
    if strict(pull) and behind(world, pull):
        return "behind"
    return "clean" if all(passed for _, passed in verdicts(pull.repository, pull.head_sha)) else "unstable"


def verdicts(repository, sha):
    """Give every check and status of a commit by name, with whether it passed."""
    checks = ((check.name, check.conclusion in PASSING) for check in latest_checks(repository, sha))
    return [*checks, *((status.context, status.state == "success") for status in latest_statuses(repository, sha))]


def lacks(world, pull):
    """Say whether an approval, a check, a settled thread or a signature is missing, or nobody may change the base."""
    return (
        pull.held
        or decision(pull) in {"CHANGES_REQUESTED", "REVIEW_REQUIRED"}
        or any(not passes(pull, context, app) for context, app in required_checks(pull.repository, pull.base))
        or (demands(pull, "conversations", "pull_request", "required_review_thread_resolution") and unsettled(pull))
        or (demands(pull, "signatures", "required_signatures") and not signed(world, pull))
        or demands(pull, "locked", "update")
    )


def demands(pull, switch, kind, parameter=""):
    """Say whether the classic protection or a ruleset demands something of the base."""
    protection = pull.repository.protections.get(pull.base)
    rules = rules_of(pull.repository, pull.base, kind)
    return bool(protection and getattr(protection, switch)) or any(
        not parameter or rule.parameters[parameter] for rule in rules
    )


def strict(pull):
    return demands(pull, "strict", "required_status_checks", "strict_required_status_checks_policy")


def behind(world, pull):
    return git.between(world.commits, pull.head_sha, pull.repository.branches[pull.base])


def unsettled(pull):
    return any(thread.resolved_by is None for thread in pull.threads)


def signed(world, pull):
    return all(commit.signed for commit in world.commits_of(pull))


def decisions(pull):
    """Give everybody's current verdict: the latest that is more than a remark."""
    current = {}
    for review in pull.reviews:
        if review.state in SETTLED and may_push(pull, review.user):
            current[review.user and review.user.login] = review
    return [review for review in current.values() if review.state != "DISMISSED"]


def may_push(pull, account):
    return account is not None and pull.repository.allows(account, "write")


def approvals(pull):
    return sum(review.state == "APPROVED" for review in decisions(pull))


def decision(pull):
    """Give GraphQL's reviewDecision; reviews of those who may not push count for nothing."""
    if any(review.state == "CHANGES_REQUESTED" for review in decisions(pull)):
        return "CHANGES_REQUESTED"
    required = required_approvals(pull.repository, pull.base)
    owned = demands(pull, "code_owners", "pull_request", "require_code_owner_review")
    pushed = demands(pull, "last_push", "pull_request", "require_last_push_approval")
    if not required and not owned and not pushed:
        return None
    lacking = approvals(pull) < required or (owned and pull.owners) or (pushed and not approved_since(pull))
    return "REVIEW_REQUIRED" if lacking else "APPROVED"


def approved_since(pull):
    """Say whether the latest push was approved; whoever approves did not push, in this world."""
    return any(review.state == "APPROVED" and review.commit == pull.head_sha for review in decisions(pull))


def rules_of(repository, branch, kind):
    """Give the rules of one type that hold for a branch."""
    return [rule for rule in repository.rules if rule.branch == branch and rule.type == kind]


def required_approvals(repository, branch):
    protection = repository.protections.get(branch)
    counts = [protection.approvals or 0] if protection else []
    rules = rules_of(repository, branch, "pull_request")
    return max([*counts, *(rule.parameters["required_approving_review_count"] for rule in rules)], default=0)


def required_contexts(repository, branch):
    """Return the names of the checks that a branch requires, classic ones first."""
    return list(dict.fromkeys(context for context, _ in required_checks(repository, branch)))


def required_checks(repository, branch):
    """Return the checks that a branch requires, each with the id of the app that must report it, or None."""
    protection = repository.protections.get(branch)
    found = []
    if protection:
        apps = {context: app_of(slug)[0] for context, slug in protection.apps.items()}
        found += [(context, apps.get(context)) for context in protection.contexts]
    for rule in rules_of(repository, branch, "required_status_checks"):
        found += [
            (check["context"], check.get("integration_id")) for check in rule.parameters["required_status_checks"]
        ]
    return found


def passes(pull, context, app):
    """Say whether a required check passed, reported by the app that must report it; the double's statuses have none."""
    checks = latest_checks(pull.repository, pull.head_sha)
    runs = [check for check in checks if check.name == context and app in {None, app_of(check.app)[0]}]
    statuses = [one for one in latest_statuses(pull.repository, pull.head_sha) if one.context == context and not app]
    good = [check.conclusion in PASSING for check in runs] + [one.state == "success" for one in statuses]
    return bool(good) and any(good)
