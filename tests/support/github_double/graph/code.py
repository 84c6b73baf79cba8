"""Repositories, commits, comparisons, and what ran on a commit, in the graph."""

from github_double import git
from github_double.checks import latest_checks, latest_statuses, rollup
from github_double.graph import branches, pulls
from github_double.graph.core import Node, connection, refuse
from github_double.graph.people import actor
from github_double.readiness import required_contexts, rules_of
from github_double.records import Pull
from github_double.rest.people import app_of
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
        found = rules_of(self.record, branch or self.record.default_branch, "merge_queue")
        return {"id": node("MQ", self.record.id)} if found else None

    def pull_request(self, number):
        found = self.record.issues.get(number)
        if not isinstance(found, Pull):
            raise refuse("NOT_FOUND", f"Could not resolve to a PullRequest with the number of {number}.")
        return self.of(pulls.PullRequest, found)

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
        return None

    def parents(self, **place):
        return connection((Commit(self.view, self.view.world.commits[sha]) for sha in self.record.parents), **place)

    def home(self):
        """Find where it was checked, else any repository."""
        repositories = list(self.view.world.repositories.values())
        checked = (one for one in repositories if rollup(one, self.record.sha))
        return next(checked, repositories[0])

    def url(self):
        return self.html(f"/{self.home().full_name}/commit/{self.record.sha}")

    def status_check_rollup(self):
        return StatusCheckRollup(self.view, self.record) if rollup(self.home(), self.record.sha) else None


class StatusCheckRollup(Node):
    """Checks and statuses of a commit together."""

    def id(self):
        return node("SCR", int(self.record.sha[:8], 16))

    def home(self):
        return Commit(self.view, self.record).home()

    def state(self):
        return rollup(self.home(), self.record.sha)

    def contexts(self, **place):
        home, sha = self.home(), self.record.sha
        checks = [CheckRun(self.view, (home, one)) for one in latest_checks(home, sha)]
        statuses = [StatusContext(self.view, (home, one)) for one in latest_statuses(home, sha)[::-1]]
        counts = {"check_run_count": len(checks), "status_context_count": len(statuses)}
        return connection([*checks, *statuses], **place, **counts)


class Context(Node):
    """What ran, and where."""

    @property
    def home(self):
        return self.record[0]

    @property
    def one(self):
        return self.record[1]

    def required(self, name, number):
        pull = self.home.issues.get(number)
        return isinstance(pull, Pull) and name in required_contexts(self.home, pull.base)


class CheckRun(Context):
    """A check run."""

    def id(self):
        return node("CR", self.one.id)

    def database_id(self):
        return self.one.id

    def name(self):
        return self.one.name

    def status(self):
        return self.one.status.upper()

    def conclusion(self):
        return self.one.conclusion and self.one.conclusion.upper()

    def started_at(self):
        return time(self.one.started_at)

    def completed_at(self):
        return time(self.one.completed_at)

    def url(self):
        return self.html(f"/{self.home.full_name}{self.one.page}")

    details_url = permalink = url

    def title(self):
        return None

    def summary(self):
        return self.one.summary

    def text(self):
        return None

    def annotations(self, **place):
        return connection(self.one.annotations, **place)

    def check_suite(self):
        return CheckSuite(self.view, self.record)

    def is_required(self, pull_request_number=None, pull_request_id=None):
        return self.required(self.one.name, pull_request_number)


class CheckSuite(Context):
    """What holds the check runs of one app."""

    def id(self):
        return node("CS", self.one.suite)

    def database_id(self):
        return self.one.suite

    def app(self):
        number, name = app_of(self.one.app)
        return {"id": node("A", number), "database_id": number, "slug": self.one.app, "name": name}

    def workflow_run(self):
        for run in self.home.runs.values():
            if any(job.check is self.one for job in run.jobs):
                return WorkflowRun(self.view, run)
        return None


class WorkflowRun(Node):
    """A run of Actions."""

    prefix = "WFR"

    def database_id(self):
        return self.record.id

    def event(self):
        return self.record.event

    def workflow(self):
        return {"name": self.record.name, "database_id": self.record.workflow, "id": node("W", self.record.workflow)}


class StatusContext(Context):
    """A commit status."""

    def id(self):
        return node("SC", self.one.id)

    def context(self):
        return self.one.context

    def state(self):
        return self.one.state.upper()

    def description(self):
        return self.one.description

    def target_url(self):
        return None

    def created_at(self):
        return time(self.one.created_at)

    def creator(self):
        return actor(self.view, self.one.creator)

    def is_required(self, pull_request_number=None, pull_request_id=None):
        return self.required(self.one.context, pull_request_number)


class Comparison(Node):
    """Two commits side by side: the base and the head."""

    def ahead_by(self):
        return len(git.between(self.view.world.commits, *self.record))

    def behind_by(self):
        return len(git.between(self.view.world.commits, *self.record[::-1]))

    def status(self):
        ahead, behind = self.ahead_by(), self.behind_by()
        return "DIVERGED" if ahead and behind else "AHEAD" if ahead else "BEHIND" if behind else "IDENTICAL"
