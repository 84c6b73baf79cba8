"""Verdicts on pull requests."""

from stithy_core.spi import Listing, PullRequestRef, Review, Reviews
from stithy_github.absence import of_pull_request
from stithy_github.comments_mapping import to_review
from stithy_github.counting import PAGE
from stithy_github.mapping import pull_path


class GitHubReviews(Reviews):
    """Reviews, with those of the token's user that were begun and not sent."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Read all reviews, oldest first, as GitHub lists them."""
        reading = self.forge.http.items(f"{pull_path(pr)}/reviews", size=PAGE)
        return (await of_pull_request(self.forge, pr, reading)).map(to_review)
