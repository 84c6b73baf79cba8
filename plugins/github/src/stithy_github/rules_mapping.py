"""From GitHub's JSON to what a branch demands (docs/forge-behaviour/github.md#branch-rules).

Classic protection has three views: REST's for administrators, and GraphQL's for them and for writers. Rulesets have
one, which GraphQL is asked for under REST's names.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from stithy_core.spi import NOT_REPORTED, BranchRules, Maybe, PinnedCheck, Unknown
from stithy_github.rule_combination import fill_unknown, unknown_rules

Raw = Mapping[str, Any]

ADMINS_ONLY = Unknown(
    "GitHub says it to administrators of the repository only",
    "Use a token that may read its administration.",
)
BYPASS = Unknown("GitHub says to administrators only who may bypass a ruleset")
QUEUE = Unknown("GitHub's REST API does not say whether a classic protection has a merge queue", "Set a token.")
HIDDEN = evolve(unknown_rules(ADMINS_ONLY), protected=True, requests_block=False, protected_files=())
"""What is known of a classic protection that the token may not read."""


def from_protection(raw: Raw) -> BranchRules:
    """Read a classic protection of REST; the parts that are not switched on are absent."""
    reviews, checks = raw.get("required_pull_request_reviews"), raw.get("required_status_checks")
    approvals = 0 if reviews is None else reviews.get("required_approving_review_count", NOT_REPORTED)
    return evolve(
        HIDDEN,
        required_approvals=approvals,
        required_checks=list_contexts(checks),
        pinned_checks=list_pinned_checks(checks),
        up_to_date=False if checks is None else checks.get("strict", NOT_REPORTED),
        code_owners=(reviews or {}).get("require_code_owner_reviews", False),
        last_push=(reviews or {}).get("require_last_push_approval", False),
        dismisses_stale=(reviews or {}).get("dismiss_stale_reviews", False),
        resolved_threads=_get_enabled(raw, "required_conversation_resolution"),
        rejection_blocks=False if reviews is None else map_rejection(approvals),
        signed=_get_enabled(raw, "required_signatures"),
        linear=_get_enabled(raw, "required_linear_history"),
        merge_queue=QUEUE,
        binds_admins=_get_enabled(raw, "enforce_admins"),
        locked=_get_enabled(raw, "lock_branch"),
    )


def from_update_rule(raw: Raw) -> BranchRules:
    """Read a classic protection as GraphQL shows it to writers."""
    approvals = raw["requiredApprovingReviewCount"]
    return evolve(
        HIDDEN,
        required_approvals=approvals or 0,
        required_checks=tuple(context for context in raw["requiredStatusCheckContexts"] or () if context),
        code_owners=raw["requiresCodeOwnerReviews"],
        resolved_threads=raw["requiresConversationResolution"],
        rejection_blocks=False if approvals is None else map_rejection(approvals),
        signed=raw["requiresSignatures"],
        linear=raw["requiresLinearHistory"],
    )


def from_protection_rule(raw: Raw) -> BranchRules:
    """Read a classic protection as GraphQL shows it to administrators: what writers see, and the rest."""
    reviewed, checked = raw["requiresApprovingReviews"], raw["requiresStatusChecks"]
    seen = {
        "requiredApprovingReviewCount": raw["requiredApprovingReviewCount"] if reviewed else None,
        "requiredStatusCheckContexts": raw["requiredStatusCheckContexts"] if checked else (),
        "requiresSignatures": raw["requiresCommitSignatures"],
    }
    return evolve(
        from_update_rule({**raw, **seen}),
        pinned_checks=_list_pinned_of_rule(raw["checks"] if checked else ()),
        up_to_date=checked and raw["requiresStrictStatusChecks"],
        last_push=reviewed and raw["requireLastPushApproval"],
        dismisses_stale=reviewed and raw["dismissesStaleReviews"],
        binds_admins=raw["isAdminEnforced"],
        locked=raw.get("lockBranch", ADMINS_ONLY),
    )


def from_ref(raw: Raw) -> BranchRules | None:
    """Read a classic protection as GraphQL shows it to this token; None where it shows none."""
    views = [
        *([from_protection_rule(raw["branchProtectionRule"])] if raw.get("branchProtectionRule") else ()),
        *([from_update_rule(raw["refUpdateRule"])] if raw.get("refUpdateRule") else ()),
    ]
    return fill_unknown(views[0], views[-1]) if views else None


def list_contexts(raw: Raw | None) -> tuple[str, ...]:
    """Read the names of required checks: of the list of names, and of the newer one that knows their apps."""
    named = [check["context"] for check in (raw or {}).get("checks") or ()]
    return tuple(dict.fromkeys([*((raw or {}).get("contexts") or ()), *named]))


def list_pinned_checks(raw: Raw | None) -> tuple[PinnedCheck, ...]:
    """Read which required checks of a classic protection one app must report, as REST shows them."""
    return to_pinned_checks((check["context"], check.get("app_id"), "") for check in (raw or {}).get("checks") or ())


def to_pinned_checks(rows: Iterable[tuple[str, int | None, str]]) -> tuple[PinnedCheck, ...]:
    """Read which required checks one app must report.

    Args:
        rows: For each check its name, the app's id (none, or below 1 where any app will do), and the app's name.
    """
    return tuple(PinnedCheck(name=name, app_id=str(app), app=slug) for name, app, slug in rows if (app or 0) > 0)


def _list_pinned_of_rule(rows: Iterable[Raw] | None) -> tuple[PinnedCheck, ...]:
    apps = [(row["context"], row.get("app") or {}) for row in rows or ()]
    return to_pinned_checks((name, app.get("id"), app.get("slug") or "") for name, app in apps)


def _get_enabled(raw: Raw, key: str) -> Maybe[bool]:
    found: Maybe[bool] = (raw.get(key) or {}).get("enabled", NOT_REPORTED)
    return found


def map_rejection(approvals: Maybe[int]) -> Maybe[bool]:
    """Say whether a review that asks for changes blocks: it does where approvals are demanded."""
    return True if isinstance(approvals, int) and approvals > 0 else NOT_REPORTED
