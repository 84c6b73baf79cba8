"""Checks, statuses, runs and artifacts of a world."""

from collections.abc import Sequence
from typing import Any

from github_double.check_records import Artifact, CheckRun, Job, Status, WorkflowRun
from github_double.records import Repository
from github_double.store import Store

DONE = "completed"


class Machines(Store):
    """A world with checks and runs."""

    def add_status(
        self, repository: Repository, sha: str, context: str, state: str, description: str | None = None
    ) -> Status:
        """Add a commit status, or a later one of its context."""
        number, now = self.stamp()
        status = Status(
            id=number,
            sha=sha,
            context=context,
            state=state,
            description=description,
            creator=repository.owner,
            created_at=now,
        )
        repository.statuses.append(status)
        return status

    def add_check(
        self,
        repository: Repository,
        sha: str,
        name: str,
        conclusion: str = "success",
        *,
        status: str = DONE,
        app: str = "github-actions",
        **fields: Any,
    ) -> CheckRun:
        """Add a check run; an earlier one of its name and app is no longer the latest."""
        for earlier in repository.check_runs:
            earlier.latest &= (earlier.sha, earlier.name, earlier.app) != (sha, name, app)
        number, now = self.stamp()
        done = status == DONE
        usual: dict[str, Any] = {"suite": number - 1_000_000, "page": f"/runs/{number}"}
        check = CheckRun(
            id=number,
            sha=sha,
            name=name,
            status=status,
            conclusion=conclusion if done else None,
            app=app,
            started_at=None if status == "queued" else now,
            completed_at=now if done else None,
            **usual | fields,
        )
        repository.check_runs.append(check)
        return check

    def add_annotation(
        self, check: CheckRun, path: str, line: int, message: str, *, level: str = "failure", title: str | None = None
    ) -> None:
        """Add an annotation of a check to a line."""
        place = {"path": path, "start_line": line, "end_line": line, "start_column": None, "end_column": None}
        said = {"annotation_level": level, "title": title, "message": message, "raw_details": None}
        check.annotations.append(place | said)

    def add_run(
        self,
        repository: Repository,
        sha: str,
        *,
        branch: str = "main",
        name: str = "CI",
        event: str = "push",
        **fields: Any,
    ) -> WorkflowRun:
        """Add a run of Actions, without jobs."""
        number, now = self.stamp()
        run = WorkflowRun(
            id=number,
            name=name,
            number=len(repository.runs) + 1,
            sha=sha,
            branch=branch,
            event=event,
            actor=repository.owner,
            created_at=now,
            **fields,
        )
        repository.runs[run.id] = run
        return run

    def add_job(
        self,
        repository: Repository,
        run: WorkflowRun,
        name: str,
        conclusion: str = "success",
        *,
        status: str = DONE,
        log: bytes | None = None,
        steps: Sequence[tuple[str, str]] = (),
        attempt: int = 0,
    ) -> Job:
        """Add a job, and the check run of the same id that it has.

        Args:
            repository: Whose.
            run: What it belongs to.
            name: What it is called.
            conclusion: What came of it, where it is completed.
            status: completed, in_progress, queued or waiting.
            log: Its bytes; None where none is kept.
            steps: The name and the conclusion of each.
            attempt: Of the run; the latest by default.
        """
        check = self.add_check(repository, run.sha, name, conclusion, status=status, suite=run.suite)
        check.page = f"/actions/runs/{run.id}/job/{check.id}"
        walked = [
            {"number": place, "name": step, "status": DONE, "conclusion": came}
            for place, (step, came) in enumerate(steps, 1)
        ]
        job = Job(id=check.id, name=name, check=check, attempt=attempt or run.attempt, steps=walked, log=log)
        run.jobs.append(job)
        return job

    def add_artifact(
        self, repository: Repository, run: WorkflowRun, name: str, content: bytes, *, expired: bool = False
    ) -> Artifact:
        """Add a zip archive as a run's artifact."""
        number, now = self.stamp()
        artifact = Artifact(id=number, run=run, name=name, content=content, created_at=now, expired=expired)
        repository.artifacts[number] = artifact
        return artifact
