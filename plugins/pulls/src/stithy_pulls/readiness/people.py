"""Whose verdict each person has given, and whose approval counts."""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import Maybe, Review, Unknown
from stithy_pulls.readiness.facts import MergeFacts

SETTLING = ("approved", "changes_requested", "dismissed")
"""A remark changes nobody's verdict."""


@frozen
class ApprovalCount:
    """How many approvals count: surely, and at most, where something about them is not known."""

    surely: int
    at_most: int


def list_verdicts(facts: MergeFacts) -> Maybe[Sequence[Review]]:
    """Give the present verdict of each person who may give one; people whose word does not count have none."""
    found = facts.whole.reviews
    if isinstance(found, Unknown):
        return found
    latest = {review.author.login: review for review in found if review.state in SETTLING}
    return [review for review in latest.values() if review.official is not False]


def count_approvals(facts: MergeFacts) -> Maybe[ApprovalCount]:
    """Count the approvals."""
    found = list_verdicts(facts)
    if isinstance(found, Unknown):
        return found
    approvals = [one for one in found if one.state == "approved" and not _outdated(facts, one)]
    surely = [one for one in approvals if one.official is True and not _doubtful(facts, one)]
    cut = not isinstance(facts.whole.reviews, Unknown) and facts.whole.reviews.cut
    return ApprovalCount(len(surely), 1_000 if cut else len(approvals))


def _outdated(facts: MergeFacts, review: Review) -> bool:
    return review.stale is True and facts.rules.dismisses_stale is True


def _doubtful(facts: MergeFacts, review: Review) -> bool:
    """Say whether it was given before the last push, and nobody knows whether that takes it away."""
    return review.stale is True and isinstance(facts.rules.dismisses_stale, Unknown)


def list_requested_reviewers(facts: MergeFacts) -> tuple[str, ...]:
    """Give who is asked for a review and has not answered."""
    people = facts.pull.requested_reviewers
    logins = () if isinstance(people, Unknown) else tuple(user.login for user in people)
    return (*logins, *(f"team {team}" for team in facts.pull.requested_teams))
