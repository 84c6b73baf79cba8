"""Conversations of any kind, for properties that hold of all of them."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies
from hypothesis.strategies import DrawFn

from stithy_comments.stream.stream_sources import StreamSources
from stithy_core.spi import (
    NOT_REPORTED,
    BranchRef,
    Comment,
    Event,
    Listing,
    PullRequest,
    PullRequestRef,
    RepositoryRef,
    Review,
    ReviewComment,
    Thread,
    User,
    UserKind,
)

START = datetime(2026, 1, 5, 9, tzinfo=UTC)
PEOPLE = (
    User(login="smith", id="1"),
    User(login="striker", id="2"),
    User(login="codecov[bot]", id="3", kind=UserKind.BOT),
    User(login="ghost", kind=UserKind.GHOST),
    User(login="from elsewhere", kind=NOT_REPORTED),
)
PULL = PullRequest(
    ref=PullRequestRef(RepositoryRef("smith", "anvil"), 2),
    title="Harden the horn",
    body="",
    state="open",
    author=PEOPLE[0],
    locked=False,
    created_at=START,
    updated_at=START,
    url="http://forge.example/smith/anvil/pulls/2",
    draft=False,
    merged=False,
    head=BranchRef(branch="harden"),
    base=BranchRef(branch="main"),
    archived=False,
)
STATES = ("approved", "changes_requested", "commented", "dismissed", "pending", "the forge's own")
KINDS = ("commented", "reviewed", "review_commented", "labeled", "committed", "merged", "closed")


def comment_fields(
    name: object, body: Any = "Look.", author: User = PEOPLE[0], minutes: float = 0, edited: float = 0
) -> dict[str, Any]:
    """Return the fields of a comment."""
    made = START + timedelta(minutes=minutes)
    url = f"{PULL.url}#{name}"
    times = {"created_at": made, "updated_at": made + timedelta(minutes=edited)}
    return {"id": str(name), "body": body, "author": author, "url": url} | times


def comment(name: object, *args: Any, **fields: Any) -> Comment:
    return Comment(**comment_fields(name, *args, **fields))


def thread(path: str, line: int | None, *comments: dict[str, Any], resolved: Any = False, **fields: Any) -> Thread:
    """Return a thread, from the fields of its comments."""
    found = tuple(ReviewComment(**fields_of) for fields_of in comments)
    return Thread(id=f"t{found[0].id}", path=path, line=line, resolved=resolved, comments=found, **fields)


def review(name: object, state: str, body: Any = "", author: User = PEOPLE[0], minutes: float = 0) -> Review:
    at = None if state == "pending" else START + timedelta(minutes=minutes)
    return Review(id=str(name), author=author, state=state, body=body, submitted_at=at, url=f"{PULL.url}#{name}")


def event(name: object, kind: str, text: str = "", subject: object = "", minutes: float | None = 0) -> Event:
    at = None if minutes is None else START + timedelta(minutes=minutes)
    return Event(id=str(name), kind=kind, at=at, actor=PEOPLE[0], text=text, subject=str(subject), raw=kind)


def make_sources(
    comments: Sequence[Comment] = (),
    reviews: Sequence[Review] = (),
    threads: Sequence[Thread] = (),
    timeline: Sequence[Event] = (),
) -> StreamSources:
    """Return the sources of a stream, from lists."""
    lists: dict[str, Any] = {"comments": comments, "reviews": reviews, "threads": threads, "timeline": timeline}
    listings: dict[str, Any] = {name: Listing(tuple(items), total=len(items)) for name, items in lists.items()}
    return StreamSources(subject=PULL, **listings)


TEXTS = strategies.one_of(
    strategies.sampled_from(["", "The horn is too soft.", "- [ ] Temper the horn", "TODO: heat", "> quoted", "```\nx"]),
    strategies.text(max_size=60),
)
MINUTES = strategies.integers(0, 5)
NAMES = strategies.integers(1, 30)
PATHS = strategies.one_of(strategies.sampled_from(["horn.py", "anvil/temper.py"]), strategies.text(max_size=8))
FIELDS = strategies.builds(comment_fields, NAMES, TEXTS, strategies.sampled_from(PEOPLE), MINUTES, MINUTES)


@strategies.composite
def conversations(draw: DrawFn) -> dict[str, Any]:
    """Draw the lists of a conversation, in each of which an id stands once, and whose events repeat the others."""

    def unique(made: Any, key: Any) -> Any:
        return draw(strategies.lists(made, max_size=12, unique_by=key))

    comments = unique(strategies.builds(lambda fields: Comment(**fields), FIELDS), lambda one: one.id)
    people = strategies.sampled_from(PEOPLE)
    verdicts = strategies.builds(review, NAMES, strategies.sampled_from(STATES), TEXTS, people, MINUTES)
    reviews = unique(verdicts, lambda one: one.id)
    remarks = unique(FIELDS, lambda fields: fields["id"])
    lines = strategies.one_of(strategies.none(), strategies.integers(1, 9))
    settled = strategies.sampled_from([True, False, NOT_REPORTED])
    groups = [remarks[begin : begin + 2] for begin in range(0, len(remarks), 2)]
    threads = [thread(draw(PATHS), draw(lines), *group, resolved=draw(settled)) for group in groups]
    happened = strategies.builds(event, NAMES, strategies.sampled_from(KINDS), TEXTS, NAMES, MINUTES)
    timeline = unique(happened, (lambda one: one.id, lambda one: (one.kind, one.subject)))
    return {"comments": comments, "reviews": reviews, "threads": threads, "timeline": timeline}
