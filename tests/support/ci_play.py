"""A pull request in a sandbox whose CI a test writes, and the tool that reports its failures."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from pull_request_ci import KIND, register_forge

from stithy_core.app import App
from stithy_core.spi import BranchRules, CommitCheck, PullRequestRef, RepositoryRef, Verdict
from stithy_sandbox.sandbox_forge import Sandbox
from stithy_sandbox.world.ci_runs import Work
from stithy_testing import connect, make_app

ANVIL = RepositoryRef("smith", "anvil")
PR = PullRequestRef(ANVIL, 2)
BRANCH = "harden-horn"
LOGS = Path(__file__).parents[2] / "libs" / "ci-failures" / "tests" / "logs"
FAILED = (
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_auth.py::test_login - AssertionError: assert 401 == 200\n"
    "========================= 1 failed, 3 passed in 0.12s ==========================\n"
)
PYTEST = (
    "============================= test session starts ==============================\n"
    "collected 4 items\n\n"
    "tests/test_auth.py F...                                                  [100%]\n\n"
    "=================================== FAILURES ===================================\n"
    "__________________________________ test_login __________________________________\n\n"
    "    def test_login():\n"
    ">       assert 401 == 200\n"
    "E       assert 401 == 200\n\n"
    "tests/test_auth.py:7: AssertionError\n" + FAILED + "##[error]Process completed with exit code 1.\n"
)


def failing(*tests: str, message: str = "assert 1 == 2") -> str:
    """Write the log of a run of pytest in which tests failed."""
    summary = "".join(f"FAILED {test} - AssertionError: {message}\n" for test in tests)
    return (
        "============================= test session starts ==============================\n"
        "=========================== short test summary info ============================\n"
        f"{summary}========================= {len(tests)} failed in 0.12s ==========================\n"
    )


@frozen
class CiPlay:
    """The tool, and the world behind it."""

    client: Any
    forge: Any
    app: App

    @property
    def world(self) -> Any:
        return self.forge.world

    async def call(self, **arguments: Any) -> Any:
        """Call the tool, whatever it answers."""
        return await self.client.call_tool("get_failing_tests", {"pr": str(PR)} | arguments)

    async def find(self, **arguments: Any) -> dict[str, Any]:
        """Return the tool's result, without an error."""
        result = await self.call(**arguments)
        assert not result.is_error, result.content[0].text
        told: dict[str, Any] = result.structured_content
        return told

    def checks(self, *checks: CommitCheck, commit: str = BRANCH, **verdicts: str) -> None:
        """Add checks: whole ones, or names with verdicts."""
        named = [CommitCheck(name=name, verdict=Verdict(verdict)) for name, verdict in verdicts.items()]
        self.world.add_checks(ANVIL, commit, *checks, *named)

    def run(
        self,
        commit: str = BRANCH,
        name: str = "tests",
        artifacts: Mapping[str, Mapping[str, bytes]] | None = None,
        **jobs: str | Work,
    ) -> Any:
        """Add a run: of each job the log if it failed, or its verdict, or both."""
        works = {
            job: work if isinstance(work, Work) else Work(Verdict.FAILED, work) if "\n" in work else Work(Verdict(work))
            for job, work in jobs.items()
        }
        return self.world.add_run(ANVIL, commit, name, works, artifacts)

    def end(self, run: Any, job: str, verdict: str, log: str | None = None) -> None:
        """Record the end of a job."""
        kept = self.world.run(ANVIL, run)
        (found,) = [one for one in kept.jobs.values() if one.name == job]
        kept.jobs[found.id] = evolve(found, verdict=Verdict(verdict), raw=verdict)
        if log is not None:
            kept.logs[found.id] = log.encode()

    def demand(self, *checks: str, patterns: bool = False) -> None:
        """Make the base branch require checks."""
        self.world.set_rules(ANVIL, "main", BranchRules(required_checks=checks, patterns=patterns))


@asynccontextmanager
async def ci_play(
    folder: Path, settings: str = "", *, forge: type[Sandbox] = Sandbox, **options: Any
) -> AsyncIterator[CiPlay]:
    """Open a sandbox, or a forge that derives from it, without CI runs and required checks."""
    url = 'url = "http://sandbox.invalid"\n'
    app = make_app(folder, f'[forges.play]\nkind = "{KIND}"\n{url}{settings}', entries=register_forge(forge))
    async with connect(app, **options) as client:
        at = CiPlay(client, app.forges.forge("play"), app)
        at.world.repository(ANVIL).checks.clear()
        at.demand()
        yield at
