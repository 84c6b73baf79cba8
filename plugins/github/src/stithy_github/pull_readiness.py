"""What stands before a merge, from one question in GraphQL and a second one for the distance to the base.

What is longer than a page of it, and what GraphQL refuses to a token that REST may answer, is read by the capabilities;
without GraphQL all of it is. What of it fails on its own is unknown, with the reason, and the rest stays.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from attrs import evolve

from stithy_core.spi import (
    BranchRules,
    Commit,
    CommitCheck,
    ForgeError,
    Listing,
    Maybe,
    PullRequest,
    PullRequestRef,
    RateLimited,
    Readiness,
    RepositoryRef,
    Review,
    Thread,
    Unknown,
    composed_readiness,
    or_unknown,
)
from stithy_github.changes_mapping import to_commit
from stithy_github.comments_mapping import to_review
from stithy_github.concurrent_requests import run_concurrently
from stithy_github.error_mapping import TOO_HEAVY
from stithy_github.graphql_client import execute_graphql, reference_variables
from stithy_github.issues_mapping import to_pull_request
from stithy_github.readiness_mapping import (
    WRITERS,
    commit_row,
    is_complete,
    list_owners,
    list_required,
    list_rows,
    pull_request_row,
    review_row,
    to_checks,
    to_may_merge,
    to_queued,
)
from stithy_github.readiness_queries import BEHIND, READINESS
from stithy_github.rule_combination import NOTHING, combine_rules
from stithy_github.rules_mapping import from_ref
from stithy_github.rulesets_mapping import from_rules, to_rest_rule
from stithy_github.threads_pages import read_remaining_threads

if TYPE_CHECKING:
    from stithy_core.spi import Forge

PARTS = ("reviews", "reviewThreads", "statusCheckRollup", "commits", "baseRef")
SUBJECT = ""
BEHIND_STATE = "behind"
PULL_REQUEST = ["repository", "pullRequest"]
MOST_ERRORS = 10
"""As many of them at most come along with an error, so there may be more of it."""

Raw = Mapping[str, Any]
Failures = Mapping[str, Unknown]
"""Why parts of the answer are missing, by their fields; under `SUBJECT` what is of the pull request itself."""


async def read_readiness(forge: "Forge", pr: PullRequestRef) -> Readiness:
    """Read all that stands before a merge.

    Raises:
        NotFound: There is no such pull request.
        RateLimited: The budget is spent, be it that of GraphQL alone.
    """
    failed: Failures | None = {}
    try:
        data = await execute_graphql(forge, READINESS, reference_variables(pr))
    except RateLimited:
        raise
    except ForgeError as error:
        data, failed = error.details.get("data"), parse_failures(error)
    repository = (data or {}).get("repository") or {}
    raw = repository.get("pullRequest")
    if raw is None or failed is None:
        return await composed_readiness(forge, pr)
    raw = {**raw, "viewerPermission": repository.get("viewerPermission")}
    pull = await forge.pull_requests.get(pr) if SUBJECT in failed else to_pull_request(pull_request_row(raw), pr)
    whole = await _read_parts(forge, pull, raw, failed)
    return evolve(whole, may_merge=failed.get("baseRef", to_may_merge(raw)))


def parse_failures(error: ForgeError) -> Failures | None:
    """Find what an error in GraphQL's answer leaves out; None where its errors do not say it in full."""
    errors = error.details.get("errors") or ()
    if TOO_HEAVY in error.details.get("types", ()):
        return None  # in smaller questions all of it can be told
    if not errors or len(errors) >= MOST_ERRORS or not all(row.get("path", ())[:2] == PULL_REQUEST for row in errors):
        return None
    found = {}
    for row in errors:
        part = next((step for step in row["path"][2:3] if step in PARTS), SUBJECT)
        found[part] = Unknown(row["message"], error.suggestion)
    return found


async def _read_parts(forge: "Forge", pull: PullRequest, raw: Raw, failed: Failures) -> Readiness:
    reviews, threads, checks, rules, behind, commits = await run_concurrently(
        lambda: _read_reviews(forge, pull.ref, raw, failed),
        lambda: _read_threads(forge, pull.ref, raw, failed),
        lambda: _read_checks(forge, pull, raw, failed),
        lambda: _read_rules(forge, pull, raw, failed),
        lambda: _read_behind(forge, pull),
        lambda: _read_commits(forge, pull.ref, raw, failed),
    )
    return Readiness(
        pull_request=pull,
        reviews=reviews,
        threads=threads,
        checks=checks,
        rules=rules,
        behind=behind,
        commits=commits,
        decision=raw["reviewDecision"] or "",
        owners=list_owners(raw),
        queued=to_queued(raw),
        auto_merge=bool(raw.get("autoMergeRequest")),
    )


async def _read_reviews(forge: "Forge", pr: PullRequestRef, raw: Raw, failed: Failures) -> Maybe[Listing[Review]]:
    if "reviews" in failed:
        return failed["reviews"]
    if not is_complete(raw["reviews"]):
        return await or_unknown(forge.reviews.list(pr))
    rows = list_rows(raw["reviews"])
    return Listing(tuple(to_review(review_row(row, pr.number)) for row in rows), len(rows))


async def _read_threads(forge: "Forge", pr: PullRequestRef, raw: Raw, failed: Failures) -> Maybe[Listing[Thread]]:
    if "reviewThreads" in failed:
        return failed["reviewThreads"]
    if not is_complete(raw["reviewThreads"]):
        return await or_unknown(forge.threads.list(pr))
    return await read_remaining_threads(forge, pr, raw["reviewThreads"])


async def _read_checks(forge: "Forge", pull: PullRequest, raw: Raw, failed: Failures) -> Maybe[Listing[CommitCheck]]:
    """Read them; a token that may not see check runs may yet see jobs and statuses, which REST has for it."""
    contexts = (raw["statusCheckRollup"] or {}).get("contexts")
    if "statusCheckRollup" in failed or (contexts and not is_complete(contexts)):
        return await or_unknown(forge.checks.list(pull.ref.repository, pull.head.commit))
    checks = to_checks(list_rows(contexts))
    return Listing(checks, len(checks))


async def _read_commits(forge: "Forge", pr: PullRequestRef, raw: Raw, failed: Failures) -> Maybe[Listing[Commit]]:
    if "commits" in failed:
        return failed["commits"]
    if not is_complete(raw["commits"]):
        return await or_unknown(forge.changes.commits(pr))
    rows = [commit_row(row["commit"]) for row in list_rows(raw["commits"])]
    return Listing(tuple(map(to_commit, rows)), len(rows))


async def _read_rules(forge: "Forge", pull: PullRequest, raw: Raw, failed: Failures) -> Maybe[BranchRules]:
    """Read them where GraphQL tells all of them, as to writers; else REST knows whether something is there."""
    found = None if "baseRef" in failed else _map_rules(pull, raw)
    if found is None:
        asked = await or_unknown(forge.rules.get(pull.ref.repository, pull.base.branch))
        return asked if isinstance(asked, Unknown) else _add_up_to_date(asked, pull)
    required = evolve(
        NOTHING, required_checks=list_required(list_rows((raw["statusCheckRollup"] or {}).get("contexts")))
    )
    return _add_up_to_date(combine_rules(found, required), pull)


def _map_rules(pull: PullRequest, raw: Raw) -> BranchRules | None:
    """Read what GraphQL tells; None where there may be more.

    A writer is shown a classic protection, so that none is there where rulesets explain that the branch is protected.
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
        # Its queue is the one that was added above.
        named = evolve(classic, merge_queue=False, sources=(f"branch protection {pull.base.branch}",))
        return combine_rules(named, rules)
    return rules if raw["viewerPermission"] in WRITERS and rules.sources else None


def _add_up_to_date(rules: BranchRules, pull: PullRequest) -> BranchRules:
    """Add what GitHub's own word gives away: it says `behind` only where the head must hold all of the base."""
    return evolve(rules, up_to_date=True) if pull.forge_state == BEHIND_STATE else rules


async def _read_behind(forge: "Forge", pull: PullRequest) -> Maybe[int]:
    """Compare the branches, or where the head's may be gone or another by now, the base with the commit itself."""
    if pull.head.repository is not None and pull.state == "open":
        try:
            compared = await _compare(forge, pull, pull.head.repository)
        except RateLimited:
            raise
        except ForgeError:  # a wrong branch is an error in the whole answer
            compared = None
        if compared is not None:
            return compared
    found = await or_unknown(forge.changes.compare(pull.ref.repository, pull.base.branch, pull.head.commit))
    return found if isinstance(found, Unknown) else found.behind


async def _compare(forge: "Forge", pull: PullRequest, source: RepositoryRef) -> int | None:
    repository, head = pull.ref.repository, pull.head.branch
    place = {"owner": repository.namespace, "name": repository.name}
    ends = {"base": f"refs/heads/{pull.base.branch}", "head": f"{source.namespace}:{head}" if pull.from_fork else head}
    data = await execute_graphql(forge, BEHIND, place | ends)
    compared = ((data["repository"] or {}).get("ref") or {}).get("compare") or {}
    found: int | None = compared.get("behindBy")
    return found
