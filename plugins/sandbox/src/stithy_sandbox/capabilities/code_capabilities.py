"""Repositories, commits and changes; checks, CI runs, logs and artifacts."""

from collections.abc import AsyncIterator, Iterator
from operator import attrgetter

from attrs import evolve

from stithy_core.spi import (
    Annotation,
    Artifact,
    Changes,
    Checks,
    Commit,
    CommitCheck,
    Comparison,
    FileChange,
    GitRemote,
    Listing,
    NotFound,
    PullRequestChecks,
    PullRequestRef,
    Repository,
    RepositoryRef,
    TestReport,
    Verdict,
    WorkflowJob,
    WorkflowRun,
)
from stithy_sandbox.capabilities.base import SandboxCapability
from stithy_sandbox.world.ci_runs import combine_verdicts
from stithy_sandbox.world.tree_diff import compare_trees
from stithy_sandbox.world.views import build_commit, list_changes, list_commits
from stithy_sandbox.world.world_records import Run


class SandboxChanges(SandboxCapability, Changes):
    """Code. The default branch of every repository is `main`."""

    async def repository(self, repository: RepositoryRef) -> Repository:
        """Read a repository."""
        found = self.world.repository(repository)
        url = f"{self.world.url}/{found.ref}"
        return Repository(
            ref=found.ref,
            url=url,
            default_branch="main",
            private=found.private,
            archived=found.archived,
            fork=found.parent is not None,
            clone_url=f"{url}.git",
            parent=found.parent,
            writable=found.writable,
            merge_methods=("merge",),
        )

    async def files(self, pr: PullRequestRef, *, patches: bool = False) -> Listing[FileChange]:
        """Read all changed files, by path."""
        found = list_changes(self.world, self.world.pull(pr))
        return Listing(tuple(change.to_file_change(patches=patches) for change in found))

    async def diff(self, pr: PullRequestRef) -> AsyncIterator[bytes]:
        """Iterate over the diff in bytes, one file at a time."""
        for change in list_changes(self.world, self.world.pull(pr)):
            yield change.text().encode()

    async def commits(self, pr: PullRequestRef) -> Listing[Commit]:
        """Read the commits of a pull request, oldest first."""
        return Listing(tuple(list_commits(self.world, self.world.pull(pr))))

    async def compare(self, repository: RepositoryRef, base: str, head: str) -> Comparison:
        """Compare two branches or commits."""
        home = self.world.repository(repository)
        old, new = self.world.commit(repository, base), self.world.commit(repository, head)
        ahead = home.history.list_commits_between(old.sha, new.sha)
        merge_base = home.history.find_merge_base(old.sha, new.sha)
        files = compare_trees(merge_base.tree, new.tree)
        return Comparison(
            base=base,
            head=head,
            ahead=len(ahead),
            behind=len(home.history.list_commits_between(new.sha, old.sha)),
            merge_base=merge_base.sha,
            commits=Listing(tuple(build_commit(self.world, home.ref, one) for one in ahead)),
            files=Listing(tuple(change.to_file_change(patches=False) for change in files)),
        )

    async def tree(self, repository: RepositoryRef, commit: str) -> Listing[str]:
        """Read the paths of a commit's files."""
        return Listing(tuple(sorted(self.world.commit(repository, commit).tree)))

    async def git(self, repository: RepositoryRef) -> GitRemote:
        """Write the repository in its current state to a folder of this process, and return its URL."""
        return GitRemote(url=self.forge.write_bare(repository).as_uri())


PIECE = 65_536


class SandboxChecks(SandboxCapability, Checks):
    """The checks and CI runs of commits."""

    async def list(
        self,
        repository: RepositoryRef,
        commit: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- all checks belong to commits
    ) -> Listing[CommitCheck]:
        """Read the latest attempt of every check and job, by name."""
        home, sha = self.world.repository(repository), self.world.commit(repository, commit).sha
        runs = [kept for kept in home.runs.values() if kept.run.commit == sha]
        jobs = [_build_check(kept, job) for kept in runs for job in kept.jobs.values()]
        return Listing(tuple(sorted([*home.checks[sha].values(), *jobs], key=attrgetter("name"))))

    async def of_pull_request(self, pr: PullRequestRef) -> PullRequestChecks:
        """Read a pull request with the checks of its head."""
        pull = await self.forge.pull_requests.get(pr)
        checks = await self.forge.checks.list(pull.ref.repository, pull.head.commit, pr=pull.ref)
        return PullRequestChecks(pull_request=pull, checks=checks)

    async def runs(
        self,
        repository: RepositoryRef,
        commit: str,
        *,
        pr: PullRequestRef | None = None,  # noqa: ARG002 -- all runs belong to commits
    ) -> Listing[WorkflowRun]:
        """Read the runs on a commit, newest first."""
        home, sha = self.world.repository(repository), self.world.commit(repository, commit).sha
        return Listing(tuple(_update_verdict(kept) for kept in reversed(home.runs.values()) if kept.run.commit == sha))

    async def jobs(self, repository: RepositoryRef, run: str) -> Listing[WorkflowJob]:
        """Read the jobs of a run, with their steps."""
        return Listing(tuple(self.world.run(repository, run).jobs.values()))

    async def annotations(self, repository: RepositoryRef, check: CommitCheck) -> Listing[Annotation]:
        """Read the annotations of a check."""
        home = self.world.repository(repository)
        kept = [sha for sha, checks in home.checks.items() if check in checks.values()]
        return Listing(tuple(remark for sha in kept for remark in home.annotations[sha, check.name]))

    async def log(self, repository: RepositoryRef, job: str) -> AsyncIterator[bytes]:
        """Iterate over the bytes of a job's log."""
        home = self.world.repository(repository)
        kept = next((kept.logs[job] for kept in home.runs.values() if job in kept.logs), None)
        if kept is None:
            raise NotFound(
                f"{home.ref} has no log of job {job}", suggestion="Read its verdict: the job may not have started."
            )
        for piece in _iterate_pieces(kept):
            yield piece

    async def artifacts(self, repository: RepositoryRef, run: str) -> Listing[Artifact]:
        """Read the artifacts of a run."""
        return Listing(tuple(self.world.run(repository, run).artifacts.values()))

    async def artifact(self, repository: RepositoryRef, artifact: str) -> AsyncIterator[bytes]:
        """Iterate over the bytes of an artifact, a ZIP archive."""
        home = self.world.repository(repository)
        kept = next((kept.archives[artifact] for kept in home.runs.values() if artifact in kept.archives), None)
        if kept is None:
            raise NotFound(f"{home.ref} has no artifact {artifact}", suggestion="List the artifacts of its run.")
        for piece in _iterate_pieces(kept):
            yield piece

    async def test_report(self, repository: RepositoryRef, run: str) -> TestReport:
        """Read the test report of a run; empty without one."""
        return self.world.run(repository, run).tests


def _update_verdict(kept: Run) -> WorkflowRun:
    """Return a run with its current verdict: that of an unfinished run follows from its jobs."""
    if not kept.jobs or kept.run.verdict not in (Verdict.RUNNING, Verdict.PENDING):
        return kept.run
    return evolve(kept.run, verdict=combine_verdicts(job.verdict for job in kept.jobs.values()))


def _iterate_pieces(whole: bytes) -> Iterator[bytes]:
    for start in range(0, len(whole), PIECE):
        yield whole[start : start + PIECE]


def _build_check(kept: Run, job: WorkflowJob) -> CommitCheck:
    return CommitCheck(
        name=f"{kept.run.name} / {job.name}",
        verdict=job.verdict,
        url=job.url,
        kind="job",
        id=job.id,
        raw=job.raw,
        source="sandbox",
        run=job.run,
        job=job.id,
        started_at=job.started_at,
    )
