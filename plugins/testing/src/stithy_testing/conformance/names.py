"""Names that a repository had before, and repositories that take no more writes."""

import pytest

from stithy_core.spi import (
    Archived,
    Changes,
    Comments,
    IssueRef,
    Issues,
    Moved,
    PullRequestRef,
    PullRequests,
    RepositoryRef,
    Threads,
)
from stithy_testing.conformance.comments import said
from stithy_testing.conformance.facts import listing
from stithy_testing.conformance.refusals import refusal
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs


def former_name(stage: Stage) -> RepositoryRef:
    """Give a name of before, or skip the test."""
    return stage.former or pytest.skip("no former name was prepared here")


def archived_issue(stage: Stage) -> IssueRef:
    """Give an issue in an archive, or skip the test."""
    return stage.archived or pytest.skip("no archived repository was prepared here")


class FormerNames:
    """What a name of before is good for."""

    @needs(PullRequests.get, Issues.get, Changes.repository)
    async def test_former_name_is_read(self, stage: Stage) -> None:
        """A former name leads to the repository, and what is read has the present one."""
        former, forge = former_name(stage), stage.forge
        assert str((await forge.issues.get(IssueRef(former, stage.issue.number))).ref) == str(stage.issue)
        assert str((await forge.pull_requests.get(PullRequestRef(former, stage.pr.number))).ref) == str(stage.pr)
        assert (await forge.changes.repository(former)).ref == stage.repository

    @needs(Comments.list)
    async def test_former_name_leads_to_lists(self, stage: Stage) -> None:
        """Lists are read by a former name, too."""
        subject = IssueRef(former_name(stage), stage.issue.number)
        assert [one.body for one in listing(await stage.forge.comments.list(subject))] == ["first", "second", "third"]

    @needs(Comments.create, Comments.list)
    async def test_former_name_takes_no_comment(self, stage: Stage) -> None:
        """A write by a former name is refused with the present one, and nothing is written."""
        with refusal(Moved, str(stage.repository)):
            await stage.forge.comments.create(IssueRef(former_name(stage), stage.issue.number), "Hello.")
        assert await said(stage, stage.issue) == ["first", "second", "third"]

    @needs(Threads.reply, Threads.list)
    async def test_former_name_takes_no_reply(self, stage: Stage) -> None:
        """So is an answer in a thread."""
        former = former_name(stage)
        before = await stage.forge.threads.list(stage.pr)
        with refusal(Moved, str(stage.repository)):
            await stage.forge.threads.reply(PullRequestRef(former, stage.pr.number), before[0].id, "Because.")
        assert list(await stage.forge.threads.list(stage.pr)) == list(before)


class Archives:
    """What an archive is good for."""

    @needs(Comments.create, Comments.list)
    async def test_archive_takes_no_comment(self, stage: Stage) -> None:
        """A write to an archived repository is refused, and nothing is written."""
        subject = archived_issue(stage)
        before = await said(stage, subject)
        with refusal(Archived, str(subject.repository)):
            await stage.forge.comments.create(subject, "Hello.")
        assert await said(stage, subject) == before

    @needs(Issues.get, Changes.repository)
    async def test_archive_is_read(self, stage: Stage) -> None:
        """It is read as ever, and says what it is."""
        subject = archived_issue(stage)
        assert str((await stage.forge.issues.get(subject)).ref) == str(subject)
        assert (await stage.forge.changes.repository(subject.repository)).archived is True
