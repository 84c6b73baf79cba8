"""Repositories, commits and comparisons in the graph."""

from github_double import git
from github_double.checks import combine_all
from github_double.graph import branches, checks, pulls
from github_double.graph.core import Node, connection, refuse
from github_double.graph.people import actor
from github_double.readiness import list_rules
from github_double.records import Pull
from github_double.rest.routing import node, time


class Repository(Node):
    """A repository."""

    prefix = "R"

    def database_id(self):
        return self.record.id

    def name(self):
        return self.record.name

    def name_with_owner(self):
        return self.record.full_name

    def owner(self):
        return actor(self.view, self.record.owner)

    def url(self):
        return self.html(f"/{self.record.full_name}")

    def is_archived(self):
        return self.record.archived

    def is_private(self):
        return self.record.private

    def is_fork(self):
        return self.record.parent is not None

    def parent(self):
        return self.of(Repository, self.record.parent)

    def viewer_permission(self):
        grants = ("admin", "maintain", "write", "triage", "read")
        return next(one.upper() for one in grants if self.record.allows(self.view.viewer, one))

    def default_branch_ref(self):
        return self.ref(qualified_name=self.record.default_branch)

    def merge_queue(self, branch=None):
        """Show the queue that a ruleset demands."""
        found = list_rules(self.record, branch or self.record.default_branch, "merge_queue")
        return {"id": node("MQ", self.record.id)} if found else None

    def pull_request(self, number):
        found = self.record.issues.get(number)
        if not isinstance(found, Pull):
            raise refuse("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return self.of(pulls.PullRequest, found)

    def issue_or_pull_request(self, number):
        found = self.record.issues.get(number)
        if found is None:
            raise refuse("NOT_FOUND", f"Could not resolve to an issue or pull request with the number of {number}.")
        return self.of(pulls.PullRequest if isinstance(found, Pull) else pulls.Issue, found)

    def ref(self, qualified_name):
        name = qualified_name.removeprefix("refs/heads/")
        return branches.Ref(self.view, (self.record, name)) if name in self.record.branches else None

    def object(self, oid=None, expression=None):
        sha = self.view.world.resolve(self.record, oid or expression)
        return sha and Commit(self.view, self.view.world.commits[sha])


class Commit(Node):
    """A commit; its checks are looked for in every repository, since an id says no more."""

    def id(self):
        return node("C", int(self.record.sha[:8], 16))

    def oid(self):
        return self.record.sha

    def abbreviated_oid(self):
        return self.record.sha[:7]

    def message(self):
        return self.record.message

    def message_headline(self):
        return self.record.message.split("\n")[0]

    def authored_date(self):
        return time(self.record.at)

    committed_date = authored_date

    def author(self):
        who = actor(self.view, self.record.author)
        return {"name": self.record.name, "email": self.record.email, "date": time(self.record.at), "user": who}

    committer = author

    def signature(self):
        return GpgSignature(self.view, self.record) if self.record.signed else None

    def parents(self, **place):
        return connection((Commit(self.view, self.view.world.commits[sha]) for sha in self.record.parents), **place)

    def home(self):
        """Find where it was checked, else any repository."""
        repositories = list(self.view.world.repositories.values())
        checked = (one for one in repositories if combine_all(one, self.record.sha))
        return next(checked, repositories[0])

    def url(self):
        return self.html(f"/{self.home().full_name}/commit/{self.record.sha}")

    def status_check_rollup(self):
        return checks.StatusCheckRollup(self.view, self.record) if combine_all(self.home(), self.record.sha) else None


class GpgSignature(Node):
    """What a commit was signed with."""

    def is_valid(self):
        return True


class Comparison(Node):
    """Two commits side by side: the base and the head."""

    def ahead_by(self):
        return len(git.list_between(self.view.world.commits, *self.record))

    def behind_by(self):
        return len(git.list_between(self.view.world.commits, *self.record[::-1]))

    def status(self):
        ahead, behind = self.ahead_by(), self.behind_by()
        return "DIVERGED" if ahead and behind else "AHEAD" if ahead else "BEHIND" if behind else "IDENTICAL"
