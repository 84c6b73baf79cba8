"""People and teams who may review a change: code owners, authors, and those who merged and reviewed before."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from attrs import Factory, define

from stithy_core.spi import Maybe, PullRequest, Review, Unknown, User, UserKind
from stithy_pulls.impact.git_identities import is_bot_name, join_addresses, list_identities
from stithy_pulls.impact.impact_evidence import ImpactEvidence
from stithy_pulls.impact.merge_decisions import MergeDecision


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
        decided: The places, in the list of decisions, of changes of others that they merged or reviewed.
        decided_last: The time of the newest of `decided`, UTC.
        last: The time of the last commit, merge or review, UTC.
        is_author: Whether they wrote a commit of the pull request itself.
    """

    login: str = ""
    name: str = ""
    kind: Maybe[UserKind] = UserKind.PERSON
    owns: dict[str, int] = Factory(dict)
    wrote: Counter[str] = Factory(Counter)
    reviewed: set[int] = Factory(set)
    decided: set[int] = Factory(set)
    decided_last: datetime | None = None
    last: datetime | None = None
    is_author: bool = False

    @property
    def is_team(self) -> bool:
        """Whether it is a team of an organization."""
        return "/" in self.login

    @property
    def is_bot(self) -> bool:
        """Whether it is a bot, by its account or by its name."""
        return self.kind is UserKind.BOT or is_bot_name(self.login) or is_bot_name(self.name)

    def note_activity(self, at: datetime | None) -> None:
        """Record the time of a commit, a merge or a review."""
        if at is not None and (self.last is None or at > self.last):
            self.last = at

    def note_decision(self, place: int, at: datetime) -> None:
        """Record that they merged or reviewed a change of another person."""
        self.decided.add(place)
        self.note_activity(at)
        if self.decided_last is None or at > self.decided_last:
            self.decided_last = at


class CandidateIndex:
    """All candidates, each once. Logins and addresses are compared without case; addresses of one name are joined."""

    def __init__(self, accounts: Mapping[str, User], identities: Iterable[tuple[str, str]] = ()) -> None:
        self._accounts, self._instead = join_addresses(identities, accounts)
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
        mail = mail.lower()
        if (user := self._accounts.get(mail)) is not None:
            return self.find_by_account(user)
        return self._found.setdefault(self._instead.get(mail, mail), ReviewerCandidate(name=name or mail))

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
    found = CandidateIndex(accounts, () if isinstance(evidence, Unknown) else list_identities(evidence))
    decisions = () if isinstance(evidence, Unknown) else evidence.decisions
    if not isinstance(evidence, Unknown):
        _add_git_candidates(found, evidence)
        _add_decisions(found, decisions)
    places = {decision.sha: (place, decision.at) for place, decision in enumerate(decisions)}
    for pull in earlier:  # opening a pull request is activity, too
        found.find_by_account(pull.author).note_activity(pull.created_at)
        listed = list(reviews.get(pull.ref.number, ()))
        for review in listed:
            person = found.find_by_account(review.author)
            person.reviewed.add(pull.ref.number)
            person.note_activity(review.submitted_at)
        if (decided := places.get(pull.merge_commit)) is not None:
            for user in [*([pull.merged_by] if pull.merged_by else []), *(review.author for review in listed)]:
                if user.login.lower() != pull.author.login.lower():
                    found.find_by_account(user).note_decision(*decided)
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
    for mail, name in evidence.writers.items():
        found.find_by_address(mail, name).is_author = True


def _add_decisions(found: CandidateIndex, decisions: Sequence[MergeDecision]) -> None:
    for place, decision in enumerate(decisions):
        author = found.find_by_address(decision.author, decision.names.get(decision.author, ""))
        for mail in {decision.merger, *decision.reviewers} - {""}:
            person = found.find_by_address(mail, decision.names.get(mail, ""))
            if person is not author:
                person.note_decision(place, decision.at)
