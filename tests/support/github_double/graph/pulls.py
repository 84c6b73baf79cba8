"""Pull requests in the graph."""

from __future__ import annotations

from typing import Any

from github_double import records
from github_double.graph import branches, checks, code, threads
from github_double.graph.core import Node, View, connection
from github_double.graph.people import Actor, Written, actor
from github_double.readiness import compute_state, decide, list_decisions, list_rules, read_mergeable
from github_double.records import Pull
from github_double.rest.routing import node, time
from github_double.review import is_visible, list_visible_comments


class Issue(Written):
    """An issue, or a pull request as the conversation that it is, too."""

    record: records.Issue

    prefix = "I"

    def comments(self, order_by: Any = None, **place: Any) -> dict[str, Any]:
        return connection((IssueComment(self.view, (self.record, one)) for one in self.record.comments), **place)


class PullRequest(Issue):
    """A pull request."""

    record: records.Pull

    prefix = "PR"

    def number(self) -> int:
        return self.record.number

    def title(self) -> str:
        return self.record.title

    def url(self) -> str:
        return self.html(f"/{self.record.repository.full_name}/pull/{self.record.number}")

    permalink = url

    def state(self) -> str:
        return "MERGED" if self.record.merged_at else self.record.state.upper()

    def closed(self) -> bool:
        return self.record.state == "closed"

    def closed_at(self) -> str | None:
        return time(self.record.closed_at)

    def locked(self) -> bool:
        return self.record.locked

    def active_lock_reason(self) -> None:
        return None

    def is_draft(self) -> bool:
        return self.record.draft

    def merged(self) -> bool:
        return self.record.merged_at is not None

    def merged_at(self) -> str | None:
        return time(self.record.merged_at)

    def merged_by(self) -> Actor | None:
        return actor(self.view, self.record.merged_by)

    def merge_commit(self) -> code.Commit | None:
        sha = self.record.merge_commit
        return code.Commit(self.view, self.view.world.commits[sha]) if sha else None

    def mergeable(self) -> str:
        words = {True: "MERGEABLE", False: "CONFLICTING", None: "UNKNOWN"}
        return words[read_mergeable(self.record)]

    def merge_state_status(self) -> str:
        """Return the state. As in REST, reading it starts the search for conflicts; queries read `mergeable` first."""
        found = compute_state(self.view.world, self.record).upper()
        self.record.computing = max(0, self.record.computing - 1)
        return found

    def review_decision(self) -> str | None:
        return decide(self.record)

    def repository(self) -> code.Repository | None:
        return self.of(code.Repository, self.record.repository)

    base_repository = repository

    def head_repository(self) -> code.Repository | None:
        return self.of(code.Repository, self.record.head_repository)

    def is_cross_repository(self) -> bool:
        return self.record.head_repository is not self.record.repository

    def base_ref_name(self) -> str:
        return self.record.base

    def base_ref_oid(self) -> str:
        return self.record.base_sha

    def base_ref(self) -> branches.Ref | None:
        return self._ref(self.record.repository, self.record.base)

    def head_ref_name(self) -> str:
        return self.record.head

    def head_ref_oid(self) -> str:
        return self.record.head_sha

    def head_ref(self) -> branches.Ref | None:
        return self._ref(self.record.head_repository, self.record.head)

    def _ref(self, repository: records.Repository | None, branch: str) -> branches.Ref | None:
        there = repository is not None and branch in repository.branches
        return branches.Ref(self.view, (repository, branch)) if there else None

    def _sum_changes(self, name: str) -> int:
        return sum(getattr(change, name) for change in self.view.world.changes_of(self.record))

    def additions(self) -> int:
        return self._sum_changes("additions")

    def deletions(self) -> int:
        return self._sum_changes("deletions")

    def changed_files(self) -> int:
        return len(self.view.world.changes_of(self.record))

    def total_comments_count(self) -> int:
        return len(self.record.comments) + len(self.record.review_comments)

    def auto_merge_request(self) -> dict[str, Any] | None:
        return {"enabled_at": time(self.record.updated_at)} if self.record.auto_merge else None

    def is_in_merge_queue(self) -> bool:
        return self.record.queued is not None

    def merge_queue_entry(self) -> dict[str, Any] | None:
        place = self.record.queued
        return place and {"id": node("MQE", self.record.id), "position": place[0], "state": place[1]}

    def is_merge_queue_enabled(self) -> bool:
        return bool(list_rules(self.record.repository, self.record.base, "merge_queue"))

    def maintainer_can_modify(self) -> bool:
        return False

    def milestone(self) -> None:
        return None

    def commits(self, **place: Any) -> dict[str, Any]:
        found = self.view.world.commits_of(self.record)
        return connection((PullRequestCommit(self.view, (self.record, one)) for one in found), **place)

    def status_check_rollup(self) -> checks.StatusCheckRollup | None:
        return code.Commit(self.view, self.view.world.commits[self.record.head_sha]).status_check_rollup()

    def labels(self, **place: Any) -> dict[str, Any]:
        return connection((_show_label(one) for one in self.record.labels), **place)

    def assignees(self, **place: Any) -> dict[str, Any]:
        return connection((actor(self.view, one) for one in self.record.assignees), **place)

    def review_requests(self, **place: Any) -> dict[str, Any]:
        asked: list[tuple[str, Node | None]] = [(one.login, actor(self.view, one)) for one in self.record.reviewers]
        asked += [(slug, Team(self.view, slug)) for slug in self.record.teams]
        return connection(
            ({"requested_reviewer": one, "as_code_owner": name in self.record.owners} for name, one in asked), **place
        )

    def reviews(self, states: list[str] | None = None, author: Any = None, **place: Any) -> dict[str, Any]:
        found = [one for one in self.record.reviews if is_visible(one, self.view.viewer)]
        found = [one for one in found if states is None or one.state in states]
        return connection((threads.PullRequestReview(self.view, one) for one in found), **place)

    def latest_opinionated_reviews(self, writers_only: Any = None, **place: Any) -> dict[str, Any]:
        return connection((threads.PullRequestReview(self.view, one) for one in list_decisions(self.record)), **place)

    def review_threads(self, **place: Any) -> dict[str, Any]:
        shown = [one for one in self.record.threads if list_visible_comments(one, self.view.viewer)]
        return connection((threads.PullRequestReviewThread(self.view, one) for one in shown), **place)


def _show_label(label: records.Label) -> dict[str, Any]:
    return {"name": label.name, "color": label.color, "id": node("LA", label.id), "description": label.description}


class PullRequestCommit(Node):
    """A commit of a pull request."""

    record: tuple[records.Pull, records.Commit]

    def id(self) -> str:
        return node("PURC", self.record[0].id)

    def commit(self) -> code.Commit | None:
        return self.of(code.Commit, self.record[1])


class IssueComment(Written):
    """A comment of a conversation; the record is the issue or pull request and the comment."""

    prefix = "IC"
    subject: records.Issue

    def __init__(self, view: View, pair: tuple[records.Issue, records.Comment]) -> None:
        super().__init__(view, pair[1])
        object.__setattr__(self, "subject", pair[0])

    def home(self) -> records.Repository:
        return self.subject.repository

    def reaction_groups(self) -> list[threads.ReactionGroup]:
        return threads.count_reactions(self.view, self.record.reactions)

    def url(self) -> str:
        kind = "pull" if isinstance(self.subject, Pull) else "issues"
        return self.html(f"/{self.home().full_name}/{kind}/{self.subject.number}#issuecomment-{self.record.id}")


class Team(Node):
    """A team that is asked for a review: its slug."""

    record: str

    def id(self) -> str:
        return node("T", 77)

    def slug(self) -> str:
        return self.record

    def name(self) -> str:
        return self.record.title()

    def combined_slug(self) -> str:
        return f"forge/{self.record}"
