"""From the rules of GitHub's rulesets to what a branch demands (docs/forge-behaviour/github.md#branch-rules)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import evolve

from stithy_core.spi import NOT_REPORTED, BranchRules, Maybe, Unknown
from stithy_github.rule_combination import NOTHING, combine_rules
from stithy_github.rules_mapping import BYPASS, map_rejection, to_pinned_checks

Raw = Mapping[str, Any]

HARMLESS = ("creation", "deletion", "non_fast_forward")
"""Rules that no merge runs into."""


def from_rules(rows: Iterable[Raw]) -> BranchRules:
    """Read the active rules of all rulesets that hold for a branch, as one."""
    found = NOTHING
    for row in rows:
        found = combine_rules(found, _from_rule(row))
    return found


def to_rest_rule(node: Raw) -> Raw:
    """Write a rule of GraphQL as REST does."""
    ruleset = node.get("repositoryRuleset") or {}
    source = ruleset.get("source") or {}
    return {
        "type": node["type"].lower(),
        "parameters": node.get("parameters"),
        "ruleset_id": ruleset.get("databaseId"),
        "ruleset_source_type": source.get("__typename"),
        "ruleset_source": source.get("login") or source.get("slug"),
    }


def _from_rule(raw: Raw) -> BranchRules:
    kind, source = raw["type"], _name_ruleset(raw)
    demanded = evolve(NOTHING, protected=True, binds_admins=BYPASS, sources=(source,))
    if kind in READERS:
        return evolve(demanded, **READERS[kind](raw.get("parameters") or {}))
    return demanded if kind in HARMLESS else evolve(demanded, others=(f"{source}: {kind}",))


def _name_ruleset(raw: Raw) -> str:
    """Name a ruleset; one of an organisation or an enterprise holds for repositories beside this one."""
    said = f"ruleset {raw.get('ruleset_id')}"
    return said if raw.get("ruleset_source_type") in (None, "Repository") else f"{said} of {raw.get('ruleset_source')}"


def _map_pull_request(given: Raw) -> Mapping[str, Any]:
    approvals = given.get("required_approving_review_count", NOT_REPORTED)
    return {
        "required_approvals": approvals,
        "code_owners": given.get("require_code_owner_review", NOT_REPORTED),
        "last_push": given.get("require_last_push_approval", NOT_REPORTED),
        "dismisses_stale": given.get("dismiss_stale_reviews_on_push", NOT_REPORTED),
        "resolved_threads": given.get("required_review_thread_resolution", NOT_REPORTED),
        "rejection_blocks": map_rejection(approvals),
    }


def _map_status_checks(given: Raw) -> Mapping[str, Any]:
    rows = given.get("required_status_checks")
    names: Maybe[tuple[str, ...]] = NOT_REPORTED if rows is None else tuple(row["context"] for row in rows)
    return {
        "required_checks": names,
        "pinned_checks": to_pinned_checks((row["context"], row.get("integration_id"), "") for row in rows or ()),
        "up_to_date": given.get("strict_required_status_checks_policy", NOT_REPORTED),
    }


def _map_workflows(given: Raw) -> Mapping[str, Any]:
    paths = ", ".join(workflow["path"] for workflow in given.get("workflows") or ())
    reason = f"a ruleset demands the workflows {paths}, and GitHub does not say how their jobs are called"
    return {"required_checks": Unknown(reason, "Read these files.")}


READERS: Mapping[str, Callable[[Raw], Mapping[str, Any]]] = {
    "pull_request": _map_pull_request,
    "required_status_checks": _map_status_checks,
    "required_signatures": lambda _: {"signed": True},
    "required_linear_history": lambda _: {"linear": True},
    "merge_queue": lambda _: {"merge_queue": True},
    "update": lambda _: {"locked": True},
    "workflows": _map_workflows,
}
