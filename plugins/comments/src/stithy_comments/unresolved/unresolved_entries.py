"""The entries of `find_unresolved_comments`: the schema of PULL-22 with additional fields."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Annotated, Literal, get_args

from attrs import frozen

from stithy_comments.suggested_code import excerpt_with_code
from stithy_comments.text_format import format_id
from stithy_comments.unresolved.unresolved_items import Kind, UnresolvedItem
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
LAST_REPLIES = 3
WORDS = 160
HEAD, TAIL = 800, 300
"""Characters of a long body that are kept at its beginning and at its end."""
HUNK_LINES, HUNK_WIDTH = 5, 500


@frozen(kw_only=True)
class Reactions:
    """Number of reactions by emoji."""

    total_count: int
    plus_one: Annotated[int, Meta(name="+1")] = 0
    minus_one: Annotated[int, Meta(name="-1")] = 0
    laugh: int = 0
    hooray: int = 0
    confused: int = 0
    heart: int = 0
    rocket: int = 0
    eyes: int = 0


@frozen(kw_only=True)
class LaterComment:
    """A reply in a thread."""

    id: int | str
    author: str
    created_at: datetime
    body: Annotated[str, Meta(cut=True)]


@frozen(kw_only=True)
class UnresolvedEntry:
    """An unresolved comment (PULL-22).

    Beside the schema: `association_raw` is the forge's own word, `state` the state of the review, `finding` the key of
    a finding that a bot wrote into the body of `id`, `section` and `label` the bot's words for it. For a thread:
    `thread_id`, `resolved`, `outdated`, `minimized` (the reason why the forge hides it), the number of `replies`, the
    `last_replies` and the author of the last comment.
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
    diff_hunk: Annotated[str | None, Meta(cut=True)]
    body: Annotated[str, Meta(cut=True)]
    finding: str | None
    section: str | None
    label: str | None
    thread_id: str | None
    resolved: Maybe[bool] | None
    outdated: Maybe[bool] | None
    minimized: str | None
    takes_replies: bool | None
    replies: Maybe[int] | None
    last_replies: tuple[LaterComment, ...] | None
    last_speaker: str | None
    reactions: Maybe[Reactions] | None
    html_url: str

    @property
    def key(self) -> str:
        """The cursor key: unique among the entries, and the same in each call."""
        return f"{self.type[0]}{self.type[-1]}{self.id}{self.finding or ''}"

    @property
    def is_cut(self) -> bool:
        """Whether there is more to read than the entry has."""
        bodies = (self.body, *(reply.body for reply in self.last_replies or ()))
        return any(isinstance(body, Abridged) for body in bodies)

    def lines(self, *, with_url: bool) -> Iterator[str]:
        """Iterate over its lines of text: an excerpt, then one of the last reply, each with its suggested code.

        Args:
            with_url: Whether the URL of a comment outside of threads is among them.
        """
        place = f" {excerpt(self.file_path)}:{self.line_number or '-'}" if self.file_path else ""
        thread = f", thread {self.thread_id}" if self.thread_id else ""
        facts = ", ".join(self._facts())
        state = "resolution unknown" if isinstance(self.resolved, Unknown) else WORDINGS[self.type]
        yield from excerpt_with_code(f"- [{self.id}] {state}{thread}{place}, {facts}: ", self.body, WORDS)
        if self.last_replies:
            last = self.last_replies[-1]
            count = "?" if isinstance(self.replies, Unknown) else self.replies or 0
            yield from excerpt_with_code(f"  {format_count(count, 'reply')}, last by {last.author}: ", last.body, WORDS)
        if with_url and not self.thread_id:
            yield f"  {self.html_url}"

    def _facts(self) -> Iterator[str]:
        yield f"{self.author} (bot)" if self.is_bot else self.author
        if self.state == "changes_requested":
            yield "requests changes"
        if self.section:
            yield self.section
        if self.outdated is True:
            yield "outdated"
        if self.minimized:
            yield f"minimized as {self.minimized}"
        if self.takes_replies is False:
            yield "takes no replies"


FORMS: Mapping[Kind, str] = {"review_comment": "thread", "review": "review", "issue_comment": "comment"}
WORDINGS = {"review_comment": "open", "issue_comment": "comment", "review": "review"}


def create_entry(ask: UnresolvedItem) -> UnresolvedEntry:
    """Create the entry of an unresolved item."""
    thread = ask.thread
    return UnresolvedEntry(
        id=format_id(ask.id),
        type=ask.kind,
        author=ask.author.login,
        author_association=ASSOCIATIONS.get(ask.association),
        association_raw=ask.association or None,
        is_bot=ask.is_bot,
        created_at=ask.created_at,
        updated_at=ask.updated_at,
        state=ask.state or None,
        file_path=ask.path or None,
        line_number=ask.line,
        start_line=ask.start_line,
        diff_hunk=get_last_lines(thread.hunk) if thread else None,
        body=shorten_body(ask.body),
        finding=ask.finding or None,
        section=ask.section or None,
        label=ask.label,
        thread_id=thread.id if thread else None,
        resolved=thread.resolved if thread else None,
        outdated=thread.outdated if thread else None,
        minimized=_get_minimized(thread),
        replies=_count_replies(thread),
        last_replies=_list_last_replies(thread),
        takes_replies=False if thread and not thread.takes_replies else None,
        last_speaker=thread.comments[-1].author.login if thread else None,
        reactions=_count_reactions(ask.reactions),
        html_url=ask.url,
    )


def _get_minimized(thread: Thread | None) -> str | None:
    why = thread.comments[0].minimized if thread else None
    return None if isinstance(why, Unknown) else why or None


def _count_replies(thread: Thread | None) -> Maybe[int] | None:
    if thread is None:
        return None
    return Unknown(thread.cut, "Read the thread on its page.") if thread.cut else len(thread.comments) - 1


def _list_last_replies(thread: Thread | None) -> tuple[LaterComment, ...] | None:
    later = thread.comments[1:][-LAST_REPLIES:] if thread else ()
    return (
        tuple(
            LaterComment(
                id=format_id(one.id),
                author=one.author.login,
                created_at=one.created_at,
                body=shorten_body(one.body),
            )
            for one in later
        )
        or None
    )


def _count_reactions(reactions: Maybe[tuple[Reaction, ...]] | None) -> Maybe[Reactions] | None:
    if reactions is None or isinstance(reactions, Unknown):
        return reactions
    counts = {reaction.content: reaction.count for reaction in reactions}
    if not counts:
        return None
    named = {NAMES.get(word, word): count for word, count in counts.items() if word in WORDS_KNOWN}
    return Reactions(total_count=sum(counts.values()), **named)


NAMES = {"+1": "plus_one", "-1": "minus_one"}
WORDS_KNOWN = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")


def shorten_body(body: str) -> str:
    """Return a body, cut in the middle if it is long: the beginning and the end say most."""
    if len(body) <= HEAD + 2 * TAIL:
        return body
    end, resume = grapheme_boundary(body, HEAD), grapheme_boundary(body, len(body) - TAIL)
    left_out = f"{resume - end} of {len(body)} characters left out"
    return Abridged(f"{body[:end]}\n[… {left_out} …]\n{body[resume:]}", len(body))


def get_last_lines(hunk: str) -> str | None:
    """Return the last lines of a hunk, which ends with the line that the thread is about."""
    lines = hunk.splitlines()[-HUNK_LINES:]
    return "\n".join(line if len(line) <= HUNK_WIDTH else excerpt(line, HUNK_WIDTH) for line in lines) or None
