"""Requirements about reviews: approvals, requested changes, code owners and the latest push.

A forge with a review decision of its own knows more than the API tells: whose approvals count, who owns the code and
who pushed last. If the forge says that the reviews suffice, they do.
"""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import Maybe, Review, Unknown
from stithy_pulls.readiness.merge_facts import MergeFacts, join_names
from stithy_pulls.readiness.merge_requirements import Blocker, Requirement, create_met, create_unmet, evaluate_rule

SETTLING = ("approved", "changes_requested", "dismissed")
"""Review states that replace a person's earlier verdict; a comment does not."""


@frozen
class ApprovalCount:
    """How many approvals certainly count, and how many may count if something about them is unknown."""

    surely: int
    at_most: int


def list_verdicts(facts: MergeFacts) -> Maybe[Sequence[Review]]:
    """Return the current review of each person whose verdict counts or may count; one without a time is current."""
    found = facts.whole.reviews
    if isinstance(found, Unknown):
        return found
    ordered = sorted(found, key=lambda review: review.submitted_at is None)
    latest = {review.author.key: review for review in ordered if review.state in SETTLING}
    return [review for review in latest.values() if review.official is not False]


def count_approvals(facts: MergeFacts) -> Maybe[ApprovalCount]:
    """Count the approvals."""
    found = list_verdicts(facts)
    if isinstance(found, Unknown):
        return found
    approvals = [one for one in found if one.state == "approved" and not _is_dismissed_as_stale(facts, one)]
    surely = [one for one in approvals if one.official is True and not _is_doubtful(facts, one)]
    cut = not isinstance(facts.whole.reviews, Unknown) and facts.whole.reviews.cut
    return ApprovalCount(len(surely), 1_000 if cut else len(approvals))


def _is_dismissed_as_stale(facts: MergeFacts, review: Review) -> bool:
    return review.stale is True and facts.rules.dismisses_stale is True


def _is_doubtful(facts: MergeFacts, review: Review) -> bool:
    """Return whether an approval precedes the last push, and it is unknown whether that dismisses it."""
    return review.stale is True and isinstance(facts.rules.dismisses_stale, Unknown)


def list_requested_reviewers(facts: MergeFacts) -> tuple[str, ...]:
    """Return the people and teams whose requested review is missing."""
    people = facts.pull.requested_reviewers
    logins = () if isinstance(people, Unknown) else tuple(user.login for user in people)
    return (*logins, *(f"team {team}" for team in facts.pull.requested_teams))


APPROVED, REQUIRED, REJECTED = "APPROVED", "REVIEW_REQUIRED", "CHANGES_REQUESTED"
LACKING = (REQUIRED, REJECTED)


def evaluate_reviews(facts: MergeFacts) -> list[Requirement]:
    """Evaluate all requirements about reviews."""
    special = [_evaluate_code_owners(facts), _evaluate_last_push(facts)]
    explained = any(part.met is False for part in special)
    return [
        _evaluate_rejections(facts),
        _evaluate_approvals(facts, explained=explained),
        *special,
        _evaluate_requests(facts),
    ]


def _evaluate_rejections(facts: MergeFacts) -> Requirement:
    """Evaluate whether a reviewer requested changes. That blocks the merge without a rule, too: a person objects."""
    question, found = "whether a reviewer requested changes", list_verdicts(facts)
    if isinstance(found, Unknown):
        if facts.whole.decision in {APPROVED, REQUIRED}:
            return create_met(question)
        return (
            create_unmet(question, _create_rejection(facts, ()))
            if facts.whole.decision
            else Requirement(question=question, met=found)
        )
    against = tuple(review.author.login for review in found if review.state == "changes_requested")
    if against or facts.whole.decision == REJECTED:
        return create_unmet(question, _create_rejection(facts, against))
    if isinstance(doubt := _doubt_unread(facts), Unknown):
        return Requirement(question=question, met=doubt)
    dismissed = [review.author.login for review in found if review.state == "dismissed"]
    return create_met(question, *([f"The review of {join_names(dismissed)} was dismissed."] if dismissed else []))


def _doubt_unread(facts: MergeFacts) -> Unknown | None:
    """Return why there may be unread reviews; None if all were read, or the forge has a decision of its own."""
    cut = "" if isinstance(facts.whole.reviews, Unknown) else facts.whole.reviews.cut
    return Unknown(f"not all reviews were read: {cut}") if cut and not facts.whole.decision else None


def _create_rejection(facts: MergeFacts, against: tuple[str, ...]) -> Blocker:
    free = facts.rules.rejection_blocks is False
    return Blocker(
        category="changes_requested",
        description=f"{join_names(against) or 'A reviewer'} requested changes, and the review is not dismissed"
        + (f" (no rule of {facts.base} makes it block)." if free else "."),
        action_required="Make the changes and request another review, or have a maintainer dismiss the review.",
        actor="reviewer",
        who=against or None,
    )


def _evaluate_approvals(facts: MergeFacts, *, explained: bool) -> Requirement:
    """Compare the approvals with the required number.

    `explained` says that another requirement explains why the forge wants another review.
    """
    question, required, found = "whether enough people approved", facts.rules.required_approvals, count_approvals(facts)
    if facts.whole.decision == APPROVED or required == 0:
        return (
            create_met(question)
            if not _is_another_wanted(facts, explained=explained)
            else create_unmet(question, _create_approval_blocker(facts, None))
        )
    if isinstance(required, Unknown):
        return _evaluate_hidden_number(facts, required, question, explained=explained)
    if isinstance(found, Unknown):
        return (
            create_unmet(question, _create_approval_blocker(facts, None))
            if facts.whole.decision == REQUIRED
            else Requirement(question=question, met=found)
        )
    if found.at_most < required:
        return create_unmet(question, _create_approval_blocker(facts, required - found.at_most))
    if found.surely < required:
        reason = f"{found.at_most} approved, and the forge does not say whose approvals count"
        return Requirement(question=question, met=Unknown(reason, "Use a token with write access."))
    return (
        create_unmet(question, _create_approval_blocker(facts, None))
        if _is_another_wanted(facts, explained=explained)
        else create_met(question)
    )


def _evaluate_hidden_number(facts: MergeFacts, why: Unknown, question: str, *, explained: bool) -> Requirement:
    if _is_another_wanted(facts, explained=explained):
        return create_unmet(question, _create_approval_blocker(facts, None))
    return create_met(question) if facts.settled else Requirement(question=question, met=why, prover="administrator")


def _is_another_wanted(facts: MergeFacts, *, explained: bool) -> bool:
    """Return whether the forge wants another approval that no other requirement explains."""
    return facts.whole.decision == REQUIRED and not explained


def _create_approval_blocker(facts: MergeFacts, missing: int | None) -> Blocker:
    people = list_requested_reviewers(facts)
    others = " by somebody other than the last pusher" if facts.rules.last_push is True else ""
    what = "An approval that counts is missing" if missing is None else _format_missing(facts, missing)
    return Blocker(
        category="approvals",
        description=f"{what}{f'; requested: {join_names(people)}' if people else '; no review is requested'}.",
        action_required=f"Get a review{others} from {join_names(people)}." if people else f"Request a review{others}.",
        actor="reviewer" if people else "author",
        who=people or None,
    )


def _format_missing(facts: MergeFacts, missing: int) -> str:
    return f"{missing} of {facts.rules.required_approvals} approvals {'is' if missing == 1 else 'are'} missing"


def _evaluate_code_owners(facts: MergeFacts) -> Requirement:
    question, owners = "whether the code owners approved", facts.whole.owners
    pending = () if isinstance(owners, Unknown) else owners
    blocker = Blocker(
        category="code_owners",
        description=f"{join_names(pending) or 'A code owner'} must approve as a code owner of the changed files.",
        action_required=f"Request a review from {join_names(pending) or 'a code owner (see CODEOWNERS)'}.",
        actor="reviewer",
        who=pending or None,
    )
    return evaluate_rule(
        question, facts.rules.code_owners, _is_owner_approval_missing(facts), blocker, settled=facts.settled
    )


def _is_owner_approval_missing(facts: MergeFacts) -> Maybe[bool]:
    """Return whether an approval of a code owner is missing: a requested owner has not answered."""
    if facts.whole.decision == APPROVED:
        return False
    owners = facts.whole.owners
    if isinstance(owners, Unknown):
        return owners
    if owners and facts.whole.decision in LACKING:
        return True
    return Unknown("the forge does not say which of the approving reviewers own the code", "See CODEOWNERS.")


def _evaluate_last_push(facts: MergeFacts) -> Requirement:
    question = "whether the latest push was approved by somebody other than its pusher"
    blocker = Blocker(
        category="last_push",
        description="The latest push has no approval by somebody other than its pusher.",
        action_required="Get a review of the latest commit.",
        actor="reviewer",
    )
    return evaluate_rule(question, facts.rules.last_push, _is_push_unapproved(facts), blocker, settled=facts.settled)


def _is_push_unapproved(facts: MergeFacts) -> Maybe[bool]:
    if facts.whole.decision == APPROVED:
        return False
    found = list_verdicts(facts)
    if isinstance(found, Unknown):
        return found
    of_head = [_is_of_head(facts, review) for review in found if review.state == "approved"]
    surely = of_head.count(True)
    if surely > 1:  # of two approving people, at least one did not push
        return False
    unclear = next((one for one in of_head if isinstance(one, Unknown)), None)
    if surely == 0:
        return True if unclear is None else unclear
    return Unknown("the forge does not say who pushed last", "Request a second review.")


def _is_of_head(facts: MergeFacts, review: Review) -> Maybe[bool]:
    """Return whether a review is of the current head."""
    if review.commit:
        return review.commit == facts.pull.head.commit
    if isinstance(review.stale, Unknown):
        return Unknown("the forge does not say which commit was approved", "Request another review.")
    return not review.stale


def _evaluate_requests(facts: MergeFacts) -> Requirement:
    """Evaluate requested reviews that are missing, which block on some forges."""
    people, unread = list_requested_reviewers(facts), facts.pull.requested_reviewers
    violated = unread if isinstance(unread, Unknown) and not people else bool(people)
    blocker = Blocker(
        category="review_requested",
        description=f"A requested review is missing: {join_names(people)}. It blocks if their approval counts.",
        action_required="Get the review, or withdraw the request.",
        actor="reviewer",
        who=people,
    )
    question = "whether an open request for a review blocks"
    return evaluate_rule(question, facts.rules.requests_block, violated, blocker, settled=facts.settled)


def count_current_approvals(facts: MergeFacts) -> Maybe[int]:
    """Return how many approvals count."""
    found = count_approvals(facts)
    if isinstance(found, Unknown) or found.surely == found.at_most:
        return found if isinstance(found, Unknown) else found.surely

    return Unknown(f"between {found.surely} and {found.at_most} approvals count", "Use a token with write access.")
