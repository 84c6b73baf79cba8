"""The call that has the whole of what other answers cut."""

from stithy_core.spi import PullRequestRef


def whole(ref: PullRequestRef, method: str, said: int | str, *, alias: str = "") -> str:
    """Write the call that reads one text whole, in as many pages as it needs.

    Args:
        ref: The pull request.
        method: get_comments, get_reviews or get_review_comments, or get for the description.
        said: The id of the comment, review or review comment; of the description, the pull request's number.
        alias: That of the forge, where several may have the repository.
    """
    owner = f"{alias}:{ref.repository.namespace}" if alias else ref.repository.namespace
    where = f"owner={owner} repo={ref.repository.name} pullNumber={ref.number}"
    return f"pull_request_read {where} method={method} id={said}"
