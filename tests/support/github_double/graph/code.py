"""Repositories, commits and comparisons in the graph."""

from __future__ import annotations

from typing import Any

from github_double import git, records
from github_double.checks import combine_all
from github_double.graph import branches, checks, pulls
from github_double.graph.core import Node, connection, refuse
from github_double.graph.people import Actor, actor
from github_double.readiness import list_rules
from github_double.records import Pull
from github_double.rest.routing import node, time


class Repository(Node):
    """A repository."""

    record: records.Repository

    prefix = "R"

    def database_id(self) -> int:
        return self.record.id

    def name(self) -> str:
        return self.record.name

    def name_with_owner(self) -> str:
        return self.record.full_name

    def owner(self) -> Actor | None:
        return actor(self.view, self.record.owner)

    def url(self) -> str:
        return self.html(f"/{self.record.full_name}")

    def is_archived(self) -> bool:
        return self.record.archived

    def is_private(self) -> bool:
        return self.record.private

    def is_fork(self) -> bool:
        return self.record.parent is not None

    def parent(self) -> Repository | None:
        return self.of(Repository, self.record.parent)

    def viewer_permission(self) -> str | None:
        grants = ("admin", "maintain", "write", "triage", "read")
        return next(one.upper() for one in grants if self.record.allows(self.view.viewer, one))

    def default_branch_ref(self) -> branches.Ref | None:
        return self.ref(qualified_name=self.record.default_branch)

    def merge_queue(self, branch: str | None = None) -> dict[str, Any] | None:
        """Show the queue that a ruleset demands."""
        found = list_rules(self.record, branch or self.record.default_branch, "merge_queue")
        return {"id": node("MQ", self.record.id)} if found else None

    def pull_request(self, number: int) -> pulls.PullRequest | None:
        found = self.record.issues.get(number)
        if not isinstance(found, Pull):
            raise refuse("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return self.of(pulls.PullRequest, found)

    def issue_or_pull_request(self, number: int) -> pulls.Issue | None:
        found = self.record.issues.get(number)
        if found is None:
            raise refuse("NOT_FOUND", f"Could not resolve to an issue or pull request with the number of {number}.")
        return self.of(pulls.PullRequest if isinstance(found, Pull) else pulls.Issue, found)

    def ref(self, qualified_name: str) -> branches.Ref | None:
        name = qualified_name.removeprefix("refs/heads/")
        return branches.Ref(self.view, (self.record, name)) if name in self.record.branches else None

    def object(self, oid: str | None = None, expression: str | None = None) -> Commit | None:
        sha = self.view.world.resolve(self.record, oid or expression or "")
        return Commit(self.view, self.view.world.commits[sha]) if sha else None


class Commit(Node):
    """A commit; its checks are looked for in every repository, since an id says no more."""

    record: records.Commit

    def id(self) -> str:
        return node("C", int(self.record.sha[:8], 16))

    def oid(self) -> str:
        return self.record.sha

    def abbreviated_oid(self) -> str:
        return self.record.sha[:7]

    def message(self) -> str:
        return self.record.message

    def message_headline(self) -> str:
        return self.record.message.split("\n")[0]

    def authored_date(self) -> str | None:
        return time(self.record.at)

    committed_date = authored_date

    def author(self) -> dict[str, Any]:
        who = actor(self.view, self.record.author)
        return {"name": self.record.name, "email": self.record.email, "date": time(self.record.at), "user": who}

    committer = author

    def signature(self) -> GpgSignature | None:
        return GpgSignature(self.view, self.record) if self.record.signed else None

    def parents(self, **place: Any) -> dict[str, Any]:
        return connection((Commit(self.view, self.view.world.commits[sha]) for sha in self.record.parents), **place)

    def home(self) -> records.Repository:
        """Find where it was checked, else any repository."""
        repositories = list(self.view.world.repositories.values())
        checked = (one for one in repositories if combine_all(one, self.record.sha))
        return next(checked, repositories[0])

    def url(self) -> str:
        return self.html(f"/{self.home().full_name}/commit/{self.record.sha}")

    def status_check_rollup(self) -> checks.StatusCheckRollup | None:
        return checks.StatusCheckRollup(self.view, self.record) if combine_all(self.home(), self.record.sha) else None


class GpgSignature(Node):
    """A commit's signature."""

    record: records.Commit

    def is_valid(self) -> bool:
        return True


class Comparison(Node):
    """Two commits side by side: the base and the head."""

    record: tuple[str, str]

    def ahead_by(self) -> int:
        return len(git.list_between(self.view.world.commits, *self.record))

    def behind_by(self) -> int:
        return len(git.list_between(self.view.world.commits, *self.record[::-1]))

    def status(self) -> str:
        ahead, behind = self.ahead_by(), self.behind_by()
        return "DIVERGED" if ahead and behind else "AHEAD" if ahead else "BEHIND" if behind else "IDENTICAL"
