"""Suggest reviewers, with the reasons and the terms of each score; teams stand beside people."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

from attrs import frozen

from stithy_core.spi import Maybe, Meta, PullRequest, Unknown, UserKind, format_count
from stithy_pulls.impact.branch_activity import YEAR
from stithy_pulls.impact.merge_decisions import MergeDecision
from stithy_pulls.impact.reviewer_candidates import CandidateIndex, ReviewerCandidate
from stithy_pulls.impact.reviewer_terms import (
    WEIGHTS,
    DecisionWeights,
    TermContext,
    TermName,
    measure_candidate,
    weigh_decisions,
)

MOST = 5
NO_ACCOUNT = Unknown("the forge has no account for this author's commits", "Ask a maintainer of the project.")


@frozen(kw_only=True)
class SuggestedReviewer:
    """A suggested reviewer.

    Args:
        username: The account, or `organization/team`.
        name: The author's name in git, if no account is known.
        kind: person or team.
        reason: The reasons, with counts.
        confidence: The sum of `terms`, from 0 to 1; of a team, the share of the changed lines that it owns.
        terms: By name, what each adds to `confidence`; see `WEIGHTS`. None of a team.
        owned_files: How many of the files they own.
        written_lines: How many of the changed lines they wrote.
        reviewed: Earlier pull requests on the same files that they reviewed.
        last_active: The date of their last commit or review.
        already: Whether their review is already requested.
    """

    username: Maybe[str]
    name: str | None
    kind: Literal["person", "team"]
    reason: Annotated[str, Meta(cut=False)]
    confidence: float
    terms: Mapping[str, float] | None
    owned_files: int
    written_lines: int
    reviewed: tuple[int, ...]
    last_active: str | None
    already: Literal["requested"] | None


@frozen(kw_only=True)
class ExcludedReviewer:
    """A candidate who is not suggested, and why."""

    username: str
    why: str


@frozen
class ReviewerRanking:
    """The suggested reviewers, and the excluded candidates.

    Args:
        reviewers: The best first.
        teams: Teams that own files, the largest share first; they take no place of a person.
        left_out: The excluded candidates.
        unsuggested: Why no person is suggested; empty if one is.
        unread_reviews: How many earlier pull requests have unreadable reviews.
    """

    reviewers: tuple[SuggestedReviewer, ...]
    teams: tuple[SuggestedReviewer, ...]
    left_out: tuple[ExcludedReviewer, ...]
    unsuggested: str = ""
    unread_reviews: int = 0


@frozen
class RankingContext:
    """What the ranking depends on beside the candidates.

    Args:
        pull: The pull request.
        weights: By path, the number of changed lines.
        now: The forge's time, UTC.
        unmapped: How many active authors have no known account: an owner may be one of them.
    """

    pull: PullRequest
    weights: Mapping[str, int]
    now: datetime
    unmapped: int


def rank_reviewers(
    people: CandidateIndex, decisions: Sequence[MergeDecision], around: RankingContext
) -> ReviewerRanking:
    """Rank the candidates. Bots and authors of the pull request are never suggested.

    Args:
        people: The candidates.
        decisions: The changes that their `decided` refers to.
        around: What else the ranking depends on.
    """
    left_out: list[ExcludedReviewer] = []
    fitting: list[ReviewerCandidate] = []
    authors = 0
    for person in people:
        if not (person.owns or person.wrote or person.reviewed or person.decided):
            continue
        if is_author_of(person, around.pull):
            authors += 1
        elif why := explain_exclusion(person, around):
            left_out.append(ExcludedReviewer(username=person.login or person.name, why=why))
        else:
            fitting.append(person)
    terms = build_term_context(people, decisions, around)
    exact = {id(person): _compute_score(measure_candidate(person, terms)) for person in fitting}
    fitting.sort(key=lambda person: (-exact[id(person)], person.login, person.name))
    rows = [_create_reviewer(person, terms, around) for person in fitting]
    rows.sort(key=lambda row: (-row.confidence, -len(row.reviewed)))  # equal ones stay in the order of exact scores
    reviewers = tuple(row for row in rows if row.kind == "person")[:MOST]
    return ReviewerRanking(
        reviewers,
        tuple(row for row in rows if row.kind == "team")[:MOST],
        tuple(left_out[:MOST]),
        "" if reviewers else _explain_nobody(authors, len(left_out)),
    )


def is_author_of(person: ReviewerCandidate, pull: PullRequest) -> bool:
    """Return whether a candidate opened the pull request or wrote a commit of it."""
    return person.is_author or (bool(person.login) and person.login.lower() == pull.author.login.lower())


def build_term_context(
    people: CandidateIndex, decisions: Sequence[MergeDecision], around: RankingContext
) -> TermContext:
    """Weigh the decisions for a pull request."""

    def is_author(decision: MergeDecision) -> bool:
        return is_author_of(people.find_by_address(decision.author), around.pull)

    decided = {place for person in people for place in person.decided}
    return TermContext(
        decisions=weigh_decisions(decisions, decided, around.weights, is_author),
        lines=around.weights,
        now=around.now,
    )


def _explain_nobody(authors: int, left_out: int) -> str:
    if left_out:
        return f"{format_count(left_out, 'candidate')} excluded: bots, or inactive for twelve months"
    if authors:
        return "only its authors own or wrote this code, and git records nobody else who merged or reviewed"
    return "no owner, author or reviewer of this code was found, and git records nobody who merged"


def explain_exclusion(person: ReviewerCandidate, around: RankingContext) -> str:
    """Return why a candidate is not suggested; empty if they may be."""
    if person.is_bot:
        return "a bot"
    if person.kind is UserKind.GHOST:
        return "deleted account"
    if person.last is not None and around.now - person.last > YEAR:
        return f"no commit or review since {person.last:%Y-%m-%d}"
    if person.last is None and not person.is_team and (person.wrote or not around.unmapped):
        return "no commit or review in the last 12 months"
    return ""


def _create_reviewer(person: ReviewerCandidate, terms: TermContext, around: RankingContext) -> SuggestedReviewer:
    shares = measure_candidate(person, terms)
    points = {name: round(WEIGHTS[name] * share, 2) for name, share in shares.items()}
    return SuggestedReviewer(
        username=person.login or NO_ACCOUNT,
        name=None if person.login else person.name,
        kind="team" if person.is_team else "person",
        reason="; ".join(_list_reasons(person, terms.decisions, around)),
        confidence=round(shares["owns"] if person.is_team else sum(points.values()), 2),
        terms=None if person.is_team else {name: value for name, value in points.items() if value},
        owned_files=len(person.owns),
        written_lines=person.wrote.total(),
        reviewed=tuple(sorted(person.reviewed)),
        last_active=f"{person.last:%Y-%m-%d}" if person.last else None,
        already="requested" if _is_requested(person, around.pull) else None,
    )


def _compute_score(shares: Mapping[TermName, float]) -> float:
    return sum(WEIGHTS[name] * share for name, share in shares.items())


def _list_reasons(person: ReviewerCandidate, decisions: DecisionWeights, around: RankingContext) -> Iterator[str]:
    if person.decided:
        yield _format_decisions(person, decisions)
    if person.owns:
        lines = ", ".join(map(str, sorted(set(person.owns.values()))[:3]))
        yield (f"owns {len(person.owns):,} of {format_count(len(around.weights), 'file')} (CODEOWNERS, line {lines})")
    if person.wrote:
        total, files = (
            format_count(sum(around.weights.values()), "changed line"),
            format_count(len(person.wrote), "file"),
        )
        yield (f"wrote {person.wrote.total():,} of {total}, in {files}")
    if person.reviewed:
        numbers = ", ".join(f"{around.pull.ref.mark}{number}" for number in sorted(person.reviewed)[-3:])
        yield (f"reviewed {format_count(len(person.reviewed), 'earlier pull request')} on these files ({numbers})")
    if person.last is None and not person.is_team:
        yield "last activity unknown"


def _format_decisions(person: ReviewerCandidate, decisions: DecisionWeights) -> str:
    here = sum(decisions.here[place] > 0 for place in person.decided)
    by_author = len(person.decided & decisions.author.keys())
    parts = [f"{here} close to these files"] if here else []
    parts += [f"{by_author} of this author"] if by_author else []
    what = f"merged or reviewed {len(person.decided)} of the last {format_count(decisions.count, 'change')}"
    return f"{what}, {', '.join(parts)}" if parts else what


def _is_requested(person: ReviewerCandidate, pull: PullRequest) -> bool:
    if person.is_team:
        return person.login.partition("/")[2].lower() in {
            team.rpartition("/")[2].lower() for team in pull.requested_teams
        }
    requested = pull.requested_reviewers
    return not isinstance(requested, Unknown) and person.login.lower() in {user.login.lower() for user in requested}
