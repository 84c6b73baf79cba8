"""Threads, their comments and reviews in the graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from github_double import records
from github_double.graph import code, pulls
from github_double.graph.core import Node, View, connection
from github_double.graph.people import Actor, Written, actor
from github_double.readiness import may_push
from github_double.records import REACTIONS
from github_double.rest.routing import time
from github_double.review import list_visible_comments

THUMBS = {"+1": "THUMBS_UP", "-1": "THUMBS_DOWN"}


class PullRequestReviewThread(Node):
    """A conversation at a place in the diff."""

    record: records.Thread

    prefix = "PRRT"

    def pull_request(self) -> pulls.PullRequest | None:
        return self.of(pulls.PullRequest, self.record.pull)

    def is_resolved(self) -> bool:
        return self.record.resolved_by is not None

    def resolved_by(self) -> Actor | None:
        return actor(self.view, self.record.resolved_by)

    def is_outdated(self) -> bool:
        return self.record.outdated

    def is_collapsed(self) -> bool:
        return self.is_resolved()

    def path(self) -> str:
        return self.record.path

    def line(self) -> int | None:
        return self.record.line

    def start_line(self) -> int | None:
        return None if self.record.outdated else self.record.start_line

    def original_line(self) -> int | None:
        return self.record.original_line

    def original_start_line(self) -> int | None:
        return self.record.start_line

    def diff_side(self) -> str:
        return self.record.side

    def start_diff_side(self) -> str | None:
        return self.record.side if self.record.start_line else None

    def subject_type(self) -> str:
        return self.record.subject.upper()

    def comments(self, **place: Any) -> dict[str, Any]:
        shown = list_visible_comments(self.record, self.view.viewer)
        return connection((PullRequestReviewComment(self.view, one) for one in shown), **place)

    def viewer_can_reply(self) -> bool:
        return not self.record.pull.repository.archived

    def viewer_can_resolve(self) -> bool:
        return self.may_resolve() and not self.is_resolved()

    def viewer_can_unresolve(self) -> bool:
        return self.may_resolve() and self.is_resolved()

    def may_resolve(self) -> bool:
        """Return whether the viewer may resolve it: the pull request's author, or with write permission."""
        pull = self.record.pull
        return pull.user is self.view.viewer or pull.repository.allows(self.view.viewer, "write")


class PullRequestReviewComment(Written):
    """One comment of a thread."""

    record: records.ReviewComment

    prefix = "PRRC"

    def home(self) -> records.Repository:
        return self.record.thread.pull.repository

    def pull_request(self) -> pulls.PullRequest | None:
        return self.of(pulls.PullRequest, self.record.thread.pull)

    def pull_request_review(self) -> PullRequestReview | None:
        return self.of(PullRequestReview, self.record.review)

    def state(self) -> str:
        pending = self.record.review is not None and self.record.review.state == "PENDING"
        return "PENDING" if pending else "SUBMITTED"

    def reply_to(self) -> PullRequestReviewComment | None:
        root = self.record.thread.comments[0]
        return None if root is self.record else self.of(PullRequestReviewComment, root)

    def outdated(self) -> bool:
        return self.record.thread.outdated

    def path(self) -> str:
        return self.record.thread.path

    def line(self) -> int | None:
        return self.record.thread.line

    def reaction_groups(self) -> list[ReactionGroup]:
        return count_reactions(self.view, self.record.reactions)

    def diff_hunk(self) -> str:
        return self.record.thread.hunk

    def original_commit(self) -> code.Commit | None:
        return self.of(code.Commit, self.view.world.commits[self.record.commit])

    def commit(self) -> code.Commit | None:
        return self.of(code.Commit, self.view.world.commits[self.record.thread.pull.head_sha])

    def url(self) -> str:
        pull = self.record.thread.pull
        return self.html(f"/{pull.repository.full_name}/pull/{pull.number}#discussion_r{self.record.id}")


class ReactionGroup(Node):
    """An emoji and how many gave it."""

    record: tuple[str, int]

    def content(self) -> str:
        return THUMBS.get(self.record[0], self.record[0].upper())

    def reactors(self, **place: Any) -> dict[str, Any]:
        return connection([None] * self.record[1], **place)


def count_reactions(view: View, reactions: Mapping[str, int]) -> list[ReactionGroup]:
    """Count each of the eight emoji, whether anybody gave it or not."""
    return [ReactionGroup(view, (word, reactions.get(word, 0))) for word in REACTIONS]


class PullRequestReview(Written):
    """A verdict."""

    record: records.Review

    prefix = "PRR"

    def home(self) -> records.Repository:
        return self.pull().repository

    def pull(self) -> records.Pull:
        return next(pull for pull in self.view.world.pulls() if self.record in pull.reviews)

    def pull_request(self) -> pulls.PullRequest | None:
        return self.of(pulls.PullRequest, self.pull())

    def state(self) -> str:
        return self.record.state

    def author_can_push_to_repository(self) -> bool:
        return may_push(self.pull(), self.record.user)

    def submitted_at(self) -> str | None:
        return time(self.record.submitted_at)

    def updated_at(self) -> str | None:
        return time(self.record.submitted_at or self.record.created_at)

    def commit(self) -> code.Commit | None:
        return self.of(code.Commit, self.view.world.commits[self.record.commit])

    def url(self) -> str:
        pull = self.pull()
        return self.html(f"/{pull.repository.full_name}/pull/{pull.number}#pullrequestreview-{self.record.id}")
