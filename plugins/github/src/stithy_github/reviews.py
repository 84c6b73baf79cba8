"""Reviews of pull requests."""

from stithy_core.spi import Listing, PullRequestRef, Review, Reviews
from stithy_github.comments_mapping import to_review
from stithy_github.listings import PAGE_SIZE
from stithy_github.mapping import pull_path
from stithy_github.not_found_errors import read_from_pull_request


class GitHubReviews(Reviews):
    """Reviews, including pending ones of the token's user."""

    async def list(self, pr: PullRequestRef) -> Listing[Review]:
        """Return all reviews, oldest first, as GitHub lists them."""
        reading = self.forge.http.items(f"{pull_path(pr)}/reviews", size=PAGE_SIZE)
        return (await read_from_pull_request(self.forge, pr, reading)).map(to_review)
