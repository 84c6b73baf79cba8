"""Tests of what a merge depends on: reviews, checks, branch rules and readiness."""

from collections.abc import Callable
from typing import TypeVar

import pytest

from stithy_core.spi import (
    BranchRules,
    Checks,
    Conflict,
    Maybe,
    PullRequests,
    Reviews,
    Rules,
    TestStatus,
    Unknown,
    Verdict,
    or_unknown,
)
from stithy_testing.conformance.assertions import (
    check_issue_number,
    check_listing,
    check_record,
    expect_absent_repository,
    expect_missing_number,
    expect_not_found,
    find_single,
    is_ascending,
    is_correct_or_unknown,
    is_distinct,
    require_head_branches,
)
from stithy_testing.conformance.operation_calls import NO_ID, needs, read_stream
from stithy_testing.conformance.stage import Stage

T = TypeVar("T")


class ReviewTests:
    """`Reviews.list`."""

    @needs(Reviews.list)
    async def test_reviews_oldest_first(self, stage: Stage) -> None:
        """All reviews are read, in the order of their submission."""
        if not stage.grouped_reviews:
            pytest.skip("comments on lines belong to no review: Stage.grouped_reviews is False")
        reviews = check_listing(await stage.forge.reviews.list(stage.pr))
        assert reviews[0].body == "Some remarks."
        assert len(reviews) > 1
        assert is_ascending(review.submitted_at for review in reviews if review.submitted_at)
        assert is_distinct(review.key for review in reviews)

    @needs(Reviews.list)
    async def test_reviews_in_words_of_the_model(self, stage: Stage) -> None:
        """A review without a verdict has the state `commented` on every forge."""
        reviews = await stage.forge.reviews.list(stage.pr)
        expected = {(stage.author, "commented")} if stage.grouped_reviews else set()
        assert {(review.author.login, review.state) for review in reviews} == expected
        assert all(review.submitted_at for review in reviews)

    @needs(Reviews.list, PullRequests.get)
    async def test_reviews_name_their_commit(self, stage: Stage) -> None:
        """A review has the commit it was given on, or an empty string."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        assert {review.commit for review in await stage.forge.reviews.list(stage.pr)} <= {head, ""}

    @needs(Reviews.list)
    async def test_reviews_of_nobody(self, stage: Stage) -> None:
        """A pull request without any has an empty listing."""
        assert check_listing(await stage.forge.reviews.list(stage.draft)) == []

    @needs(Reviews.list)
    async def test_reviews_of_what_is_none(self, stage: Stage) -> None:
        """The errors for an issue, a missing number and a missing repository differ."""
        await check_issue_number(stage, stage.forge.reviews.list)
        with expect_missing_number(stage):
            await stage.forge.reviews.list(stage.missing_pr)
        with expect_absent_repository(stage):
            await stage.forge.reviews.list(stage.absent_pr)


async def read_head_commit(stage: Stage) -> str:
    """Read the SHA of the pull request's head."""
    return (await stage.forge.pull_requests.get(stage.pr)).head.commit


def require_run(stage: Stage) -> str:
    """Return the id of the prepared run, or skip the test."""
    return stage.run or pytest.skip("the stage has no run of the forge's own CI")


class CheckTests:
    """`Checks.list`, `of_pull_request` and `annotations`."""

    @needs(Checks.list, PullRequests.get)
    async def test_checks_each_once(self, stage: Stage) -> None:
        """Every check of the commit is listed once, by name, with the verdict of its latest attempt."""
        checks = check_listing(await stage.forge.checks.list(stage.repository, await read_head_commit(stage)))
        statuses = [check for check in checks if not check.run]
        assert [(check.name, check.verdict) for check in statuses] == sorted(stage.checks.items())
        assert is_distinct((check.kind, check.id) for check in checks)
        assert {check.kind for check in checks} <= {"check_run", "status", "job", "run"}

    @needs(Checks.list, PullRequests.get)
    async def test_checks_of_a_pull_request(self, stage: Stage) -> None:
        """With the pull request, those that decide on its merge are listed: all of its head, and perhaps others."""
        checks = await stage.forge.checks.list(stage.repository, await read_head_commit(stage), pr=stage.pr)
        assert stage.checks.items() <= {check.name: check.verdict for check in checks if not check.run}.items()

    @needs(Checks.of_pull_request, Checks.list, PullRequests.get)
    async def test_checks_come_with_their_pull_request(self, stage: Stage) -> None:
        """The pull request and its checks equal those read alone, and so do annotations that come with them."""
        found = check_record(await stage.forge.checks.of_pull_request(stage.pr))
        alone = await stage.forge.pull_requests.get(stage.pr)
        checks = await stage.forge.checks.list(stage.repository, alone.head.commit, pr=stage.pr)
        assert (found.pull_request.ref, found.pull_request.head) == (alone.ref, alone.head)
        assert [(one.name, one.verdict) for one in found.checks] == [(one.name, one.verdict) for one in checks]
        for check in (one for one in checks if one.id in found.annotations):
            assert list(found.annotations[check.id]) == list(
                await stage.forge.checks.annotations(stage.repository, check)
            )

    @needs(Checks.of_pull_request)
    async def test_checks_come_with_no_issue(self, stage: Stage) -> None:
        """The errors for an issue and a missing number differ."""
        await check_issue_number(stage, stage.forge.checks.of_pull_request)
        with expect_missing_number(stage):
            await stage.forge.checks.of_pull_request(stage.missing_pr)

    @needs(Checks.list, PullRequests.get)
    async def test_checks_say_what_they_found(self, stage: Stage) -> None:
        """A check has the forge's own word beside the verdict, and its summary."""
        checks = await stage.forge.checks.list(stage.repository, await read_head_commit(stage))
        assert all(check.raw for check in checks)
        if "test" in stage.checks:
            assert find_single(checks, lambda check: check.name == "test").summary == "2 failed"

    @needs(Checks.list, PullRequests.get)
    async def test_checks_of_nobody(self, stage: Stage) -> None:
        """A commit without checks has an empty listing."""
        commit = (await stage.forge.pull_requests.get(stage.merged)).head.commit
        assert check_listing(await stage.forge.checks.list(stage.repository, commit)) == []

    @needs(Checks.list)
    async def test_checks_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is an error, not an empty listing."""
        with expect_absent_repository(stage):
            await stage.forge.checks.list(stage.absent, "main")

    @needs(Checks.list, Checks.annotations, PullRequests.get)
    async def test_annotations_of_none(self, stage: Stage) -> None:
        """A check without annotations has an empty listing."""
        check = find_single(
            await stage.forge.checks.list(stage.repository, await read_head_commit(stage)),
            lambda one: one.name == min(stage.checks),
        )
        assert is_correct_or_unknown(check.annotations, 0)
        assert check_listing(await stage.forge.checks.annotations(stage.repository, check)) == []


class RunTests:
    """`Checks.runs`, `jobs`, `log`, `artifacts`, `artifact` and `test_report`."""

    @needs(Checks.runs, PullRequests.get)
    async def test_runs_of_nobody(self, stage: Stage) -> None:
        """A commit without runs has an empty listing."""
        commit = (await stage.forge.pull_requests.get(stage.merged)).head.commit
        assert check_listing(await stage.forge.checks.runs(stage.repository, commit)) == []

    @needs(Checks.runs, PullRequests.get)
    async def test_runs_of_a_commit(self, stage: Stage) -> None:
        """The prepared run has a verdict and its commit."""
        name, commit = require_run(stage), await read_head_commit(stage)
        run = find_single(
            check_listing(await stage.forge.checks.runs(stage.repository, commit)), lambda one: one.id == name
        )
        assert isinstance(run.verdict, Verdict)
        assert run.commit == commit
        assert name in {one.id for one in await stage.forge.checks.runs(stage.repository, commit, pr=stage.pr)}

    @needs(Checks.jobs)
    async def test_jobs_of_a_run(self, stage: Stage) -> None:
        """The jobs of a run have ids, names and steps in order."""
        jobs = check_listing(await stage.forge.checks.jobs(stage.repository, require_run(stage)))
        assert jobs
        assert is_distinct(job.id for job in jobs)
        for job in jobs:
            assert (job.run, bool(job.name)) == (stage.run, True)
            assert [step.number for step in job.steps] == sorted({step.number for step in job.steps})

    @needs(Checks.jobs, Checks.log)
    async def test_log_of_a_job(self, stage: Stage) -> None:
        """The log of a job is read as bytes, with its line ends."""
        job = (await stage.forge.checks.jobs(stage.repository, require_run(stage)))[0]
        assert b"\n" in await read_stream(stage.forge.checks.log(stage.repository, job.id))

    @needs(Checks.artifacts)
    async def test_artifacts_of_a_run(self, stage: Stage) -> None:
        """The artifacts of a run are listed, each once."""
        found = check_listing(await stage.forge.checks.artifacts(stage.repository, require_run(stage)))
        assert is_distinct(artifact.id for artifact in found)

    @needs(Checks.artifacts, Checks.artifact)
    async def test_artifact_of_a_run(self, stage: Stage) -> None:
        """Each artifact of a run is read as a ZIP archive."""
        for artifact in await stage.forge.checks.artifacts(stage.repository, require_run(stage)):
            assert (await read_stream(stage.forge.checks.artifact(stage.repository, artifact.id))).startswith(b"PK")

    @needs(Checks.jobs)
    async def test_jobs_of_nothing(self, stage: Stage) -> None:
        """A missing run is an error, not an empty list of jobs."""
        with expect_not_found(NO_ID):
            await stage.forge.checks.jobs(stage.repository, NO_ID)

    @needs(Checks.log)
    async def test_log_of_nothing(self, stage: Stage) -> None:
        """A missing job is an error, not an empty log."""
        with expect_not_found(NO_ID):
            await read_stream(stage.forge.checks.log(stage.repository, NO_ID))

    @needs(Checks.artifacts)
    async def test_artifacts_of_nothing(self, stage: Stage) -> None:
        """A missing run is an error, not an empty list of artifacts."""
        with expect_not_found(NO_ID):
            await stage.forge.checks.artifacts(stage.repository, NO_ID)

    @needs(Checks.artifact)
    async def test_artifact_of_nothing(self, stage: Stage) -> None:
        """A missing artifact is not found."""
        with expect_not_found(NO_ID):
            await read_stream(stage.forge.checks.artifact(stage.repository, NO_ID))

    @needs(Checks.test_report)
    async def test_test_report_of_a_run(self, stage: Stage) -> None:
        """The tests of a run have names, and no count is below the number of the tests that were read."""
        report = check_record(await stage.forge.checks.test_report(stage.repository, require_run(stage)))
        assert all(case.name for case in report.cases)
        counts = [report.passed, report.failed, report.errors, report.skipped]
        known = sum(count for count in counts if not isinstance(count, Unknown))
        assert isinstance(report.total, Unknown) or max(known, len(report.cases)) <= report.total

    @needs(Checks.test_report)
    async def test_test_report_has_every_failure(self, stage: Stage) -> None:
        """A report without all failed tests says why."""
        report = await stage.forge.checks.test_report(stage.repository, require_run(stage))
        for status, count in ((TestStatus.FAILED, report.failed), (TestStatus.ERROR, report.errors)):
            read = sum(case.status is status for case in report.cases)
            assert isinstance(count, Unknown) or read == count or report.cut

    @needs(Checks.test_report)
    async def test_test_report_of_nothing(self, stage: Stage) -> None:
        """A missing run is an error, not an empty report."""
        with expect_not_found(NO_ID):
            await stage.forge.checks.test_report(stage.repository, NO_ID)


def requires_all_checks(rules: BranchRules) -> bool:
    """Return whether a merge requires all checks by whatever name, such as "the pipeline must succeed"."""
    return rules.all_checks is True


def name_required(stage: Stage) -> set[str]:
    """Return the checks that `main` requires: all, where the forge cannot have those of the data by their names."""
    return {"build", "test"} & stage.checks.keys() or set(stage.checks)


class RuleTests:
    """`Rules.get`."""

    @needs(Rules.get)
    async def test_rules_of_a_protected_branch(self, stage: Stage) -> None:
        """Requirements are correct or unknown, never fewer."""
        rules = check_record(await stage.forge.rules.get(stage.repository, "main"))
        assert is_correct_or_unknown(rules.protected, expected=True)
        assert is_correct_or_unknown(rules.required_approvals, 1)
        if not requires_all_checks(rules):
            assert isinstance(rules.required_checks, Unknown) or set(rules.required_checks) == name_required(stage)

    @needs(Rules.get)
    async def test_rules_name_their_source(self, stage: Stage) -> None:
        """Rules have sources."""
        rules = await stage.forge.rules.get(stage.repository, "main")
        assert isinstance(rules.protected, Unknown) or rules.sources

    @needs(Rules.get)
    async def test_rules_of_a_free_branch(self, stage: Stage) -> None:
        """A branch without rules has no requirements."""
        require_head_branches(stage)
        rules = check_record(await stage.forge.rules.get(stage.repository, "greet"))
        assert is_correct_or_unknown(rules.protected, expected=False)
        assert is_correct_or_unknown(rules.required_approvals, 0)
        assert is_correct_or_unknown(rules.required_checks, ())
        assert rules.sources == () or requires_all_checks(rules)  # which some forges set for a whole repository

    @needs(Rules.get)
    async def test_rules_for_a_pull_request(self, stage: Stage) -> None:
        """With a pull request, the rules of its base are read, and perhaps its own."""
        rules = check_record(await stage.forge.rules.get(stage.repository, "main", pr=stage.pr))
        assert is_correct_or_unknown(rules.required_approvals, 1)
        if not requires_all_checks(rules):
            assert isinstance(rules.required_checks, Unknown) or name_required(stage) <= set(rules.required_checks)

    @needs(Rules.get)
    async def test_rules_of_an_absent_repository(self, stage: Stage) -> None:
        """A missing repository is an error, not a branch without rules."""
        with expect_absent_repository(stage):
            await stage.forge.rules.get(stage.absent, "main")


def is_equal_where_known(whole: Maybe[T], part: Maybe[T], key: Callable[[T], object]) -> bool:
    """Return whether two values are equal by `key`, or one of them is unknown."""
    return isinstance(whole, Unknown) or isinstance(part, Unknown) or key(whole) == key(part)


class ReadinessTests:
    """`PullRequests.readiness`."""

    @needs(PullRequests.readiness, PullRequests.get)
    async def test_readiness_is_of_its_pull_request(self, stage: Stage) -> None:
        """Its pull request equals that read alone."""
        whole = check_record(await stage.forge.pull_requests.readiness(stage.pr)).pull_request
        alone = await stage.forge.pull_requests.get(stage.pr)
        assert (whole.ref, whole.head, whole.base) == (alone.ref, alone.head, alone.base)
        assert (whole.title, whole.state, whole.draft) == (alone.title, alone.state, alone.draft)

    @needs(PullRequests.readiness)
    async def test_readiness_tells_what_people_said(self, stage: Stage) -> None:
        """Its reviews and threads equal those read alone."""
        whole = await stage.forge.pull_requests.readiness(stage.pr)
        reviews, threads = (
            await or_unknown(stage.forge.reviews.list(stage.pr)),
            await or_unknown(stage.forge.threads.list(stage.pr)),
        )
        assert is_equal_where_known(
            whole.reviews, reviews, lambda all_: [(one.id, one.state, one.author.login) for one in all_]
        )
        assert is_equal_where_known(
            whole.threads, threads, lambda all_: [(one.id, one.path, len(one.comments)) for one in all_]
        )
        assert not isinstance(whole.reviews, Unknown) or isinstance(reviews, Unknown)
        assert not isinstance(whole.threads, Unknown) or isinstance(threads, Unknown)

    @needs(PullRequests.readiness)
    async def test_readiness_tells_what_machines_said(self, stage: Stage) -> None:
        """Its checks and rules equal those read alone."""
        whole = await stage.forge.pull_requests.readiness(stage.pr)
        head = whole.pull_request.head.commit
        checks = await or_unknown(stage.forge.checks.list(stage.repository, head, pr=stage.pr))
        rules = await or_unknown(stage.forge.rules.get(stage.repository, "main", pr=stage.pr))
        assert is_equal_where_known(
            whole.checks, checks, lambda all_: sorted((one.name, str(one.verdict)) for one in all_)
        )
        assert is_equal_where_known(whole.rules, rules, lambda one: is_correct_or_unknown(one.required_approvals, 1))
        assert not isinstance(whole.checks, Unknown) or isinstance(checks, Unknown)

    @needs(PullRequests.readiness)
    async def test_readiness_tells_what_git_says(self, stage: Stage) -> None:
        """Its commits equal those read alone, and `behind` is correct or unknown."""
        whole = await stage.forge.pull_requests.readiness(stage.pr)
        commits = await or_unknown(stage.forge.changes.commits(stage.pr))
        assert is_equal_where_known(whole.commits, commits, lambda all_: [one.sha for one in all_])
        assert is_correct_or_unknown(whole.behind, len(("before", "its merge")))

    @needs(PullRequests.readiness)
    async def test_readiness_of_what_is_none(self, stage: Stage) -> None:
        """The errors for an issue and a missing number differ."""
        await check_issue_number(stage, stage.forge.pull_requests.readiness)
        with expect_missing_number(stage):
            await stage.forge.pull_requests.readiness(stage.missing_pr)

    @needs(PullRequests.dependencies)
    async def test_readiness_waits_for_nothing(self, stage: Stage) -> None:
        """A pull request that nothing blocks has no dependencies."""
        assert list(check_record(await stage.forge.pull_requests.dependencies(stage.pr))) == []

    @needs(PullRequests.retarget, PullRequests.get)
    async def test_retarget_to_the_same_base(self, stage: Stage) -> None:
        """A pull request that has the base already is returned as it is."""
        pull = await stage.forge.pull_requests.get(stage.pr)
        changed = check_record(await stage.forge.pull_requests.retarget(stage.pr, pull.base.branch))
        assert (changed.ref, changed.base, changed.updated_at) == (pull.ref, pull.base, pull.updated_at)

    @needs(PullRequests.update_branch)
    async def test_update_of_another_head_is_refused(self, stage: Stage) -> None:
        """Nothing is merged into a head that the caller has not seen."""
        with pytest.raises(Conflict):
            await stage.forge.pull_requests.update_branch(stage.pr, "0" * 40)
