"""Everybody who may know the code that changes, with what speaks for each, counted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from attrs import Factory, define

from stithy_core.spi import Maybe, PullRequest, Review, Unknown, User, UserKind
from stithy_pulls.impact.gathering import ImpactEvidence


@define
class ReviewerCandidate:
    """Somebody, or a team.

    Args:
        login: Empty where no account is known.
        name: As git or the code owners have it, for those without.
        kind: What sort of account it is.
        owns: Files, with the line that says so.
        wrote: Touched lines, by file.
        reviewed: Numbers of earlier pull requests on the same files.
        last: When a commit or a review was seen last.
        is_author: Whether a commit of the pull request itself is theirs.
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
        """Whether it is a program, by its account or by the ending of its name."""
        return self.kind is UserKind.BOT or any(word.endswith("[bot]") for word in (self.login, self.name))

    def note_activity(self, at: datetime | None) -> None:
        """Note when something was done."""
        if at is not None and (self.last is None or at > self.last):
            self.last = at


class CandidateIndex:
    """All of them, each once: logins and addresses are the same in either case of letters."""

    def __init__(self, accounts: Mapping[str, User]) -> None:
        self._accounts = accounts
        self._found: dict[str, ReviewerCandidate] = {}

    def __iter__(self) -> Iterator[ReviewerCandidate]:
        return iter(self._found.values())

    def find_by_account(self, user: User) -> ReviewerCandidate:
        """Give the one of an account."""
        person = self._found.setdefault(user.login.lower(), ReviewerCandidate(login=user.login))
        person.kind = user.kind
        return person

    def find_by_address(self, mail: str, name: str = "") -> ReviewerCandidate:
        """Give the one of an address."""
        if (user := self._accounts.get(mail.lower())) is not None:
            return self.find_by_account(user)
        return self._found.setdefault(mail.lower(), ReviewerCandidate(name=name or mail))

    def find_by_owner_name(self, name: str) -> ReviewerCandidate:
        """Give the one whom the code owners name: an account, a team or an address."""
        return self.find_by_address(name) if "@" in name else self._found.setdefault(name.lower(), ReviewerCandidate(login=name))


def collect_candidates(
    told: Maybe[ImpactEvidence],
    accounts: Mapping[str, User],
    earlier: Sequence[PullRequest],
    reviews: Mapping[int, Iterable[Review]],
) -> CandidateIndex:
    """Gather them.

    Args:
        told: What git told.
        accounts: By mail address.
        earlier: Pull requests that ended.
        reviews: Of those on the same files, by number.
    """
    found = CandidateIndex(accounts)
    if not isinstance(told, Unknown):
        _of_git(found, told)
    for pull in earlier:  # whoever opened one has committed
        found.find_by_account(pull.author).note_activity(pull.created_at)
    for number, given in reviews.items():
        for review in given:
            person = found.find_by_account(review.author)
            person.reviewed.add(number)
            person.note_activity(review.submitted_at)
    return found


def _of_git(found: CandidateIndex, told: ImpactEvidence) -> None:
    for path, owners in told.owned.files.items():
        for owner, line in owners.items():
            found.find_by_owner_name(owner).owns[path] = line
    for path, lines in told.blame.lines.items():
        for mail, count in lines.items():
            found.find_by_address(mail, told.blame.names.get(mail, "")).wrote[path] += count
    for author in told.activity.authors.values():
        person = found.find_by_address(author.mail, author.name)
        person.name = author.name
        person.note_activity(author.last)
    for mail in told.writers:
        found.find_by_address(mail).is_author = True
