"""Result files in archives whose names do not show them: GitLab calls every archive artifacts.zip."""

import pytest
from attrs import evolve
from ci_play import ANVIL, PYTEST, ci_play
from pull_request_ci import create_forge

from stithy_ci.ci_settings import MEGABYTE, CiSettings
from stithy_ci.sources.artifact_owners import FailedRun, list_candidate_jobs
from stithy_ci.sources.artifacts import choose_unnamed_archives
from stithy_core.spi import Artifact, CommitCheck, Verdict, WorkflowRun
from stithy_sandbox.capabilities.code_capabilities import SandboxChecks

pytestmark = pytest.mark.anyio

SILENT = "no tool says what failed\n##[error]Process completed with exit code 1.\n"
JUNIT = b"""<testsuite name="pytest" tests="1" failures="1"><testcase classname="tests.test_auth" name="test_login">
<failure message="assert 401 == 200">tests/test_auth.py:7: AssertionError</failure></testcase></testsuite>"""
ARCHIVE = {"artifacts.zip": {"build/rspec.xml": JUNIT, "build/main.js": b"var one = 1\n"}}


class CountedArtifacts(SandboxChecks):
    """Artifacts whose downloads are counted."""

    async def artifact(self, repository, artifact):
        self.forge.world.downloads = [*getattr(self.forge.world, "downloads", ()), artifact]
        async for piece in super().artifact(repository, artifact):
            yield piece


FORGE = create_forge(CountedArtifacts)


async def find(tmp_path, settings="", artifacts=ARCHIVE, **jobs):
    """Return the result, and how many archives were downloaded."""
    async with ci_play(tmp_path, settings, forge=FORGE) as at:
        at.run(artifacts=artifacts, **jobs)
        found = await at.find()
        return found, len(getattr(at.world, "downloads", ()))


async def test_a_result_file_is_found_by_its_content(tmp_path):
    """Prevents: one failure of which only the check is known, beside a result file that names it."""
    found, downloads = await find(tmp_path, unit=SILENT)
    (entry,) = found["failures"]
    assert (entry["test_name"], entry["source"]) == ("tests/test_auth.py::test_login", "artifact")
    assert entry["confidence"] == "medium", "the file may be a sample"
    assert (found["total_failures"], downloads) == (1, 1)


async def test_an_archive_is_not_opened_if_the_log_explains_its_job(tmp_path):
    found, downloads = await find(tmp_path, unit=PYTEST)
    assert [one["source"] for one in found["failures"]] == ["log"]
    assert downloads == 0


async def test_an_archive_whose_name_fits_a_pattern_is_read_in_any_case(tmp_path):
    listed = {"JUnit-linux": {"build/rspec.xml": JUNIT}, "docs": {"a": b"a\n"}, "coverage-html": {"b": b"b\n"}}
    found, downloads = await find(tmp_path, artifacts=listed, unit=PYTEST)
    assert [one["source"] for one in found["failures"]] == ["artifact"]
    assert downloads == 1


async def test_an_archive_is_not_opened_if_a_result_file_of_the_run_has_failures(tmp_path):
    named = {"test-results": {"junit.xml": JUNIT}, "dist": {"main.js": b"var one = 1\n"}}
    found, downloads = await find(tmp_path, artifacts=named, unit=SILENT)
    assert [one["confidence"] for one in found["failures"]] == ["high"]
    assert downloads == 1


async def test_an_archive_without_result_files_changes_nothing(tmp_path):
    found, downloads = await find(tmp_path, artifacts={"dist": {"main.js": b"var one = 1\n"}}, unit=SILENT)
    assert [(one["source"], one["test_name"]) for one in found["failures"]] == [("check", "tests / unit")]
    assert (found["total_failures"], found.get("incomplete"), downloads) == (1, None, 1)


@pytest.mark.parametrize("settings", ["most_unnamed_mb = 0", "result_files = []", "most_artifact_mb = 0"])
async def test_settings_turn_the_search_off(tmp_path, settings):
    found, downloads = await find(tmp_path, f"[ci]\n{settings}\n", unit=SILENT)
    assert [one["source"] for one in found["failures"]] == ["check"]
    assert downloads == 0


JOBS = [CommitCheck(name=name, verdict=Verdict.FAILED, run="9", job=name, id=name) for name in ("unit", "slow")]
RUN = FailedRun(run=WorkflowRun(id="9", name="CI", number=1, verdict=Verdict.FAILED), checks=JOBS)


def archive(name, megabytes, **fields):
    return Artifact(id=name, name=name, size=megabytes * MEGABYTE, **fields)


def test_the_smallest_archives_are_searched_up_to_a_size_together():
    listed = [archive("large", 40), archive("small", 5), archive("middle", 20), archive("huge", 60)]
    chosen, gaps = choose_unnamed_archives(listed, RUN, CiSettings())
    assert [one.name for one in chosen] == ["small", "middle"]
    assert "artifact huge has" in gaps[0]
    assert gaps[1].endswith("being more than 50 MB together: large")


def test_an_expired_archive_of_any_name_is_no_gap():
    assert choose_unnamed_archives([archive("dist", 1, expired=True)], RUN, CiSettings()) == ([], [])


def test_an_archive_that_names_its_job_is_of_that_job():
    assert list_candidate_jobs(archive("artifacts.zip", 1, job="slow"), RUN) == [JOBS[1]]
    assert list_candidate_jobs(archive("artifacts.zip", 1, job="passed"), RUN) == []


async def test_an_archive_of_another_job_is_not_opened(tmp_path):
    async with ci_play(tmp_path, forge=FORGE) as at:
        run = at.world.run(ANVIL, at.run(artifacts=ARCHIVE, unit=SILENT, lint="passed"))
        passed = next(job.id for job in run.jobs.values() if job.name == "lint")
        run.artifacts = {key: evolve(one, job=passed) for key, one in run.artifacts.items()}
        found = await at.find()
        downloads = getattr(at.world, "downloads", ())
    assert [one["source"] for one in found["failures"]] == ["check"]
    assert not downloads
