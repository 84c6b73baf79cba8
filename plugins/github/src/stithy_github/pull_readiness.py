"""What a merge depends on, from one GraphQL query and a second one for the distance to the base.

A part that is longer than a page, or that GraphQL refuses and REST may answer, is read by its capability; without
GraphQL every part is. A part that fails on its own is unknown, with the reason, and the other parts stay.
"""

from typing import TYPE_CHECKING

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
from stithy_github.graphql_client import execute_graphql
from stithy_github.pull_request_query import (
    Failures,
    QueriedPullRequest,
    Raw,
    add_up_to_date,
    map_checks,
    map_rules,
    query_pull_request,
)
from stithy_github.readiness_mapping import (
    is_complete,
    list_owners,
    list_rows,
    to_commit_row,
    to_may_merge,
    to_queued,
    to_review_row,
)
from stithy_github.readiness_queries import BEHIND, READINESS
from stithy_github.threads_pages import read_remaining_threads

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def read_readiness(forge: "Forge", pr: PullRequestRef) -> Readiness:
    """Return everything that a merge depends on.

    Raises:
        NotFound: There is no such pull request.
        RateLimited: The rate limit of REST or of GraphQL is exhausted.
    """
    queried = await query_pull_request(forge, READINESS, pr)
    if queried is None:
        return await composed_readiness(forge, pr)
    whole = await _read_parts(forge, queried)
    return evolve(whole, may_merge=queried.failures.get("baseRef", to_may_merge(queried.raw)))


async def _read_parts(forge: "Forge", queried: QueriedPullRequest) -> Readiness:
    pull, raw, failures = queried.pull, queried.raw, queried.failures
    reviews, threads, checks, rules, behind, commits, children = await run_concurrently(
        lambda: _read_reviews(forge, pull.ref, raw, failures),
        lambda: _read_threads(forge, pull.ref, raw, failures),
        lambda: _read_checks(forge, queried),
        lambda: _read_rules(forge, queried),
        lambda: _read_behind(forge, pull),
        lambda: _read_commits(forge, pull.ref, raw, failures),
        lambda: _read_children(forge, pull),
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
        children=children,
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


async def _read_checks(forge: "Forge", queried: QueriedPullRequest) -> Maybe[Listing[CommitCheck]]:
    checks, pull = map_checks(queried), queried.pull
    if checks is None:
        return await or_unknown(forge.checks.list(pull.ref.repository, pull.head.commit, pr=pull.ref))
    return checks


async def _read_commits(forge: "Forge", pr: PullRequestRef, raw: Raw, failures: Failures) -> Maybe[Listing[Commit]]:
    if "commits" in failures:
        return failures["commits"]
    if not is_complete(raw["commits"]):
        return await or_unknown(forge.changes.commits(pr))
    rows = [to_commit_row(row["commit"]) for row in list_rows(raw["commits"])]
    return Listing(tuple(map(to_commit, rows)), total=len(rows))


async def _read_children(forge: "Forge", pull: PullRequest) -> Maybe[Listing[PullRequest]] | None:
    """Return the open pull requests into the head branch; None while callers ask again, until GitHub has tried a merge.

    Into the branch of a fork none can be opened here.
    """
    if pull.state != "open" or pull.from_fork:
        return Listing()
    if isinstance(pull.mergeable, Unknown):
        return None
    return await or_unknown(forge.pull_requests.list(pull.ref.repository, base=pull.head.branch))


async def _read_rules(forge: "Forge", queried: QueriedPullRequest) -> Maybe[BranchRules]:
    """Return the rules from GraphQL if it shows all of them; else from REST."""
    rules, pull = map_rules(queried), queried.pull
    if rules is None:
        rest = await or_unknown(forge.rules.get(pull.ref.repository, pull.base.branch, pr=pull.ref))
        return rest if isinstance(rest, Unknown) else add_up_to_date(rest, pull)
    return rules


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
