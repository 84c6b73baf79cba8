"""Records of checks, runs and artifacts."""

from datetime import datetime
from typing import Any

from attrs import Factory, define

from github_double.records import Account


@define(kw_only=True, eq=False)
class Status:
    """A commit status; the latest of a context counts."""

    id: int
    sha: str
    context: str
    state: str
    description: str | None
    creator: Account
    created_at: datetime


@define(kw_only=True, eq=False)
class CheckRun:
    """A check run; a job of Actions has one with its own id."""

    id: int
    sha: str
    name: str
    status: str
    conclusion: str | None
    app: str
    suite: int
    page: str
    started_at: datetime | None
    completed_at: datetime | None
    summary: str | None = None
    annotations: list[dict[str, Any]] = Factory(list)
    latest: bool = True


@define(kw_only=True, eq=False)
class Job:
    """A job of a run; `log` is None where none is kept."""

    id: int
    name: str
    check: CheckRun
    attempt: int = 1
    steps: list[dict[str, Any]] = Factory(list)
    log: bytes | None = None


@define(kw_only=True, eq=False)
class WorkflowRun:
    """A run of Actions."""

    id: int
    name: str
    number: int
    sha: str
    branch: str
    event: str
    actor: Account
    created_at: datetime
    workflow: int = 161_335
    attempt: int = 1
    jobs: list[Job] = Factory(list)

    @property
    def suite(self) -> int:
        """The number of its check suite."""
        return self.id - 1_000_000


@define(kw_only=True, eq=False)
class Artifact:
    """An artifact of a run."""

    id: int
    run: WorkflowRun
    name: str
    content: bytes
    created_at: datetime
    expired: bool = False
