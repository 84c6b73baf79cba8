"""Branches, and what protects them."""

from typing import Any

from github_double.checks import app_of
from github_double.records import Protection, Rule
from github_double.rest import code
from github_double.rest.routing import Call, Problem, Reply, Rows, endpoint, missing

OFF = {"enabled": False}
SWITCHES = (
    "required_linear_history",
    "allow_force_pushes",
    "allow_deletions",
    "block_creations",
    "lock_branch",
    "allow_fork_syncing",
)


@endpoint("GET", "/repos/{owner}/{repo}/branches/{branch}")
def branch(call: Call) -> Reply:
    """Show a branch; every reader sees which checks its classic protection demands."""
    name, sha = _find(call)
    found = call.repository.protections.get(name)
    contexts = list(found.contexts) if found else []
    checks = {
        "enforcement_level": "non_admins" if contexts else "off",
        "contexts": contexts,
        "checks": _checks(found) if found else [],
    }
    url = call.repo(f"/branches/{name}")
    ruled = any(rule.branch == name for rule in call.repository.rules)
    return Reply(
        {
            "name": name,
            "commit": code.commit(call, call.world.commits[sha]),
            "_links": {"self": url, "html": call.page(f"/tree/{name}")},
            "protected": found is not None or ruled,
            "protection": {"enabled": found is not None, "required_status_checks": checks},
            "protection_url": f"{url}/protection",
        }
    )


@endpoint("GET", "/repos/{owner}/{repo}/branches/{branch}/protection")
def protection(call: Call) -> Reply:
    """Show the classic protection to admins; to all others it is not there."""
    name, _ = _find(call)
    if not call.repository.allows(call.viewer, "admin"):
        raise missing()
    found = call.repository.protections.get(name)
    if found is None:
        raise Problem(404, "Branch not protected")
    url = call.repo(f"/branches/{name}/protection")
    shown = dict.fromkeys(SWITCHES, OFF) | {
        "url": url,
        "enforce_admins": {"url": f"{url}/enforce_admins", "enabled": found.admins},
        "required_signatures": {"url": f"{url}/required_signatures", "enabled": found.signatures},
        "required_linear_history": {"enabled": found.linear},
        "lock_branch": {"enabled": found.locked},
        "required_conversation_resolution": {"enabled": found.conversations},
    }
    if found.contexts:
        checks = {"url": f"{url}/required_status_checks", "strict": found.strict, "contexts": list(found.contexts)}
        addresses = {"contexts_url": f"{url}/required_status_checks/contexts"}
        shown["required_status_checks"] = checks | addresses | {"checks": _checks(found)}
    if found.approvals is not None:
        shown["required_pull_request_reviews"] = {
            "url": f"{url}/required_pull_request_reviews",
            "dismiss_stale_reviews": found.dismiss_stale,
            "require_code_owner_reviews": found.code_owners,
            "require_last_push_approval": found.last_push,
            "required_approving_review_count": found.approvals,
        }
    return Reply(shown)


@endpoint("GET", "/repos/{owner}/{repo}/rules/branches/{branch}")
def rules(call: Call) -> Rows:
    """List the active rules of all rulesets, to every reader."""
    found = [rule for rule in call.repository.rules if rule.branch == call.parts["branch"]]
    return Rows(found, rule)


def _find(call: Call) -> tuple[str, str]:
    name = call.parts["branch"]
    if name not in call.repository.branches:
        raise Problem(404, "Branch not found")
    return name, call.repository.branches[name]


def _checks(found: Protection) -> list[dict[str, Any]]:
    apps = {context: app_of(slug)[0] for context, slug in found.apps.items()}
    return [{"context": context, "app_id": apps.get(context)} for context in found.contexts]


def rule(call: Call, found: Rule) -> dict[str, Any]:
    """Show a rule."""
    source = {"ruleset_source_type": "Repository", "ruleset_source": call.repository.full_name}
    parameters = {"parameters": found.parameters} if found.parameters else {}
    return source | parameters | {"type": found.type, "ruleset_id": found.ruleset}
