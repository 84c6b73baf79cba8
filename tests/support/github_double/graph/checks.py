"""What ran on a commit, in the graph."""

from github_double.checks import app_of, combine_all, latest_checks, latest_statuses
from github_double.graph import code
from github_double.graph.core import Node, connection
from github_double.graph.people import actor
from github_double.readiness import list_required_contexts
from github_double.records import Pull
from github_double.rest.routing import node, time


class StatusCheckRollup(Node):
    """Checks and statuses of a commit together."""

    def id(self):
        return node("SCR", int(self.record.sha[:8], 16))

    def home(self):
        return code.Commit(self.view, self.record).home()

    def state(self):
        return combine_all(self.home(), self.record.sha)

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

    def _is_required(self, name, number):
        pull = self.home.issues.get(number)
        return isinstance(pull, Pull) and name in list_required_contexts(self.home, pull.base)


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
        return self._is_required(self.one.name, pull_request_number)


def of_app(slug):
    """Return a GitHub App."""
    number, name = app_of(slug)
    return {"id": node("A", number), "database_id": number, "slug": slug, "name": name}


class CheckSuite(Context):
    """What holds the check runs of one app."""

    def id(self):
        return node("CS", self.one.suite)

    def database_id(self):
        return self.one.suite

    def app(self):
        return of_app(self.one.app)

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
        return self._is_required(self.one.context, pull_request_number)
