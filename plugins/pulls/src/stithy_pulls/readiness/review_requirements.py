"""What people's verdicts come to.

A forge that gives a verdict of its own on the reviews knows more than we do: whose approvals count, whom the code
belongs to and who pushed last. Where it says that they suffice, they do.
"""

from collections.abc import Sequence

from attrs import frozen

from stithy_core.spi import Maybe, Review, Unknown, excerpt
from stithy_pulls.phrases import format_count
from stithy_pulls.readiness.merge_facts import MergeFacts, join_names
from stithy_pulls.readiness.merge_requirements import Blocker, Requirement, create_met, create_unmet, evaluate_rule

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


APPROVED, REQUIRED, REJECTED = "APPROVED", "REVIEW_REQUIRED", "CHANGES_REQUESTED"
LACKING = (REQUIRED, REJECTED)


def evaluate_reviews(facts: MergeFacts) -> list[Requirement]:
    """Ask all that is asked about reviews."""
    special = [_code_owners(facts), _last_push(facts)]
    explained = any(part.met is False for part in special)
    return [_rejections(facts), _approvals(facts, explained=explained), *special, _requests(facts)]


def _rejections(facts: MergeFacts) -> Requirement:
    """Find who asked for changes: it stands before the merge also where no rule says so, since a person does."""
    question, found = "whether somebody asked for changes", list_verdicts(facts)
    if isinstance(found, Unknown):
        if facts.whole.decision in {APPROVED, REQUIRED}:
            return create_met(question)
        return (
            create_unmet(question, _rejection(facts, ()))
            if facts.whole.decision
            else Requirement(question=question, met=found)
        )
    against = tuple(review.author.login for review in found if review.state == "changes_requested")
    if against or facts.whole.decision == REJECTED:
        return create_unmet(question, _rejection(facts, against))
    if isinstance(doubt := _unread(facts), Unknown):
        return Requirement(question=question, met=doubt)
    dismissed = [review.author.login for review in found if review.state == "dismissed"]
    return create_met(question, *([f"The review of {join_names(dismissed)} was dismissed."] if dismissed else []))


def _unread(facts: MergeFacts) -> Unknown | None:
    """Say why there may be verdicts that were not read, where the forge gives none of its own."""
    cut = "" if isinstance(facts.whole.reviews, Unknown) else facts.whole.reviews.cut
    return Unknown(f"not all reviews were read: {cut}") if cut and not facts.whole.decision else None


def _rejection(facts: MergeFacts, against: tuple[str, ...]) -> Blocker:
    free = facts.rules.rejection_blocks is False
    return Blocker(
        category="changes_requested",
        description=f"{join_names(against) or 'A reviewer'} asked for changes, and the review is not dismissed"
        + (f" (no rule of {facts.base} makes that block)." if free else "."),
        action_required="Make the changes and ask for another review; somebody with the right may dismiss it instead.",
        actor="reviewer",
        who=against or None,
    )


def _approvals(facts: MergeFacts, *, explained: bool) -> Requirement:
    """Compare the count with what is demanded; `explained` where something else tells why the forge wants more."""
    question, required, found = "whether enough people approved", facts.rules.required_approvals, count_approvals(facts)
    if facts.whole.decision == APPROVED or required == 0:
        return (
            create_met(question)
            if not _wanted(facts, explained=explained)
            else create_unmet(question, _more(facts, None))
        )
    if isinstance(required, Unknown):
        return _of_unknown_many(facts, required, question, explained=explained)
    if isinstance(found, Unknown):
        return (
            create_unmet(question, _more(facts, None))
            if facts.whole.decision == REQUIRED
            else Requirement(question=question, met=found)
        )
    if found.at_most < required:
        return create_unmet(question, _more(facts, required - found.at_most))
    if found.surely < required:
        reason = f"{found.at_most} approved, and whose approval counts is not told for all of them"
        return Requirement(question=question, met=Unknown(reason, "Use a token with write access."))
    return create_unmet(question, _more(facts, None)) if _wanted(facts, explained=explained) else create_met(question)


def _of_unknown_many(facts: MergeFacts, why: Unknown, question: str, *, explained: bool) -> Requirement:
    if _wanted(facts, explained=explained):
        return create_unmet(question, _more(facts, None))
    return create_met(question) if facts.settled else Requirement(question=question, met=why, prover="administrator")


def _wanted(facts: MergeFacts, *, explained: bool) -> bool:
    """Say whether the forge wants another approval, and nothing else tells why."""
    return facts.whole.decision == REQUIRED and not explained


def _more(facts: MergeFacts, missing: int | None) -> Blocker:
    people = list_requested_reviewers(facts)
    others = " of somebody else than who pushed last" if facts.rules.last_push is True else ""
    what = "An approval that counts is missing" if missing is None else _missing(facts, missing)
    return Blocker(
        category="approvals",
        description=f"{what}{f'; asked: {join_names(people)}' if people else '; nobody is asked'}.",
        action_required=f"Get the review{others} of {join_names(people)}." if people else f"Ask for a review{others}.",
        actor="reviewer" if people else "author",
        who=people or None,
    )


def _missing(facts: MergeFacts, missing: int) -> str:
    return f"{missing} of {facts.rules.required_approvals} approvals {'is' if missing == 1 else 'are'} missing"


def _code_owners(facts: MergeFacts) -> Requirement:
    question, owners = "whether the owners of the code approved", facts.whole.owners
    pending = () if isinstance(owners, Unknown) else owners
    blocker = Blocker(
        category="code_owners",
        description=f"{join_names(pending) or 'A code owner'} must approve as a code owner of the changed files.",
        action_required=f"Request a review from {join_names(pending) or 'a code owner (see CODEOWNERS)'}.",
        actor="reviewer",
        who=pending or None,
    )
    return evaluate_rule(question, facts.rules.code_owners, _unowned(facts), blocker, settled=facts.settled)


def _unowned(facts: MergeFacts) -> Maybe[bool]:
    """Say whether an owner's approval is missing: one that is asked has not answered."""
    if facts.whole.decision == APPROVED:
        return False
    owners = facts.whole.owners
    if isinstance(owners, Unknown):
        return owners
    if owners and facts.whole.decision in LACKING:
        return True
    return Unknown("the forge does not say who of those that approved owns the code", "Read CODEOWNERS.")


def _last_push(facts: MergeFacts) -> Requirement:
    question = "whether the latest push was approved by somebody else than who pushed it"
    blocker = Blocker(
        category="last_push",
        description="The latest push has no approval of somebody else than who pushed it.",
        action_required="Get a review of the latest commit.",
        actor="reviewer",
    )
    return evaluate_rule(question, facts.rules.last_push, _unapproved(facts), blocker, settled=facts.settled)


def _unapproved(facts: MergeFacts) -> Maybe[bool]:
    if facts.whole.decision == APPROVED:
        return False
    found = list_verdicts(facts)
    if isinstance(found, Unknown):
        return found
    head = facts.pull.head.commit
    approvals = [review for review in found if review.state == "approved" and review.commit == head]
    if not approvals:
        return True
    # Of two people one did not push.
    return (
        False if len(approvals) > 1 else Unknown("the forge does not say who pushed last", "Ask for a second review.")
    )


def _requests(facts: MergeFacts) -> Requirement:
    """Ask for reviews that were asked for, which block on some forges."""
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
    """Give how many approvals count."""
    found = count_approvals(facts)
    if isinstance(found, Unknown) or found.surely == found.at_most:
        return found if isinstance(found, Unknown) else found.surely
    least, most = format_count(found.surely, "approval"), found.at_most
    return Unknown(f"{least} surely and {excerpt(str(most))} at most count", "Use a token with write access.")
