"""Creation of checks, annotations and runs of the forge's own CI."""

import io
import zipfile
from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from stithy_core.spi import (
    Annotation,
    Artifact,
    CommitCheck,
    Maybe,
    RepositoryRef,
    Step,
    TestReport,
    Verdict,
    WorkflowJob,
    WorkflowRun,
)
from stithy_sandbox.world.store import Store
from stithy_sandbox.world.world_records import Run


@frozen
class Work:
    """A job to create: its verdict, its log (None if it cannot be read yet), and the names of its steps."""

    verdict: Verdict
    log: str | None = None
    steps: tuple[str, ...] = ()


class CiRuns(Store):
    """Checks and CI runs on commits; `commit` may be a SHA or a branch."""

    _reported = 0

    def add_checks(self, repository: RepositoryRef, commit: str, *checks: CommitCheck) -> None:
        """Add checks to a commit; a check with the same name is replaced as a later attempt."""
        kept = self.repository(repository).checks[self.commit(repository, commit).sha]
        for check in checks:
            self._reported += 1
            raw = check.raw or (check.verdict.value if isinstance(check.verdict, Verdict) else "")
            kept[check.name] = evolve(check, raw=raw, id=check.id or str(self._reported))

    def annotate(self, repository: RepositoryRef, commit: str, check: str, *remarks: Annotation) -> None:
        """Add annotations to a check."""
        home, sha = self.repository(repository), self.commit(repository, commit).sha
        home.annotations[sha, check] += remarks
        home.checks[sha][check] = evolve(home.checks[sha][check], annotations=len(home.annotations[sha, check]))

    def add_run(
        self,
        repository: RepositoryRef,
        commit: str,
        name: str,
        jobs: Mapping[str, Work],
        artifacts: Mapping[str, Mapping[str, bytes]] | None = None,
    ) -> str:
        """Add a run of the forge's own CI and return its id.

        Args:
            repository: The repository.
            commit: The SHA or branch.
            name: The workflow's name.
            jobs: The jobs by name.
            artifacts: The artifacts by name, each with its files: contents by path.
        """
        home, sha = self.repository(repository), self.commit(repository, commit).sha
        made, now = self.stamp()
        number, url = len(home.runs) + 1, f"{self.url}/{home.ref}/actions/runs/{made}"
        verdict = combine_verdicts(work.verdict for work in jobs.values())
        run = WorkflowRun(id=made, name=name, number=number, verdict=verdict, commit=sha, url=url, started_at=now)
        kept = Run(run=run)
        for job, work in jobs.items():
            self._add_job(kept, job, work)
        for artifact, files in (artifacts or {}).items():
            self._add_artifact(kept, artifact, files)
        home.runs[made] = kept
        return made

    def set_test_report(self, repository: RepositoryRef, run: str, report: TestReport) -> None:
        """Set the test report of a run."""
        self.run(repository, run).tests = report

    def _add_job(self, kept: Run, name: str, work: Work) -> None:
        made, now = self.stamp()
        steps = tuple(Step(number=place, name=step, verdict=work.verdict) for place, step in enumerate(work.steps, 1))
        kept.jobs[made] = WorkflowJob(
            id=made,
            run=kept.run.id,
            name=name,
            verdict=work.verdict,
            raw=work.verdict.value,
            steps=steps,
            url=f"{kept.run.url}/jobs/{made}",
            started_at=now,
        )
        if work.log is not None:
            kept.logs[made] = work.log.encode()

    def _add_artifact(self, kept: Run, name: str, files: Mapping[str, bytes]) -> None:
        made, now = self.stamp()
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as packed:
            for path, content in files.items():
                packed.writestr(zipfile.ZipInfo(path), content)
        kept.archives[made] = archive.getvalue()
        kept.artifacts[made] = Artifact(id=made, name=name, size=len(kept.archives[made]), created_at=now)


def combine_verdicts(jobs: Iterable[Maybe[Verdict]]) -> Verdict:
    """Return the verdict of a run: the worst of its jobs' verdicts, where failed is worse than running."""
    verdicts = set(jobs)
    for verdict in (Verdict.FAILED, Verdict.TIMED_OUT, Verdict.CANCELLED, Verdict.RUNNING, Verdict.PENDING):
        if verdict in verdicts:
            return verdict
    return Verdict.PASSED if Verdict.PASSED in verdicts else Verdict.SKIPPED
