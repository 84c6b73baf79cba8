"""Map the rules of GitHub's rulesets to branch rules (docs/forge-behaviour/github.md#branch-rules)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import evolve

from stithy_core.spi import NOT_REPORTED, BranchRules, Maybe, Unknown
from stithy_github.rule_combination import NOTHING, combine_rules
from stithy_github.rules_mapping import BYPASS, map_rejection, to_pinned_checks

Raw = Mapping[str, Any]

HARMLESS = ("creation", "deletion", "non_fast_forward")
"""Rules that do not affect merges."""


def from_rules(rows: Iterable[Raw]) -> BranchRules:
    """Map and combine the active rules of all rulesets that apply to a branch."""
    rules = NOTHING
    for row in rows:
        rules = combine_rules(rules, _from_rule(row))
    return rules


def to_rest_rule(node: Raw) -> Raw:
    """Convert a rule of GraphQL to REST's form."""
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
    rules = evolve(NOTHING, protected=True, binds_admins=BYPASS, sources=(source,))
    if kind in READERS:
        return evolve(rules, **READERS[kind](raw.get("parameters") or {}))
    return rules if kind in HARMLESS else evolve(rules, others=(f"{source}: {kind}",))


def _name_ruleset(raw: Raw) -> str:
    """Return a ruleset's name, with its organisation or enterprise if it belongs to one."""
    name = f"ruleset {raw.get('ruleset_id')}"
    return name if raw.get("ruleset_source_type") in (None, "Repository") else f"{name} of {raw.get('ruleset_source')}"


def _map_pull_request(parameters: Raw) -> Mapping[str, Any]:
    approvals = parameters.get("required_approving_review_count", NOT_REPORTED)
    return {
        "required_approvals": approvals,
        "code_owners": parameters.get("require_code_owner_review", NOT_REPORTED),
        "last_push": parameters.get("require_last_push_approval", NOT_REPORTED),
        "dismisses_stale": parameters.get("dismiss_stale_reviews_on_push", NOT_REPORTED),
        "resolved_threads": parameters.get("required_review_thread_resolution", NOT_REPORTED),
        "rejection_blocks": map_rejection(approvals),
    }


def _map_status_checks(parameters: Raw) -> Mapping[str, Any]:
    rows = parameters.get("required_status_checks")
    names: Maybe[tuple[str, ...]] = NOT_REPORTED if rows is None else tuple(row["context"] for row in rows)
    return {
        "required_checks": names,
        "pinned_checks": to_pinned_checks((row["context"], row.get("integration_id"), "") for row in rows or ()),
        "up_to_date": parameters.get("strict_required_status_checks_policy", NOT_REPORTED),
    }


def _map_workflows(parameters: Raw) -> Mapping[str, Any]:
    paths = ", ".join(workflow["path"] for workflow in parameters.get("workflows") or ())
    reason = f"a ruleset requires the workflows {paths}, and GitHub does not report the names of their jobs"
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
