"""What happened."""

from stithy_core.spi import Comments, Issues
from stithy_testing.conformance.facts import ascending, distinct, listing
from stithy_testing.conformance.refusals import absent_repository, missing_number
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs

KINDS = {
    "commented",
    "reviewed",
    "review_commented",
    "committed",
    "pushed",
    "force_pushed",
    "merged",
    "closed",
    "reopened",
    "labeled",
    "unlabeled",
    "assigned",
    "unassigned",
    "renamed",
    "referenced",
    "review_requested",
    "review_request_removed",
    "review_dismissed",
    "locked",
    "unlocked",
    "milestoned",
    "demilestoned",
    "base_changed",
    "head_deleted",
    "head_restored",
    "ready_for_review",
    "converted_to_draft",
}
"""The words of the model; see `stithy_core.spi.Event`."""


class Timelines:
    """`Issues.timeline`."""

    @needs(Issues.timeline)
    async def test_timeline_oldest_first(self, stage: Stage) -> None:
        """Events come in their order, and none of them twice."""
        for subject in (stage.issue, stage.pr, stage.merged):
            events = listing(await stage.forge.issues.timeline(subject))
            assert ascending(event.at for event in events)
            assert distinct(event.id for event in events)

    @needs(Issues.timeline)
    async def test_timeline_is_stable(self, stage: Stage) -> None:
        """Read again, it has the same events with the same ids."""
        first, second = [await stage.forge.issues.timeline(stage.pr) for _ in range(2)]
        assert [event.id for event in first] == [event.id for event in second]

    @needs(Issues.timeline)
    async def test_timeline_in_words_of_the_model(self, stage: Stage) -> None:
        """A kind is one of the model's words, or the forge's own where the model has none."""
        for event in await stage.forge.issues.timeline(stage.pr):
            assert event.kind in KINDS or event.kind == event.raw

    @needs(Issues.timeline, Comments.list)
    async def test_timeline_has_the_comments(self, stage: Stage) -> None:
        """What was said is in it, in full, by the comments' ids."""
        for subject in (stage.issue, stage.pr):
            events = [event for event in await stage.forge.issues.timeline(subject) if event.kind == "commented"]
            comments = await stage.forge.comments.list(subject)
            assert [(one.subject, one.text) for one in events] == [(one.id, one.body) for one in comments]
            assert {one.actor.login for one in events if one.actor} == {stage.author}

    @needs(Issues.timeline)
    async def test_timeline_tells_ends(self, stage: Stage) -> None:
        """A merge and a closing are told by the model's words, and by whom."""
        for subject, word in ((stage.merged, "merged"), (stage.closed, "closed")):
            events = [event for event in await stage.forge.issues.timeline(subject) if event.kind == word]
            assert [event.actor.login for event in events if event.actor] == [stage.author]

    @needs(Issues.timeline)
    async def test_timeline_up_to_a_number(self, stage: Stage) -> None:
        """`most` is kept to, and the listing says that it was cut."""
        found = await stage.forge.issues.timeline(stage.issue, most=2)
        whole = await stage.forge.issues.timeline(stage.issue)
        assert [event.id for event in found] == [event.id for event in whole[:2]]
        assert found.cut

    @needs(Issues.timeline)
    async def test_timeline_of_what_is_missing(self, stage: Stage) -> None:
        """A missing number is told from a missing repository."""
        with missing_number(stage):
            await stage.forge.issues.timeline(stage.missing_issue)
        with absent_repository(stage):
            await stage.forge.issues.timeline(stage.absent_issue)
