"""The summary of a stream within a budget of characters.

It contains only facts of the stream: verdicts, open threads, unchecked boxes and TODO marks, counts. The same stream
always has the same summary. Texts of people are quoted in one line, with secrets redacted.
"""

from attrs import frozen

from stithy_comments.offers.conversation import Mode
from stithy_comments.stream.merging import Stream
from stithy_comments.stream.summary.actions import actions
from stithy_comments.stream.summary.files import files
from stithy_comments.stream.summary.fitting import written
from stithy_comments.stream.summary.points import Point, Section
from stithy_comments.stream.summary.themes import themes
from stithy_comments.stream.summary.verdicts import blocking, verdicts
from stithy_core.spi import Maybe, Unknown


@frozen(kw_only=True)
class Stats:
    """Numbers of items within the bounds, by type, and the number of characters in their bodies.

    `total_comments` is the sum of the types. It is unknown if a list could not be read completely; the other counts are
    then those of the items read.
    """

    total_comments: Maybe[int]
    review_comments: int
    issue_comments: int
    timeline_events: int
    characters: int


@frozen(kw_only=True)
class Summary:
    """The summary (SERVE-6, SERVE-7); `text` is never longer than the budget."""

    text: str
    stats: Stats


def summarise(stream: Stream, mode: Mode, budget: int) -> Summary | None:
    """Create the summary of a stream, most important facts first; None for mode `none`.

    Args:
        stream: The stream; all items count, also those beyond the maximum.
        mode: `brief` for one line per subject, `compact` for one line per fact, with ids.
        budget: Maximum length of the text in characters, at least 1.
    """
    if mode == "none":
        return None
    found = stats(stream)
    sections = [
        Section("Incomplete", [Point(gap) for gap in (stream.selection.bounds(), *stream.gaps()) if gap]),
        Section("Verdicts", verdicts(stream)),
        Section("Changes requested", blocking(stream)),
        Section("Action items", actions(stream)),
        Section("Most commented files", files(stream)),
        Section("Themes", themes(stream)),
        Section("Stats", [Point(_counted(found))], countable=False),
    ]
    return Summary(text=written([one for one in sections if one.points], mode, budget), stats=found)


def stats(stream: Stream) -> Stats:
    """Count the items of a stream."""
    gaps = stream.gaps()
    types = [entry.row.type for entry in stream.entries]
    return Stats(
        total_comments=Unknown(f"at least {len(types)}: {gaps[0]}") if gaps else len(types),
        review_comments=types.count("review"),
        issue_comments=types.count("issue"),
        timeline_events=types.count("timeline"),
        characters=sum(len(entry.row.body) for entry in stream.entries),
    )


def _counted(found: Stats) -> str:
    types = f"{found.review_comments} review, {found.issue_comments} issue, {found.timeline_events} timeline"
    total = found.total_comments
    items = total if not isinstance(total, Unknown) else "an unknown number of"
    return f"{items} items ({types}), {found.characters} characters"
