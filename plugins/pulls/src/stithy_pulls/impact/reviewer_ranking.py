"""Suggest reviewers: code owners, authors of the changed lines and earlier reviewers, with reasons and counts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

from attrs import Factory, define, frozen

from stithy_core.spi import Maybe, Meta, PullRequest, Review, Unknown, User, UserKind, format_count
from stithy_pulls.impact.branch_activity import YEAR
from stithy_pulls.impact.impact_evidence import ImpactEvidence


@define
class ReviewerCandidate:
    """A person or a team.

    Args:
        login: The account; empty if unknown.
        name: The name in git or in the file of code owners, for people without an account.
        kind: The kind of account.
        owns: By path, the line of code owners that says so.
        wrote: By path, the number of changed lines that they wrote.
        reviewed: Numbers of earlier pull requests on the same files.
        last: The time of the last commit or review, UTC.
        is_author: Whether they wrote a commit of the pull request itself.
    """

    login: str = ""
    name: str = ""
    kind: Maybe[UserKind] = UserKind.PERSON
    owns: dict[str, int] = Factory(dict)
    wrote: Counter[str] = Factory(Counter)
    reviewed: set[int] = Factory(set)
    last: datetime | None = None
    is_author: bool = False

    @property
    def is_team(self) -> bool:
        """Whether it is a team of an organization."""
        return "/" in self.login

    @property
    def is_bot(self) -> bool:
        """Whether it is a bot, by its account or by the suffix of its name."""
        return self.kind is UserKind.BOT or any(word.endswith("[bot]") for word in (self.login, self.name))

    def note_activity(self, at: datetime | None) -> None:
        """Record the time of a commit or a review."""
        if at is not None and (self.last is None or at > self.last):
            self.last = at


class CandidateIndex:
    """All candidates, each once. Logins and addresses are compared without case."""

    def __init__(self, accounts: Mapping[str, User]) -> None:
        self._accounts = accounts
        self._found: dict[str, ReviewerCandidate] = {}

    def __iter__(self) -> Iterator[ReviewerCandidate]:
        return iter(self._found.values())

    def find_by_account(self, user: User) -> ReviewerCandidate:
        """Return the candidate of an account, created if necessary."""
        person = self._found.setdefault(user.login.lower(), ReviewerCandidate(login=user.login))
        person.kind = user.kind
        return person

    def find_by_address(self, mail: str, name: str = "") -> ReviewerCandidate:
        """Return the candidate of a mail address, created if necessary."""
        if (user := self._accounts.get(mail.lower())) is not None:
            return self.find_by_account(user)
        return self._found.setdefault(mail.lower(), ReviewerCandidate(name=name or mail))

    def find_by_owner_name(self, name: str) -> ReviewerCandidate:
        """Return the candidate named by code owners: an account, a team or an address."""
        return (
            self.find_by_address(name)
            if "@" in name
            else self._found.setdefault(name.lower(), ReviewerCandidate(login=name))
        )


def collect_candidates(
    evidence: Maybe[ImpactEvidence],
    accounts: Mapping[str, User],
    earlier: Sequence[PullRequest],
    reviews: Mapping[int, Iterable[Review]],
) -> CandidateIndex:
    """Collect all candidates.

    Args:
        evidence: The evidence from git.
        accounts: By mail address.
        earlier: Earlier pull requests.
        reviews: By number, the reviews of pull requests on the same files.
    """
    found = CandidateIndex(accounts)
    if not isinstance(evidence, Unknown):
        _add_git_candidates(found, evidence)
    for pull in earlier:  # opening a pull request is activity, too
        found.find_by_account(pull.author).note_activity(pull.created_at)
    for number, listed in reviews.items():
        for review in listed:
            person = found.find_by_account(review.author)
            person.reviewed.add(number)
            person.note_activity(review.submitted_at)
    return found


def _add_git_candidates(found: CandidateIndex, evidence: ImpactEvidence) -> None:
    for path, owners in evidence.owned.files.items():
        for owner, line in owners.items():
            found.find_by_owner_name(owner).owns[path] = line
    for path, lines in evidence.blame.lines.items():
        for mail, count in lines.items():
            found.find_by_address(mail, evidence.blame.names.get(mail, "")).wrote[path] += count
    for author in evidence.activity.authors.values():
        person = found.find_by_address(author.mail, author.name)
        person.name = author.name
        person.note_activity(author.last)
    for mail in evidence.writers:
        found.find_by_address(mail).is_author = True


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
        confidence: The share of the changed lines that they own or wrote, from 0 to 1.
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
        left_out: The excluded candidates.
        unread_reviews: How many earlier pull requests have unreadable reviews.
    """

    reviewers: tuple[SuggestedReviewer, ...]
    left_out: tuple[ExcludedReviewer, ...]
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


def rank_reviewers(people: Iterable[ReviewerCandidate], around: RankingContext) -> ReviewerRanking:
    """Rank the candidates. Bots and authors of the pull request are never suggested."""
    rows: list[tuple[float, ReviewerCandidate]] = []
    left_out: list[ExcludedReviewer] = []
    for person in people:
        is_author = person.is_author or person.login.lower() == around.pull.author.login.lower()
        if is_author or not (person.owns or person.wrote or person.reviewed):
            continue
        if why := _explain_exclusion(person, around):
            left_out.append(ExcludedReviewer(username=person.login or person.name, why=why))
        else:
            rows.append((_compute_share(person, around.weights), person))
    rows = [(share, person) for share, person in rows if share or person.owns or person.reviewed]
    rows.sort(key=lambda row: (-row[0], -len(row[1].reviewed), row[1].login or row[1].name))
    return ReviewerRanking(
        tuple(_create_reviewer(share, person, around) for share, person in rows[:MOST]), tuple(left_out[:MOST])
    )


def _explain_exclusion(person: ReviewerCandidate, around: RankingContext) -> str:
    if person.is_bot:
        return "a bot"
    if person.kind is UserKind.GHOST:
        return "deleted account"
    if person.last is not None and around.now - person.last > YEAR:
        return f"no commit or review since {person.last:%Y-%m-%d}"
    if person.last is None and not person.is_team and (person.wrote or not around.unmapped):
        return "no commit or review in the last 12 months"
    return ""


def _compute_share(person: ReviewerCandidate, weights: Mapping[str, int]) -> float:
    total = sum(weights.values())
    own_lines = sum(
        weights.get(path, 0) if path in person.owns else person.wrote[path] for path in {*person.owns, *person.wrote}
    )
    return round(min(own_lines / total, 1.0), 2) if total else 0.0


def _create_reviewer(share: float, person: ReviewerCandidate, around: RankingContext) -> SuggestedReviewer:
    return SuggestedReviewer(
        username=person.login or NO_ACCOUNT,
        name=None if person.login else person.name,
        kind="team" if person.is_team else "person",
        reason="; ".join(_list_reasons(person, around)),
        confidence=share,
        owned_files=len(person.owns),
        written_lines=person.wrote.total(),
        reviewed=tuple(sorted(person.reviewed)),
        last_active=f"{person.last:%Y-%m-%d}" if person.last else None,
        already="requested" if _is_requested(person, around.pull) else None,
    )


def _list_reasons(person: ReviewerCandidate, around: RankingContext) -> Sequence[str]:
    found = []
    if person.owns:
        lines = ", ".join(map(str, sorted(set(person.owns.values()))[:3]))
        found.append(
            f"owns {len(person.owns):,} of {format_count(len(around.weights), 'file')} (CODEOWNERS, line {lines})"
        )
    if person.wrote:
        total, files = (
            format_count(sum(around.weights.values()), "changed line"),
            format_count(len(person.wrote), "file"),
        )
        found.append(f"wrote {person.wrote.total():,} of {total}, in {files}")
    if person.reviewed:
        numbers = ", ".join(f"{around.pull.ref.mark}{number}" for number in sorted(person.reviewed)[-3:])
        found.append(
            f"reviewed {format_count(len(person.reviewed), 'earlier pull request')} on these files ({numbers})"
        )
    if person.last is None and not person.is_team:
        found.append("last activity unknown")
    return found


def _is_requested(person: ReviewerCandidate, pull: PullRequest) -> bool:
    if person.is_team:
        return person.login.partition("/")[2].lower() in {
            team.rpartition("/")[2].lower() for team in pull.requested_teams
        }
    requested = pull.requested_reviewers
    return not isinstance(requested, Unknown) and person.login.lower() in {user.login.lower() for user in requested}
