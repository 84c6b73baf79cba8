"""Map classic branch protections (docs/forge-behaviour/github.md#branch-rules).

They have three views: REST's for administrators, and GraphQL's for administrators and for writers.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import evolve

from stithy_core.spi import NOT_REPORTED, BranchRules, Maybe, PinnedCheck, Unknown
from stithy_github.rule_combination import fill_unknown, unknown_rules

Raw = Mapping[str, Any]

ADMINS_ONLY = Unknown(
    "GitHub shows it to administrators of the repository only",
    "Use a token that may read the repository's administration.",
)
BYPASS = Unknown("GitHub shows to administrators only who may bypass a ruleset")
QUEUE = Unknown("GitHub's REST API does not show whether a classic protection has a merge queue", "Set a token.")
HIDDEN = evolve(unknown_rules(ADMINS_ONLY), protected=True, requests_block=False, protected_files=())
"""A classic protection that the token may not read."""


def from_protection(raw: Raw) -> BranchRules:
    """Map a classic protection of REST; disabled rules are missing."""
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
    """Map a classic protection as GraphQL shows it to writers."""
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
    """Map a classic protection as GraphQL shows it to administrators: the view of writers, and the other rules."""
    has_reviews, has_checks = raw["requiresApprovingReviews"], raw["requiresStatusChecks"]
    writers_view = {
        "requiredApprovingReviewCount": raw["requiredApprovingReviewCount"] if has_reviews else None,
        "requiredStatusCheckContexts": raw["requiredStatusCheckContexts"] if has_checks else (),
        "requiresSignatures": raw["requiresCommitSignatures"],
    }
    return evolve(
        from_update_rule({**raw, **writers_view}),
        pinned_checks=_list_pinned_of_rule(raw["checks"] if has_checks else ()),
        up_to_date=has_checks and raw["requiresStrictStatusChecks"],
        last_push=has_reviews and raw["requireLastPushApproval"],
        dismisses_stale=has_reviews and raw["dismissesStaleReviews"],
        binds_admins=raw["isAdminEnforced"],
        locked=raw.get("lockBranch", ADMINS_ONLY),
    )


def from_ref(raw: Raw) -> BranchRules | None:
    """Map a classic protection as GraphQL shows it to this token; None if it shows none."""
    views = [
        *([from_protection_rule(raw["branchProtectionRule"])] if raw.get("branchProtectionRule") else ()),
        *([from_update_rule(raw["refUpdateRule"])] if raw.get("refUpdateRule") else ()),
    ]
    return fill_unknown(views[0], views[-1]) if views else None


def list_contexts(raw: Raw | None) -> tuple[str, ...]:
    """Return the names of required checks, from the list of names and from the newer list that also has their apps."""
    newer = [check["context"] for check in (raw or {}).get("checks") or ()]
    return tuple(dict.fromkeys([*((raw or {}).get("contexts") or ()), *newer]))


def list_pinned_checks(raw: Raw | None) -> tuple[PinnedCheck, ...]:
    """Return the required checks of a classic protection that a certain app must report, as REST shows them."""
    return to_pinned_checks((check["context"], check.get("app_id"), "") for check in (raw or {}).get("checks") or ())


def to_pinned_checks(rows: Iterable[tuple[str, int | None, str]]) -> tuple[PinnedCheck, ...]:
    """Return the required checks that a certain app must report.

    Args:
        rows: For each check its name, the app's id (None or below 1 if any app may report it), and the app's slug.
    """
    return tuple(PinnedCheck(name=name, app_id=str(app), app=slug) for name, app, slug in rows if (app or 0) > 0)


def _list_pinned_of_rule(rows: Iterable[Raw] | None) -> tuple[PinnedCheck, ...]:
    apps = [(row["context"], row.get("app") or {}) for row in rows or ()]
    return to_pinned_checks((name, app.get("id"), app.get("slug") or "") for name, app in apps)


def _get_enabled(raw: Raw, key: str) -> Maybe[bool]:
    enabled: Maybe[bool] = (raw.get(key) or {}).get("enabled", NOT_REPORTED)
    return enabled


def map_rejection(approvals: Maybe[int]) -> Maybe[bool]:
    """Return whether a review that requests changes blocks a merge: it does if approvals are required."""
    return True if isinstance(approvals, int) and approvals > 0 else NOT_REPORTED
