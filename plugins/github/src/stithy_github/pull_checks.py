"""A pull request and its checks from one GraphQL query; what it lacks is read by REST."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from stithy_core.spi import (
    NOT_REPORTED,
    Annotation,
    CommitCheck,
    Listing,
    PullRequest,
    PullRequestChecks,
    PullRequestRef,
)
from stithy_github.checks_mapping import to_annotation
from stithy_github.pull_request_query import QueriedPullRequest, map_checks, map_rules, query_pull_request
from stithy_github.readiness_mapping import is_complete, list_rows, to_annotation_row
from stithy_github.readiness_queries import CHECKS

if TYPE_CHECKING:
    from stithy_core.spi import Forge


async def read_pull_checks(forge: "Forge", pr: PullRequestRef) -> PullRequestChecks:
    """Return a pull request with its checks, their annotations, and the rules that GraphQL shows to writers.

    Raises:
        NotFound: There is no such pull request.
        Forbidden: The token may read none of the checks.
    """
    # GraphQL answers nobody without a token.
    queried = await query_pull_request(forge, CHECKS, pr) if await forge.token_identity() else None
    if queried is None:
        pull = await forge.pull_requests.get(pr)
        return PullRequestChecks(pull_request=pull, checks=await _list_checks(forge, pull))
    checks, rules = map_checks(queried), map_rules(queried)
    return PullRequestChecks(
        pull_request=queried.pull,
        checks=await _list_checks(forge, queried.pull) if checks is None else checks,
        annotations=_map_annotations(queried),
        rules=NOT_REPORTED if rules is None else rules,
    )


async def _list_checks(forge: "Forge", pull: PullRequest) -> Listing[CommitCheck]:
    return await forge.checks.list(pull.ref.repository, pull.head.commit, pr=pull.ref)


def _map_annotations(queried: QueriedPullRequest) -> Mapping[str, Listing[Annotation]]:
    """Return the annotations by the id of their check run, of those whose annotations are complete."""
    annotations = {}
    for row in list_rows(queried.contexts):
        notes = row.get("notes")
        if notes and is_complete(notes):
            rows = [to_annotation(to_annotation_row(note)) for note in list_rows(notes)]
            annotations[str(row["databaseId"])] = Listing(tuple(rows), total=len(rows))
    return annotations
