"""A pull request with its checks and the rules of its base, from one GraphQL query.

A query returns what it can: parts may be missing, by an error or because they are longer than a page.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from stithy_core.spi import (
    BranchRules,
    CommitCheck,
    ForgeError,
    Listing,
    PullRequest,
    PullRequestRef,
    RateLimited,
    Unknown,
)
from stithy_github.error_mapping import TOO_HEAVY
from stithy_github.graphql_client import execute_graphql, reference_variables
from stithy_github.issues_mapping import to_pull_request
from stithy_github.readiness_mapping import (
    WRITERS,
    is_complete,
    list_required,
    list_rows,
    to_checks,
    to_pull_request_row,
)
from stithy_github.rule_combination import NOTHING, combine_rules
from stithy_github.rules_mapping import from_ref
from stithy_github.rulesets_mapping import from_rules, to_rest_rule

if TYPE_CHECKING:
    from stithy_core.spi import Forge

PARTS = ("reviews", "reviewThreads", "statusCheckRollup", "commits", "baseRef")
SUBJECT = ""
BEHIND_STATE = "behind"
PULL_REQUEST = ["repository", "pullRequest"]
MOST_ERRORS = 10
"""An error carries at most so many of GraphQL's errors; with as many, others may be missing."""

Raw = Mapping[str, Any]
Failures = Mapping[str, Unknown]
"""Why parts of the answer are missing, by field; `SUBJECT` stands for fields of the pull request itself."""


@frozen(kw_only=True)
class QueriedPullRequest:
    """What a query returned of a pull request.

    Args:
        pull: The pull request.
        raw: Its JSON, with `viewerPermission` of its repository.
        failures: The parts of the JSON that are missing.
    """

    pull: PullRequest
    raw: Raw
    failures: Failures

    @property
    def contexts(self) -> Raw | None:
        """The connection of its checks; None without any."""
        contexts: Raw | None = (self.raw["statusCheckRollup"] or {}).get("contexts")
        return contexts


async def query_pull_request(forge: "Forge", document: str, pr: PullRequestRef) -> QueriedPullRequest | None:
    """Return what a query returns of a pull request; None if that is not usable, or GraphQL knows no such one.

    Raises:
        RateLimited: The rate limit of REST or of GraphQL is exhausted.
    """
    failures: Failures | None = {}
    try:
        data = await execute_graphql(forge, document, reference_variables(pr))
    except RateLimited:
        raise
    except ForgeError as error:
        data, failures = error.details.get("data"), parse_failures(error)
    repository = (data or {}).get("repository") or {}
    raw = repository.get("pullRequest")
    if raw is None or failures is None:
        return None
    raw = {**raw, "viewerPermission": repository.get("viewerPermission")}
    pull = await forge.pull_requests.get(pr) if SUBJECT in failures else to_pull_request(to_pull_request_row(raw), pr)
    return QueriedPullRequest(pull=pull, raw=raw, failures=failures)


def parse_failures(error: ForgeError) -> Failures | None:
    """Return the parts that an error in GraphQL's answer leaves out; None if the errors do not name all of them."""
    errors = error.details.get("errors") or ()
    if TOO_HEAVY in error.details.get("types", ()):
        return None  # smaller queries can answer everything
    if not errors or len(errors) >= MOST_ERRORS or not all(_names_pull_request(row) for row in errors):
        return None
    failures = {}
    for row in errors:
        part = next((step for step in row["path"][2:3] if step in PARTS), SUBJECT)
        failures[part] = Unknown(row["message"], error.suggestion)
    return failures


def _names_pull_request(row: Raw) -> bool:
    """Return whether an error names a field of the pull request; one of the whole query has no path, or null."""
    return (row.get("path") or [])[:2] == PULL_REQUEST


def map_checks(queried: QueriedPullRequest) -> Listing[CommitCheck] | None:
    """Return the checks; None if some are missing.

    Some tokens may read jobs and statuses by REST, but no check runs.
    """
    contexts = queried.contexts
    if "statusCheckRollup" in queried.failures or (contexts and not is_complete(contexts)):
        return None
    checks = to_checks(list_rows(contexts))
    return Listing(checks, total=len(checks))


def map_rules(queried: QueriedPullRequest) -> BranchRules | None:
    """Return the rules of the base if GraphQL shows all of them, as it does to writers; else None."""
    rules = None if "baseRef" in queried.failures else _combine_rules(queried.pull, queried.raw)
    if rules is None:
        return None
    required = evolve(NOTHING, required_checks=list_required(list_rows(queried.contexts)))
    return add_up_to_date(combine_rules(rules, required), queried.pull)


def add_up_to_date(rules: BranchRules, pull: PullRequest) -> BranchRules:
    """Set `up_to_date` if GitHub's state is `behind`, which it reports only if the rules require it."""
    return evolve(rules, up_to_date=True) if pull.forge_state == BEHIND_STATE else rules


def _combine_rules(pull: PullRequest, raw: Raw) -> BranchRules | None:
    """Return the rules that GraphQL shows; None if there may be others.

    A writer sees every classic protection. So if rulesets explain that the branch is protected, and a writer sees no
    classic protection, it has none.
    """
    base = raw["baseRef"] or {}
    classic, rulesets = from_ref(base), base.get("rules")
    if rulesets is None or not is_complete(rulesets):
        return None
    rules = combine_rules(
        from_rules(to_rest_rule(row) for row in list_rows(rulesets)),
        evolve(NOTHING, merge_queue=raw["isMergeQueueEnabled"]),
    )
    if classic is not None:
        # The merge queue is part of `rules` already.
        named = evolve(classic, merge_queue=False, sources=(f"branch protection {pull.base.branch}",))
        return combine_rules(named, rules)
    return rules if raw["viewerPermission"] in WRITERS and rules.sources else None
