"""The details of a pull request: result of method `get`."""

from collections.abc import Iterator
from datetime import datetime
from typing import Annotated

from attrs import frozen

from stithy_comments.text_format import format_time
from stithy_core.spi import BranchRef, Maybe, Meta, PullRequest, Unknown, excerpt


@frozen(kw_only=True)
class BranchEnd:
    """The head or base of a pull request; without a repository if that was deleted."""

    branch: Annotated[str, Meta(cut=False)]
    commit: str | None
    repository: Annotated[str | None, Meta(cut=False)]


@frozen(kw_only=True)
class PullRequestDetails:
    """The details of a pull request.

    Args:
        body: The description.
        mergeable: Whether the forge finds no merge conflict.
        requested_reviewers: Logins of requested reviewers who have not reviewed.
        comments: Number of comments in the general conversation.
        additions: Number of lines added.
    """

    title: str
    body: Annotated[str, Meta(cut=True, rest="the same call with the pull request's number as id")]
    state: str
    draft: Maybe[bool]
    merged: bool
    mergeable: Maybe[bool]
    author: str
    head: BranchEnd
    base: BranchEnd
    labels: tuple[str, ...]
    requested_reviewers: Maybe[tuple[str, ...]]
    requested_teams: tuple[str, ...] | None
    comments: Maybe[int]
    additions: Maybe[int]
    deletions: Maybe[int]
    changed_files: Maybe[int]
    created_at: datetime
    updated_at: Maybe[datetime]
    closed_at: datetime | None
    merged_at: datetime | None
    url: str

    def lines(self) -> Iterator[str]:
        """Iterate over the lines of text."""
        draft = ", draft" if self.draft is True else ""
        state = "merged" if self.merged else self.state
        yield self.title
        yield f"{state}{draft}, {_format_end(self.head)} into {_format_end(self.base)}, by {self.author}"
        if not isinstance(self.mergeable, Unknown):
            yield "mergeable" if self.mergeable else "not mergeable"
        if self.labels:
            yield f"labels: {', '.join(self.labels)}"
        reviewers = () if isinstance(self.requested_reviewers, Unknown) else self.requested_reviewers
        if reviewers or self.requested_teams:
            yield f"review requested of {', '.join((*reviewers, *(self.requested_teams or ())))}"
        yield from self._counts()
        updated = "" if isinstance(self.updated_at, Unknown) else f", updated {format_time(self.updated_at)}"
        yield f"created {format_time(self.created_at)}{updated}, {self.url}"
        if self.body:
            yield excerpt(self.body, 1_000)

    def _counts(self) -> Iterator[str]:
        counts = {
            "comments": self.comments,
            "changed files": self.changed_files,
            "lines added": self.additions,
            "lines deleted": self.deletions,
        }
        if known := [f"{count} {name}" for name, count in counts.items() if not isinstance(count, Unknown)]:
            yield ", ".join(known)


def create_details(pull: PullRequest) -> PullRequestDetails:
    """Create the details of a pull request."""
    reviewers = pull.requested_reviewers
    return PullRequestDetails(
        title=pull.title,
        body=pull.body,
        state=pull.state,
        draft=pull.draft,
        merged=pull.merged,
        mergeable=pull.mergeable,
        author=pull.author.login,
        head=_create_end(pull.head),
        base=_create_end(pull.base),
        labels=tuple(label.name for label in pull.labels),
        requested_reviewers=reviewers if isinstance(reviewers, Unknown) else tuple(user.login for user in reviewers),
        requested_teams=pull.requested_teams or None,
        comments=pull.comment_count,
        additions=pull.additions,
        deletions=pull.deletions,
        changed_files=pull.changed_files,
        created_at=pull.created_at,
        updated_at=pull.updated_at,
        closed_at=pull.closed_at,
        merged_at=pull.merged_at,
        url=pull.url,
    )


def _create_end(tip: BranchRef) -> BranchEnd:
    repository = None if tip.repository is None else str(tip.repository)
    return BranchEnd(branch=tip.branch, commit=tip.commit or None, repository=repository)


def _format_end(end: BranchEnd) -> str:
    place = f"{end.repository}:{end.branch}" if end.repository else end.branch
    return f"{place} ({end.commit[:10]})" if end.commit else place
