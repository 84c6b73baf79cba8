"""What a merge depends on, from one GraphQL query and a second one for the distance to the base.

A part that is longer than a page, or that GraphQL refuses and REST may answer, is read by its capability; without
GraphQL every part is. A part that fails on its own is unknown, with the reason, and the other parts stay.
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
    is_complete,
    list_owners,
    list_required,
    list_rows,
    to_checks,
    to_commit_row,
    to_may_merge,
    to_pull_request_row,
    to_queued,
    to_review_row,
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
"""An error carries at most so many of GraphQL's errors; with as many, others may be missing."""

Raw = Mapping[str, Any]
Failures = Mapping[str, Unknown]
"""Why parts of the answer are missing, by field; `SUBJECT` stands for fields of the pull request itself."""


async def read_readiness(forge: "Forge", pr: PullRequestRef) -> Readiness:
    """Return everything that a merge depends on.

    Raises:
        NotFound: There is no such pull request.
        RateLimited: The rate limit of REST or of GraphQL is exhausted.
    """
    failures: Failures | None = {}
    try:
        data = await execute_graphql(forge, READINESS, reference_variables(pr))
    except RateLimited:
        raise
    except ForgeError as error:
        data, failures = error.details.get("data"), parse_failures(error)
    repository = (data or {}).get("repository") or {}
    raw = repository.get("pullRequest")
    if raw is None or failures is None:
        return await composed_readiness(forge, pr)
    raw = {**raw, "viewerPermission": repository.get("viewerPermission")}
    pull = await forge.pull_requests.get(pr) if SUBJECT in failures else to_pull_request(to_pull_request_row(raw), pr)
    whole = await _read_parts(forge, pull, raw, failures)
    return evolve(whole, may_merge=failures.get("baseRef", to_may_merge(raw)))


def parse_failures(error: ForgeError) -> Failures | None:
    """Return the parts that an error in GraphQL's answer leaves out; None if the errors do not name all of them."""
    errors = error.details.get("errors") or ()
    if TOO_HEAVY in error.details.get("types", ()):
        return None  # smaller queries can answer everything
    if not errors or len(errors) >= MOST_ERRORS or not all(row.get("path", ())[:2] == PULL_REQUEST for row in errors):
        return None
    failures = {}
    for row in errors:
        part = next((step for step in row["path"][2:3] if step in PARTS), SUBJECT)
        failures[part] = Unknown(row["message"], error.suggestion)
    return failures


async def _read_parts(forge: "Forge", pull: PullRequest, raw: Raw, failures: Failures) -> Readiness:
    reviews, threads, checks, rules, behind, commits = await run_concurrently(
        lambda: _read_reviews(forge, pull.ref, raw, failures),
        lambda: _read_threads(forge, pull.ref, raw, failures),
        lambda: _read_checks(forge, pull, raw, failures),
        lambda: _read_rules(forge, pull, raw, failures),
        lambda: _read_behind(forge, pull),
        lambda: _read_commits(forge, pull.ref, raw, failures),
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


async def _read_reviews(forge: "Forge", pr: PullRequestRef, raw: Raw, failures: Failures) -> Maybe[Listing[Review]]:
    if "reviews" in failures:
        return failures["reviews"]
    if not is_complete(raw["reviews"]):
        return await or_unknown(forge.reviews.list(pr))
    rows = list_rows(raw["reviews"])
    return Listing(tuple(to_review(to_review_row(row, pr.number)) for row in rows), total=len(rows))


async def _read_threads(forge: "Forge", pr: PullRequestRef, raw: Raw, failures: Failures) -> Maybe[Listing[Thread]]:
    if "reviewThreads" in failures:
        return failures["reviewThreads"]
    if not is_complete(raw["reviewThreads"]):
        return await or_unknown(forge.threads.list(pr))
    return await read_remaining_threads(forge, pr, raw["reviewThreads"])


async def _read_checks(forge: "Forge", pull: PullRequest, raw: Raw, failures: Failures) -> Maybe[Listing[CommitCheck]]:
    """Return the checks; a token that may not read check runs may still read jobs and statuses by REST."""
    contexts = (raw["statusCheckRollup"] or {}).get("contexts")
    if "statusCheckRollup" in failures or (contexts and not is_complete(contexts)):
        return await or_unknown(forge.checks.list(pull.ref.repository, pull.head.commit, pr=pull.ref))
    checks = to_checks(list_rows(contexts))
    return Listing(checks, total=len(checks))


async def _read_commits(forge: "Forge", pr: PullRequestRef, raw: Raw, failures: Failures) -> Maybe[Listing[Commit]]:
    if "commits" in failures:
        return failures["commits"]
    if not is_complete(raw["commits"]):
        return await or_unknown(forge.changes.commits(pr))
    rows = [to_commit_row(row["commit"]) for row in list_rows(raw["commits"])]
    return Listing(tuple(map(to_commit, rows)), total=len(rows))


async def _read_rules(forge: "Forge", pull: PullRequest, raw: Raw, failures: Failures) -> Maybe[BranchRules]:
    """Return the rules from GraphQL if it shows all of them, as it does to writers; else from REST."""
    rules = None if "baseRef" in failures else _map_rules(pull, raw)
    if rules is None:
        rest = await or_unknown(forge.rules.get(pull.ref.repository, pull.base.branch, pr=pull.ref))
        return rest if isinstance(rest, Unknown) else _add_up_to_date(rest, pull)
    contexts = list_rows((raw["statusCheckRollup"] or {}).get("contexts"))
    required = evolve(NOTHING, required_checks=list_required(contexts))
    return _add_up_to_date(combine_rules(rules, required), pull)


def _map_rules(pull: PullRequest, raw: Raw) -> BranchRules | None:
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


def _add_up_to_date(rules: BranchRules, pull: PullRequest) -> BranchRules:
    """Set `up_to_date` if GitHub's state is `behind`, which it reports only if the rules require it."""
    return evolve(rules, up_to_date=True) if pull.forge_state == BEHIND_STATE else rules


async def _read_behind(forge: "Forge", pull: PullRequest) -> Maybe[int]:
    """Return how many commits the head is behind the base; by the commit if the head's branch may have changed."""
    if pull.head.repository is not None and pull.state == "open":
        try:
            behind = await _compare(forge, pull, pull.head.repository)
        except RateLimited:
            raise
        except ForgeError:  # for a missing branch the whole answer is an error
            behind = None
        if behind is not None:
            return behind
    comparison = await or_unknown(forge.changes.compare(pull.ref.repository, pull.base.branch, pull.head.commit))
    return comparison if isinstance(comparison, Unknown) else comparison.behind


async def _compare(forge: "Forge", pull: PullRequest, source: RepositoryRef) -> int | None:
    repository, head = pull.ref.repository, pull.head.branch
    names = {"owner": repository.namespace, "name": repository.name}
    refs = {"base": f"refs/heads/{pull.base.branch}", "head": f"{source.namespace}:{head}" if pull.from_fork else head}
    data = await execute_graphql(forge, BEHIND, names | refs)
    comparison = ((data["repository"] or {}).get("ref") or {}).get("compare") or {}
    behind: int | None = comparison.get("behindBy")
    return behind
