"""Who should look at it: code owners, authors of the touched lines and earlier reviewers, with reasons and counts."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, PullRequest, Unknown, UserKind
from stithy_pulls.impact.activity import YEAR
from stithy_pulls.impact.people import ReviewerCandidate
from stithy_pulls.words import many

MOST = 5
NO_ACCOUNT = Unknown("the forge knows no account for this author's commits", "Ask somebody of the project.")


@frozen(kw_only=True)
class SuggestedReviewer:
    """Somebody who knows what changes.

    Args:
        username: The account, or `organization/team`.
        name: The author's name in git, where no account is known.
        kind: person or team.
        reason: What speaks for it, in counts.
        confidence: The share of the touched lines that they own or wrote, from 0 to 1.
        owned_files: How many of the files they own.
        written_lines: How many of the touched lines they wrote.
        reviewed: Earlier pull requests on the same files that they reviewed.
        last_active: When a commit or a review of theirs was seen last.
        already: Whether they were asked to review it.
    """

    username: Maybe[str]
    name: str | None
    kind: Literal["person", "team"]
    reason: Annotated[str, Meta(cut=False)]
    confidence: float
    owned_files: int
    written_lines: int
    reviewed: tuple[int, ...]
    last_active: str | None
    already: Literal["requested"] | None


@frozen(kw_only=True)
class ExcludedReviewer:
    """Somebody whom the same facts speak for, and why nobody should wait for them."""

    username: str
    why: str


@frozen
class ReviewerRanking:
    """The best ones, and who is not among them though something spoke for them.

    Args:
        reviewers: The best first.
        left_out: The others.
        unread_reviews: Of how many earlier pull requests the reviews could not be read.
    """

    reviewers: tuple[SuggestedReviewer, ...]
    left_out: tuple[ExcludedReviewer, ...]
    unread_reviews: int = 0


@frozen
class RankingContext:
    """What decides about people beside what they did.

    Args:
        pull: The pull request.
        weights: The touched lines of each file.
        now: By the forge's clock.
        unmapped: How many active authors have no account that is known: an owner may be one of them.
    """

    pull: PullRequest
    weights: Mapping[str, int]
    now: datetime
    unmapped: int


def rank_reviewers(people: Iterable[ReviewerCandidate], around: RankingContext) -> ReviewerRanking:
    """Choose; bots are never among them, nor whoever wrote the pull request."""
    rows: list[tuple[float, ReviewerCandidate]] = []
    left_out: list[ExcludedReviewer] = []
    for person in people:
        is_author = person.is_author or person.login.lower() == around.pull.author.login.lower()
        if is_author or not (person.owns or person.wrote or person.reviewed):
            continue
        if why := _why_not(person, around):
            left_out.append(ExcludedReviewer(username=person.login or person.name, why=why))
        else:
            rows.append((_share(person, around.weights), person))
    rows = [(share, person) for share, person in rows if share or person.owns or person.reviewed]
    rows.sort(key=lambda row: (-row[0], -len(row[1].reviewed), row[1].login or row[1].name))
    return ReviewerRanking(tuple(_row(share, person, around) for share, person in rows[:MOST]), tuple(left_out[:MOST]))


def _why_not(person: ReviewerCandidate, around: RankingContext) -> str:
    if person.is_bot:
        return "a bot"
    if person.kind is UserKind.GHOST:
        return "the account was deleted"
    if person.last is not None and around.now - person.last > YEAR:
        return f"no commit or review since {person.last:%Y-%m-%d}"
    if person.last is None and not person.is_team and (person.wrote or not around.unmapped):
        return "no commit or review of the last 12 months was found"
    return ""


def _share(person: ReviewerCandidate, weights: Mapping[str, int]) -> float:
    total = sum(weights.values())
    of_it = sum(
        weights.get(path, 0) if path in person.owns else person.wrote[path] for path in {*person.owns, *person.wrote}
    )
    return round(min(of_it / total, 1.0), 2) if total else 0.0


def _row(share: float, person: ReviewerCandidate, around: RankingContext) -> SuggestedReviewer:
    return SuggestedReviewer(
        username=person.login or NO_ACCOUNT,
        name=None if person.login else person.name,
        kind="team" if person.is_team else "person",
        reason="; ".join(_reasons(person, around)),
        confidence=share,
        owned_files=len(person.owns),
        written_lines=person.wrote.total(),
        reviewed=tuple(sorted(person.reviewed)),
        last_active=f"{person.last:%Y-%m-%d}" if person.last else None,
        already="requested" if _is_requested(person, around.pull) else None,
    )


def _reasons(person: ReviewerCandidate, around: RankingContext) -> Sequence[str]:
    found = []
    if person.owns:
        lines = ", ".join(map(str, sorted(set(person.owns.values()))[:3]))
        found.append(f"owns {len(person.owns):,} of {many(len(around.weights), 'file')} (code owners, line {lines})")
    if person.wrote:
        total, files = many(sum(around.weights.values()), "touched line"), many(len(person.wrote), "file")
        found.append(f"wrote {person.wrote.total():,} of {total}, in {files}")
    if person.reviewed:
        numbers = ", ".join(f"#{number}" for number in sorted(person.reviewed)[-3:])
        found.append(f"reviewed {many(len(person.reviewed), 'earlier pull request')} on these files ({numbers})")
    if person.last is None and not person.is_team:
        found.append("when they were last active is not known")
    return found


def _is_requested(person: ReviewerCandidate, pull: PullRequest) -> bool:
    if person.is_team:
        return person.login.partition("/")[2].lower() in {
            team.rpartition("/")[2].lower() for team in pull.requested_teams
        }
    asked = pull.requested_reviewers
    return not isinstance(asked, Unknown) and person.login.lower() in {user.login.lower() for user in asked}
