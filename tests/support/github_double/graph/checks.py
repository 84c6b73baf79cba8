"""Checks of a commit in the graph."""

from __future__ import annotations

from typing import Any

from github_double import check_records, records
from github_double.checks import app_of, combine_all, latest_checks, latest_statuses
from github_double.graph import code
from github_double.graph.core import Node, connection
from github_double.graph.people import Actor, actor
from github_double.readiness import list_required_contexts
from github_double.records import Pull
from github_double.rest.routing import node, time


class StatusCheckRollup(Node):
    """Checks and statuses of a commit together."""

    record: records.Commit

    def id(self) -> str:
        return node("SCR", int(self.record.sha[:8], 16))

    def home(self) -> records.Repository:
        return code.Commit(self.view, self.record).home()

    def state(self) -> str | None:
        return combine_all(self.home(), self.record.sha)

    def contexts(self, **place: Any) -> dict[str, Any]:
        home, sha = self.home(), self.record.sha
        checks = [CheckRun(self.view, (home, one)) for one in latest_checks(home, sha)]
        statuses = [StatusContext(self.view, (home, one)) for one in latest_statuses(home, sha)[::-1]]
        counts: dict[str, Any] = {"check_run_count": len(checks), "status_context_count": len(statuses)}
        return connection([*checks, *statuses], **place, **counts)


class Context(Node):
    """A check or status with its repository."""

    record: tuple[records.Repository, Any]

    @property
    def home(self) -> records.Repository:
        return self.record[0]

    @property
    def one(self) -> Any:
        return self.record[1]

    def _is_required(self, name: str, number: int | None) -> bool:
        pull = self.home.issues.get(number) if number else None
        return isinstance(pull, Pull) and name in list_required_contexts(self.home, pull.base)


def show_annotation(record: dict[str, Any]) -> dict[str, Any]:
    """Return an annotation, which is stored as REST shows it."""
    location = {end: {"line": record[f"{end}_line"], "column": record[f"{end}_column"]} for end in ("start", "end")}
    return {**record, "annotation_level": record["annotation_level"].upper(), "location": location}


class CheckRun(Context):
    """A check run."""

    record: tuple[records.Repository, check_records.CheckRun]

    @property
    def one(self) -> check_records.CheckRun:
        return self.record[1]

    def id(self) -> str:
        return node("CR", self.one.id)

    def database_id(self) -> int:
        return self.one.id

    def name(self) -> str:
        return self.one.name

    def status(self) -> str:
        return self.one.status.upper()

    def conclusion(self) -> str | None:
        return self.one.conclusion and self.one.conclusion.upper()

    def started_at(self) -> str | None:
        return time(self.one.started_at)

    def completed_at(self) -> str | None:
        return time(self.one.completed_at)

    def url(self) -> str:
        return self.html(f"/{self.home.full_name}{self.one.page}")

    details_url = permalink = url

    def title(self) -> None:
        return None

    def summary(self) -> str | None:
        return self.one.summary

    def text(self) -> None:
        return None

    def annotations(self, **place: Any) -> dict[str, Any]:
        return connection([show_annotation(one) for one in self.one.annotations], **place)

    def check_suite(self) -> CheckSuite:
        return CheckSuite(self.view, self.record)

    def is_required(self, pull_request_number: int | None = None, pull_request_id: str | None = None) -> bool:
        return self._is_required(self.one.name, pull_request_number)


def of_app(slug: str) -> dict[str, Any]:
    """Return a GitHub App."""
    number, name = app_of(slug)
    return {"id": node("A", number), "database_id": number, "slug": slug, "name": name}


class CheckSuite(Context):
    """The check suite of one app."""

    record: tuple[records.Repository, check_records.CheckRun]

    @property
    def one(self) -> check_records.CheckRun:
        return self.record[1]

    def id(self) -> str:
        return node("CS", self.one.suite)

    def database_id(self) -> int:
        return self.one.suite

    def app(self) -> dict[str, Any]:
        return of_app(self.one.app)

    def workflow_run(self) -> WorkflowRun | None:
        for run in self.home.runs.values():
            if any(job.check is self.one for job in run.jobs):
                return WorkflowRun(self.view, run)
        return None


class WorkflowRun(Node):
    """A run of Actions."""

    record: check_records.WorkflowRun

    prefix = "WFR"

    def database_id(self) -> int:
        return self.record.id

    def event(self) -> str:
        return self.record.event

    def workflow(self) -> dict[str, Any]:
        return {"name": self.record.name, "database_id": self.record.workflow, "id": node("W", self.record.workflow)}


class StatusContext(Context):
    """A commit status."""

    record: tuple[records.Repository, check_records.Status]

    @property
    def one(self) -> check_records.Status:
        return self.record[1]

    def id(self) -> str:
        return node("SC", self.one.id)

    def context(self) -> str:
        return self.one.context

    def state(self) -> str:
        return self.one.state.upper()

    def description(self) -> str | None:
        return self.one.description

    def target_url(self) -> None:
        return None

    def created_at(self) -> str | None:
        return time(self.one.created_at)

    def creator(self) -> Actor | None:
        return actor(self.view, self.one.creator)

    def is_required(self, pull_request_number: int | None = None, pull_request_id: str | None = None) -> bool:
        return self._is_required(self.one.context, pull_request_number)
