"""The entries of `find_unresolved_comments`: the schema of PULL-22 with additional fields."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Literal, get_args

from attrs import frozen

from stithy_comments.suggested_code import excerpt_with_code, has_suggestion
from stithy_comments.text_format import UrlPatterns, format_id, format_time
from stithy_comments.unresolved.unresolved_items import Kind, UnresolvedItem, create_key
from stithy_core.spi import (
    Abridged,
    Maybe,
    Meta,
    Reaction,
    Thread,
    Unknown,
    excerpt,
    format_count,
    grapheme_boundary,
)

Association = Literal["OWNER", "MEMBER", "CONTRIBUTOR", "COLLABORATOR", "NONE"]
ASSOCIATIONS: Mapping[str, Association] = {name: name for name in get_args(Association)}
BODY, LAST = 120, 80
"""Characters of a body and of a last reply that identify them; the rest is one call away."""
MARK = len("… [1234 chars]")
"""Characters of the mark of a cut text: a text that is longer by less is not cut."""
FORMS: Mapping[Kind, str] = {"review_comment": "thread", "review": "review", "issue_comment": "comment"}


@frozen(kw_only=True)
class Reactions:
    """Number of reactions by emoji; None for an emoji that nobody used."""

    total_count: int
    plus_one: Annotated[int | None, Meta(name="+1")] = None
    minus_one: Annotated[int | None, Meta(name="-1")] = None
    laugh: int | None = None
    hooray: int | None = None
    confused: int | None = None
    heart: int | None = None
    rocket: int | None = None
    eyes: int | None = None


@frozen(kw_only=True)
class LastReply:
    """The last reply in a thread; its body is cut to what identifies it."""

    id: int | str
    author: str
    created_at: datetime
    body: Annotated[str, Meta(cut=True)]


@frozen(kw_only=True)
class UnresolvedEntry:
    """An unresolved comment (PULL-22), cut to what identifies it.

    Beside the schema: `association_raw` is the forge's own word if the schema lacks it, `state` the state of
    the review, `finding` the key of a finding that a bot wrote into the body of `id`, `section` and `label` the bot's
    words for it. `suggests_code` is true if the part of the body that was cut off has a suggestion. For a thread:
    `thread_id`, `resolved` only where that is unknown, `outdated` only if it is, `minimized` (the reason why the forge
    hides it), `takes_replies` only if it takes none, the number of `replies` and the `last_reply` if there are any.
    """

    id: int | str
    type: Kind
    author: str
    author_association: Association | None
    association_raw: str | None
    is_bot: bool
    created_at: Maybe[datetime]
    updated_at: Maybe[datetime]
    state: str | None
    file_path: str | None
    line_number: int | None
    start_line: int | None
    body: Annotated[str, Meta(cut=True)]
    suggests_code: bool | None
    finding: str | None
    section: str | None
    label: str | None
    thread_id: str | None
    resolved: Maybe[bool] | None
    outdated: bool | None
    minimized: str | None
    takes_replies: bool | None
    replies: Maybe[int] | None
    last_reply: LastReply | None
    reactions: Reactions | None
    html_url: Annotated[str, Meta(cut=False)]

    @property
    def key(self) -> str:
        """The cursor key: unique among the entries, and the same in each call."""
        return create_key(self.type, self.id, self.finding or "")

    @property
    def is_cut(self) -> bool:
        """Whether there is more to read than the entry has."""
        last = self.last_reply
        return is_cut(self.body) or (last is not None and (is_cut(last.body) or self.replies != 1))

    @property
    def named_url(self) -> tuple[str, int | str, str]:
        """The word for its kind in the text, its id and its URL."""
        return FORMS[self.type], self.id, self.html_url

    def lines(self, patterns: UrlPatterns) -> Iterator[str]:
        """Iterate over its lines of text: an excerpt, then one of the last reply, each with its suggested code.

        The URL is among them if the pattern of its kind leads elsewhere, and if there is none, except for threads.
        """
        thread = f" {self.thread_id}" if self.thread_id else ""
        place = f" {excerpt(self.file_path)}:{self.line_number or '-'}" if self.file_path else ""
        facts = ", ".join(self._facts())
        yield from excerpt_with_code(
            f"- [{self.id}] {FORMS[self.type]}{thread}{place}, {facts}: ", self.body, BODY + MARK
        )
        if self.last_reply:
            last = self.last_reply
            count = format_count("?" if isinstance(self.replies, Unknown) else self.replies or 0, "reply")
            head = f"  {count}, last by {last.author}, {format_time(last.created_at)}: "
            yield from excerpt_with_code(head, last.body, LAST + MARK)
        kind, name, url = self.named_url
        if not patterns.cover(kind, name, url) and (self.type != "review_comment" or kind in patterns.by_kind):
            yield f"  {self.html_url}"

    def _facts(self) -> Iterator[str]:
        yield f"{self.author} (bot)" if self.is_bot else self.author
        if not isinstance(self.created_at, Unknown):
            yield format_time(self.created_at)
        if self.resolved is not None:
            yield "resolution unknown"
        if self.state == "changes_requested":
            yield "requests changes"
        if self.section:
            yield self.section
        if self.outdated:
            yield "outdated"
        if self.minimized:
            yield f"minimized as {self.minimized}"
        if self.takes_replies is False:
            yield "takes no replies"
        if self.suggests_code:
            yield "suggests code"


def create_entry(ask: UnresolvedItem) -> UnresolvedEntry:
    """Create the entry of an unresolved item."""
    thread, body = ask.thread, cut_text(ask.body, BODY)
    association = ASSOCIATIONS.get(ask.association)
    return UnresolvedEntry(
        id=format_id(ask.id),
        type=ask.kind,
        author=ask.author.login,
        author_association=association,
        association_raw=None if association else ask.association or None,
        is_bot=ask.is_bot,
        created_at=ask.created_at,
        updated_at=ask.updated_at,
        state=ask.state or None,
        file_path=ask.path or None,
        line_number=ask.line,
        start_line=ask.start_line,
        body=body,
        suggests_code=(is_cut(body) and has_suggestion(ask.body)) or None,
        finding=ask.finding or None,
        section=ask.section or None,
        label=ask.label,
        thread_id=thread.id if thread else None,
        resolved=thread.resolved if thread and isinstance(thread.resolved, Unknown) else None,
        outdated=True if thread and thread.outdated is True else None,
        minimized=_get_minimized(thread),
        takes_replies=False if thread and not thread.takes_replies else None,
        replies=_count_replies(thread),
        last_reply=_get_last_reply(thread),
        reactions=_count_reactions(ask.reactions),
        html_url=ask.url,
    )


def _get_minimized(thread: Thread | None) -> str | None:
    why = thread.comments[0].minimized if thread else None
    return None if isinstance(why, Unknown) else why or None


def _count_replies(thread: Thread | None) -> Maybe[int] | None:
    if thread is None or len(thread.comments) == 1:
        return None
    return Unknown(thread.cut, "Read the thread on its page.") if thread.cut else len(thread.comments) - 1


def _get_last_reply(thread: Thread | None) -> LastReply | None:
    if thread is None or len(thread.comments) == 1:
        return None
    last = thread.comments[-1]
    return LastReply(
        id=format_id(last.id), author=last.author.login, created_at=last.created_at, body=cut_text(last.body, LAST)
    )


def _count_reactions(reactions: Maybe[tuple[Reaction, ...]] | None) -> Reactions | None:
    if isinstance(reactions, Unknown) or not reactions:
        return None
    counts = {reaction.content: reaction.count for reaction in reactions}
    named = {NAMES.get(word, word): count for word, count in counts.items() if word in WORDS_KNOWN}
    return Reactions(total_count=sum(counts.values()), **named)


NAMES = {"+1": "plus_one", "-1": "minus_one"}
WORDS_KNOWN = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def cut_text(text: str, most: int) -> str:
    """Return the beginning of a text; if it is cut, with the length of the whole: `Lorem… [812 chars]`."""
    if len(text) <= most + MARK:
        return text
    return Abridged(f"{text[: grapheme_boundary(text, most)]}… [{len(text)} chars]", len(text))


def is_cut(text: str) -> bool:
    """Return whether a text was cut."""
    return isinstance(text, Abridged)
