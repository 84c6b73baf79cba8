"""The requested part of a conversation."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from attrs import frozen

from stithy_comments.tools.stream_tool import Source

USUAL: tuple[Source, ...] = ("review", "issue")
MOST = 2_000
ALL = "all"
KEY_EVENTS = (
    *("reviewed", "review_dismissed"),
    *("labeled", "unlabeled"),
    *("committed", "pushed", "force_pushed"),
)
"""The default kinds of timeline events: submitted reviews, labels and commits (SERVE-10)."""


@frozen(kw_only=True)
class Selection:
    """The part of a conversation to read and to return.

    Args:
        include: `review` for reviews and review comments, `issue` for the general conversation, `timeline` for events.
        events: Kinds of events, in the words of `Event.kind`; `all` for all kinds.
        since: Only items written or edited since then.
        until: Only items written until then.
        most: Maximum number of items; the newest are kept.
        bots: Logins of further bots, from the settings.
        verdicts: Whether `review` includes reviews, or review comments only.
        whole: Whether older items count too, as for a summary, or the newest `most` suffice.
    """

    include: Sequence[Source] = USUAL
    events: Sequence[str] = KEY_EVENTS
    since: datetime | None = None
    until: datetime | None = None
    most: int = MOST
    bots: Collection[str] = ()
    verdicts: bool = True
    whole: bool = True

    @property
    def wants_verdicts(self) -> bool:
        """Whether reviews are among the items."""
        return self.verdicts and "review" in self.include

    @property
    def wants_review_events(self) -> bool:
        """Whether events need the verdicts of reviews, which on some forges only the list of reviews has."""
        return "timeline" in self.include and self.has_event("reviewed")

    @property
    def suits_conversation(self) -> bool:
        """Whether all reviews with the newest general comments suffice, as `PullRequests.conversation` returns them.

        Bounds of time decide by each comment, and events repeat comments.
        """
        sources = set(self.include) == {"review", "issue"}
        return sources and self.verdicts and not (self.whole or self.since or self.until)

    def has_event(self, kind: str) -> bool:
        """Return whether events of a kind are requested."""
        return ALL in self.events or kind in self.events

    def covers(self, begun: datetime | None, edited: datetime | None) -> bool:
        """Return whether an item with these times of creation and last edit lies within the bounds.

        An item without a time lies within them, since it cannot be shown to lie outside.
        """
        late = edited or begun
        too_old = self.since is not None and late is not None and late < self.since
        too_new = self.until is not None and begun is not None and begun > self.until
        return not (too_old or too_new)

    def bounds(self) -> str:
        """Return the bounds in words; empty without bounds."""
        since = f"written or edited since {format_utc(self.since)}" if self.since else ""
        until = f"written until {format_utc(self.until)}" if self.until else ""
        return " and ".join(filter(None, (since, until)))


def format_utc(time: datetime) -> str:
    """Format a time in UTC with seconds: `2026-01-31T12:00:00Z`."""
    return f"{time.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"
