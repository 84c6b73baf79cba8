"""Verdicts on pull requests."""

from stithy_core.spi import Listing, NotFound, PullRequestRef, Review, Reviews
from stithy_github.absence import absent_pull_request
from stithy_github.mapping import pull_path
from stithy_github.remarks import to_review

PAGE = 100


class GitHubReviews(Reviews):
    """Reviews, with those of the token's user that were begun and not sent."""

    async def of(self, pr: PullRequestRef) -> Listing[Review]:
        """Read all reviews, oldest first, as GitHub lists them."""
        try:
            return (await self.forge.http.items(f"{pull_path(pr)}/reviews", size=PAGE)).map(to_review)
        except NotFound as error:
            raise await absent_pull_request(self.forge, pr, error) from error
