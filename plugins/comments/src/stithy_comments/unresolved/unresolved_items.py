"""The unresolved items of a pull request, decided by facts alone; no text is interpreted.

| Unresolved | Until |
|---|---|
| a review thread | it is resolved |
| the body of a review that requests changes | it is dismissed or minimized, or its author approves later |
| the body of a review that comments | the same, or another author links to it or quotes it |
| a general comment | another author links to it or quotes it, or the forge minimizes it |
| a finding that a bot wrote into a body | the body is resolved as above, or the bot has an open thread at its place |

General comments and reviews of the pull request's author and of the token's user are never unresolved.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import Literal, TypeAlias, TypeVar

from attrs import evolve, frozen

from stithy_comments.bots import is_bot, same_identity
from stithy_comments.findings import Finding, extract_findings, strip_machine_text
from stithy_comments.unresolved.unresolved_sources import BLOCK, UnresolvedSources
from stithy_core.spi import Comment, Listing, Maybe, Reaction, Review, Thread, Unknown, User, UserKind

T = TypeVar("T")
Kind: TypeAlias = Literal["review_comment", "issue_comment", "review"]

BEGINNING = datetime.min.replace(tzinfo=UTC)
WITHOUT_TIME = Unknown("the forge does not report when the review was submitted", "Open its page.")
BLOCKING = "changes_requested"
ASKING = (BLOCKING, "commented")
ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
QUOTED = re.compile(r"^\s{0,3}>\s?(?!\s*>)(.*\S)", re.MULTILINE)
SHORTEST_QUOTE = 16
"""Minimum characters of a quoted line; a shorter one may match by chance."""
MOST_LINES = 100
"""Maximum number of lines of a text that are compared with quotes."""


@frozen(kw_only=True)
class UnresolvedItem:
    """An unresolved item.

    Args:
        kind: `review_comment` for a thread, `review` or `issue_comment` for a body.
        id: The id of the comment or review; for a thread, of its first comment.
        body: The text.
        path: The file, with `line` and `start_line`; empty for a text without a place in the diff.
        thread: The thread.
        state: The state of the review.
        finding: The key of the finding in the body; empty for the body itself.
        section: The bot's word for its section of the body.
        label: The bot's words for kind and severity of the finding.
        block: The block of a general comment; 0 is the newest.
    """

    kind: Kind
    id: str
    author: User
    is_bot: bool
    association: str
    created_at: Maybe[datetime]
    updated_at: Maybe[datetime]
    url: str
    body: str
    path: str = ""
    line: int | None = None
    start_line: int | None = None
    thread: Thread | None = None
    state: str = ""
    reactions: Maybe[tuple[Reaction, ...]] | None = None
    finding: str = ""
    section: str = ""
    label: str | None = None
    block: int = 0

    @property
    def key(self) -> str:
        """The cursor key: unique among the items, and the same in each call."""
        return create_key(self.kind, self.id, self.finding)

    @property
    def rank(self) -> int:
        """The place of its kind: threads, reviews that request changes, other reviews, general comments."""
        if self.thread is not None:
            return 0
        return 1 if self.state == BLOCKING else 2 if self.kind == "review" else 3

    @property
    def is_unclear(self) -> bool:
        """Whether it is a thread that may be resolved or not."""
        return self.thread is not None and isinstance(self.thread.resolved, Unknown)

    @property
    def sort_key(self) -> tuple[datetime, int, str, str, int, str]:
        """The sort key: creation time first; items without a time are first."""
        created = BEGINNING if isinstance(self.created_at, Unknown) else self.created_at
        return created, len(self.id), self.id, self.path, self.line or 0, self.finding


class UnresolvedItems:
    """The unresolved items, and the number of left out items by reason.

    Args:
        sources: The lists of the pull request.
        bots: Logins of further bots, from the settings.
    """

    def __init__(self, sources: UnresolvedSources, bots: Collection[str] = ()) -> None:
        self.left_out: Counter[str] = Counter()
        self._sources = sources
        self._bots = bots
        self._reviews = sorted(_get_items(sources.reviews), key=lambda review: review.submitted_at is None)
        self._comments = _get_items(sources.comments)
        self._threads = _get_items(sources.threads)
        bodies: list[Review | Comment] = [*self._reviews, *self._comments]
        answers = [_create_text(one) for one in bodies if self._is_own(one.author) or not is_bot(one.author, bots)]
        self._answered = find_answered(answers, map(_create_text, bodies))
        asks = [*self._in_threads(), *self._in_reviews(), *self._in_comments()]
        self.all = self._drop_repeats(asks)

    def _in_threads(self) -> Iterator[UnresolvedItem]:
        for thread in self._threads:
            visible = [comment for comment in thread.comments if not comment.pending]
            if thread.resolved is True:
                self.left_out["resolved_thread"] += 1
            elif not visible:
                self.left_out["draft_or_deleted_thread"] += 1
            else:
                root = visible[0]
                yield evolve(
                    self._ask("review_comment", root),
                    path=thread.path or "",
                    line=thread.line,
                    start_line=thread.start_line,
                    thread=evolve(thread, comments=tuple(visible)),
                    reactions=root.reactions,
                )

    def _in_reviews(self) -> Iterator[UnresolvedItem]:
        approved = {
            one.author.key: number
            for number, one in enumerate(self._reviews)
            if one.state == "approved" and one.author.kind is not UserKind.GHOST
        }
        for number, review in enumerate(self._reviews):
            if not review.body.strip():
                continue
            if review.state not in ASKING:
                self.left_out[f"{review.state}_review"] += 1
            elif approved.get(review.author.key, -1) > number:
                self.left_out["superseded_review"] += 1
            elif self._still_asks(review, blocking=review.state == BLOCKING):
                yield from self._split_body(evolve(self._ask("review", review), state=review.state))

    def _in_comments(self) -> Iterator[UnresolvedItem]:
        for later, comment in zip(reversed(range(len(self._comments))), self._comments, strict=True):
            if self._still_asks(comment):
                block = later // BLOCK if self._sources.by_blocks else 0
                ask = evolve(self._ask("issue_comment", comment), reactions=comment.reactions, block=block)
                yield from self._split_body(ask)

    def _still_asks(self, one: Comment | Review, *, blocking: bool = False) -> bool:
        why = ""
        if self._is_own(one.author):
            why = "own_comment"
        elif self._is_minimized(one):
            why = "folded_comment"
        elif one.url in self._answered and not blocking:
            why = "answered_comment"
        if why:
            self.left_out[why] += 1
        return not why

    def _is_own(self, author: User) -> bool:
        """Return whether a user is the pull request's author or the token's user.

        A deleted account is neither: all of them share the login `ghost`.
        """
        if author.kind is UserKind.GHOST:
            return False
        own = self._sources.pull.author, self._sources.me
        return any(isinstance(user, User) and user.is_same_account(author) for user in own)

    def _is_minimized(self, one: Comment | Review) -> bool:
        folded = self._sources.minimized
        own = isinstance(one, Comment) and isinstance(one.minimized, str) and bool(one.minimized)
        return own or (not isinstance(folded, Unknown) and bool(folded.get(one.id)))

    def _split_body(self, ask: UnresolvedItem) -> Iterator[UnresolvedItem]:
        """Iterate over the items of a body: itself, or for a bot its findings, then the rest if that is all there is.

        The rest of a bot's review that requests changes is always an item.
        """
        if not ask.is_bot:
            yield ask
            return
        found = extract_findings(ask.body)
        for finding in found.items:
            yield _add_finding(ask, finding)
        rest = strip_machine_text(found.rest if found.items else ask.body).strip()
        if rest and (not found.items or ask.state == BLOCKING):
            yield evolve(ask, body=rest)
        elif not rest and not found.items:
            self.left_out["empty_text"] += 1

    def _drop_repeats(self, asks: list[UnresolvedItem]) -> list[UnresolvedItem]:
        """Return the items without repeated findings and without those at whose place the bot has an open thread."""
        there = {(ask.path, ask.line): ask.author.login for ask in asks if ask.thread and ask.path}
        unique: dict[str, UnresolvedItem] = {}
        for ask in asks:
            login = there.get((ask.path, ask.line))
            double = ask.finding and login is not None and same_identity(login, ask.author.login)
            name = f"finding {ask.author.login} {ask.finding}" if ask.finding else f"{ask.kind} {ask.id}"
            if double or name in unique:
                self.left_out["repeated_finding"] += 1
            else:
                unique[name] = ask
        return list(unique.values())

    def _ask(self, kind: Kind, one: Comment | Review) -> UnresolvedItem:
        created, updated = (
            (one.created_at, one.updated_at) if isinstance(one, Comment) else (one.submitted_at or WITHOUT_TIME,) * 2
        )
        return UnresolvedItem(
            kind=kind,
            id=one.id,
            author=one.author,
            is_bot=is_bot(one.author, self._bots),
            association=one.association,
            created_at=created,
            updated_at=updated,
            url=one.url,
            body=one.body,
        )


def create_key(kind: Kind, name: object, finding: str) -> str:
    """Return the cursor key of an item or its entry."""
    return f"{kind[0]}{kind[-1]}{name}{finding}"


@frozen(kw_only=True)
class ConversationText:
    """A comment, or the body of a review."""

    url: str
    author: str
    at: datetime
    body: str


def find_answered(answers: Iterable[ConversationText], texts: Iterable[ConversationText]) -> set[str]:
    """Return the URLs of the texts that another author answered later.

    Args:
        answers: The texts that may be answers.
        texts: The texts that may be answered, oldest first.
    """
    addresses: dict[str, ConversationText] = {}
    lines: dict[str, list[ConversationText]] = {}
    for one in texts:
        addresses[one.url] = one
        for line in _own_lines(one.body):
            lines.setdefault(line, []).append(one)
    return {
        target.url
        for answer in answers
        for target in (*_find_linked(answer, addresses), *_find_quoted(answer, lines))
        if target.author != answer.author and target.at <= answer.at
    }


def _find_linked(answer: ConversationText, addresses: dict[str, ConversationText]) -> Iterator[ConversationText]:
    for found in ADDRESS.findall(answer.body):
        if target := addresses.get(found) or addresses.get(found.rstrip(".,;:!?")):
            yield target


def _find_quoted(answer: ConversationText, lines: dict[str, list[ConversationText]]) -> Iterator[ConversationText]:
    """Iterate over the quoted texts: for each quoted line the latest earlier text of another author that has it."""
    for line in QUOTED.findall(answer.body)[:MOST_LINES]:
        before = [one for one in lines.get(line.strip(), ()) if one.author != answer.author and one.at <= answer.at]
        yield from before[-1:]


def _own_lines(body: str) -> Iterator[str]:
    for line in body.splitlines()[:MOST_LINES]:
        text = line.strip()
        if len(text) >= SHORTEST_QUOTE and not text.startswith(">"):
            yield text


def _get_items(listing: Maybe[Listing[T]]) -> tuple[T, ...]:
    return () if isinstance(listing, Unknown) else listing.items


def _create_text(one: Comment | Review) -> ConversationText:
    at = one.created_at if isinstance(one, Comment) else one.submitted_at
    return ConversationText(url=one.url, author=one.author.login, at=at or BEGINNING, body=one.body)


def _add_finding(ask: UnresolvedItem, finding: Finding) -> UnresolvedItem:
    body = "\n\n".join(text for text in (finding.title, finding.text) if text)
    return evolve(
        ask,
        body=body,
        path=finding.path,
        line=finding.line,
        start_line=finding.start_line,
        finding=finding.key,
        section=finding.section,
        label=finding.label,
        reactions=None,
    )
