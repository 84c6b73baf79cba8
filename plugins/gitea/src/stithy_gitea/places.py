"""Where in the diff the comments of reviews stand, remembered, so that an answer need not read every review again.

The API has no way from a comment to its thread but to read all reviews, one by one. A comment's place never changes,
and a review tells how many comments it has: of one that has as many as were read of it, it is known where they stand.
What they say, and whether they are resolved, is not remembered. Each token has a memory of its own: what one caller may
see, another may not.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from stithy_core.spi import PullRequestRef

if TYPE_CHECKING:
    from stithy_core.spi import Forge

Row = Mapping[str, Any]
Place = tuple[str, str, int]

MOST = 128
"""Pull requests that a forge remembers, those of all tokens together."""


def place_of(row: Row) -> Place:
    """Read where a comment stands: both positions are lines of a file, and the one that is not used is 0."""
    if old := row.get("original_position"):
        return row.get("path") or "", "LEFT", old
    return row.get("path") or "", "RIGHT", row.get("position") or 0


Pulls = OrderedDict[tuple[str, str], dict[str, dict[str, Place]]]
"""By token and pull request, the longest unused first: by review and comment, where it stands."""


class Places:
    """What is known of the pull requests that were read last.

    Args:
        identity: The token's that reads them.
        pulls: What is known to all tokens.
    """

    def __init__(self, identity: str, pulls: Pulls) -> None:
        self._identity = identity
        self._pulls = pulls

    def note(self, pr: PullRequestRef, review: Row, rows: Iterable[Row]) -> None:
        """Remember the comments of one review as they were read."""
        self._get_reviews(pr)[str(review["id"])] = {str(row["id"]): place_of(row) for row in rows}
        while len(self._pulls) > MOST:
            self._pulls.popitem(last=False)

    def has_all_comments(self, pr: PullRequestRef, review: Row) -> bool:
        """Return whether all comments of a review were read."""
        found = self._get_reviews(pr).get(str(review["id"]))
        return found is not None and len(found) == review.get("comments_count")

    def find(self, pr: PullRequestRef, reviews: Iterable[Row], comment: str) -> Place | None:
        """Find where a comment of one of these reviews stands."""
        held = (self._review_places(pr, review) for review in reviews)
        return next((places[comment] for places in held if comment in places), None)

    def has_comment_at(self, pr: PullRequestRef, review: Row, place: Place) -> bool:
        """Return whether a review has a comment at a place."""
        return place in self._review_places(pr, review).values()

    def _review_places(self, pr: PullRequestRef, review: Row) -> dict[str, Place]:
        return self._get_reviews(pr).get(str(review["id"]), {})

    def _get_reviews(self, pr: PullRequestRef) -> dict[str, dict[str, Place]]:
        key = self._identity, str(pr).lower()
        self._pulls[key] = self._pulls.pop(key, {})
        return self._pulls[key]


async def places_of(forge: "Forge") -> Places:
    """Return what is remembered of a forge for the token that is used now."""
    return Places(await forge.token_identity(), await forge.once(Places, _create_pulls, by_token=False))


async def _create_pulls() -> Pulls:
    return OrderedDict()
