"""Which part of a stream is wanted."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from attrs import frozen

from stithy_comments.offers.conversation import Source

USUAL: tuple[Source, ...] = ("review", "issue")
MOST = 2_000
ALL = "all"
KEY_EVENTS = (
    *("reviewed", "review_dismissed"),
    *("labeled", "unlabeled"),
    *("committed", "pushed", "force_pushed"),
)
"""What of a timeline is given unless somebody asks for more: submitted reviews, labels and commits (SERVE-10)."""


@frozen(kw_only=True)
class Selection:
    """A choice of what to read and to give.

    Args:
        include: review for verdicts and comments in the diff, issue for the general conversation, timeline for events.
        events: Kinds of events, in the words of `Event.kind`; `all` stands for every one.
        since: Only what was written or edited from then on.
        until: Only what was written until then.
        most: How many items at most; the newest are kept.
        bots: Logins of bots beside those that are known as such.
        verdicts: Whether review stands for verdicts, too, or for comments in the diff alone.
    """

    include: Sequence[Source] = USUAL
    events: Sequence[str] = KEY_EVENTS
    since: datetime | None = None
    until: datetime | None = None
    most: int = MOST
    bots: Collection[str] = ()
    verdicts: bool = True

    @property
    def wants_verdicts(self) -> bool:
        """Whether verdicts are to be among the items."""
        return self.verdicts and "review" in self.include

    @property
    def wants_review_events(self) -> bool:
        """Whether the timeline is to say what reviews came to, which only the reviews themselves know everywhere."""
        return "timeline" in self.include and self.has_event("reviewed")

    def has_event(self, kind: str) -> bool:
        """Say whether events of a kind are wanted."""
        return ALL in self.events or kind in self.events

    def covers(self, begun: datetime | None, edited: datetime | None) -> bool:
        """Say whether something that was there from its beginning to its last edit lies within the bounds.

        What has no time is not told to lie outside.
        """
        late = edited or begun
        too_old = self.since is not None and late is not None and late < self.since
        too_new = self.until is not None and begun is not None and begun > self.until
        return not (too_old or too_new)

    def bounds(self) -> str:
        """Say the bounds in words; empty where there are none."""
        since = f"written or edited since {stamp(self.since)}" if self.since else ""
        until = f"written until {stamp(self.until)}" if self.until else ""
        return " and ".join(filter(None, (since, until)))


def stamp(time: datetime) -> str:
    """Write a time as answers do, in UTC and to the second."""
    return f"{time.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"
