"""Verdicts of people."""

from stithy_core.spi import PullRequests, Reviews
from stithy_testing.conformance.facts import ascending, distinct, listing
from stithy_testing.conformance.refusals import absent_repository, an_issue, missing_number
from stithy_testing.conformance.stage import Stage
from stithy_testing.conformance.support import needs


class ReviewFacts:
    """`Reviews.list`."""

    @needs(Reviews.list)
    async def test_reviews_oldest_first(self, stage: Stage) -> None:
        """All are read, in the order in which they were submitted."""
        reviews = listing(await stage.forge.reviews.list(stage.pr))
        assert reviews[0].body == "Some remarks."
        assert len(reviews) > 1
        assert ascending(review.submitted_at for review in reviews)
        assert distinct(review.id for review in reviews)

    @needs(Reviews.list)
    async def test_reviews_in_words_of_the_model(self, stage: Stage) -> None:
        """What is no verdict is `commented`, on every forge."""
        reviews = await stage.forge.reviews.list(stage.pr)
        assert {(review.author.login, review.state) for review in reviews} == {(stage.author, "commented")}
        assert all(review.submitted_at for review in reviews)

    @needs(Reviews.list, PullRequests.get)
    async def test_reviews_name_their_commit(self, stage: Stage) -> None:
        """A review says on which commit it was given, where the forge tells."""
        head = (await stage.forge.pull_requests.get(stage.pr)).head.commit
        assert {review.commit for review in await stage.forge.reviews.list(stage.pr)} <= {head, ""}

    @needs(Reviews.list)
    async def test_reviews_of_nobody(self, stage: Stage) -> None:
        """None is an empty listing."""
        assert listing(await stage.forge.reviews.list(stage.draft)) == []

    @needs(Reviews.list)
    async def test_reviews_of_what_is_none(self, stage: Stage) -> None:
        """An issue, a missing number and a missing repository are told apart."""
        with an_issue():
            await stage.forge.reviews.list(stage.issue_as_pr)
        with missing_number(stage):
            await stage.forge.reviews.list(stage.missing_pr)
        with absent_repository(stage):
            await stage.forge.reviews.list(stage.absent_pr)
