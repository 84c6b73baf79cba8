"""What a stream comes to, in few characters.

Everything in it is a fact of the stream: who gave which verdict, what is open, what people marked as to be done, and
what is counted. The same stream gives the same characters, wherever and whenever. Texts of people are quoted, in one
line, after secrets were taken out of them.
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
    """How much lies within the bounds, by type; `total_comments` is the sum of the types, `characters` of bodies.

    `total_comments` is unknown where a list could not be read whole; the other counts are then of what was read.
    """

    total_comments: Maybe[int]
    review_comments: int
    issue_comments: int
    timeline_events: int
    characters: int


@frozen(kw_only=True)
class Summary:
    """The summary (SERVE-6, SERVE-7): never longer than its budget."""

    text: str
    stats: Stats


def summarise(stream: Stream, mode: Mode, budget: int) -> Summary | None:
    """Sum a stream up, the most important first.

    Args:
        stream: All of it counts, also what is beyond its most.
        mode: brief has a line for each subject, compact a line for each point, with ids; none gives None.
        budget: How many characters the text has at most, 1 or more.
    """
    if mode == "none":
        return None
    found = stats(stream)
    sections = [
        Section("Not whole", [Point(gap) for gap in (stream.selection.bounds(), *stream.gaps()) if gap]),
        Section("Verdicts", verdicts(stream)),
        Section("Changes requested", blocking(stream)),
        Section("Action items", actions(stream)),
        Section("Most commented files", files(stream)),
        Section("Themes", themes(stream)),
        Section("Stats", [Point(_counted(found))], countable=False),
    ]
    return Summary(text=written([one for one in sections if one.points], mode, budget), stats=found)


def stats(stream: Stream) -> Stats:
    """Count."""
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
