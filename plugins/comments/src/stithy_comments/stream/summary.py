"""The summary of a stream within a budget of characters.

It contains only facts of the stream: verdicts, open threads, unchecked boxes and TODO marks, counts. The same stream
always has the same summary. Texts of people are quoted in one line, with secrets redacted.
"""

from collections.abc import Sequence

from attrs import frozen

from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.summary_facts import (
    list_actions,
    list_change_requests,
    list_commented_files,
    list_themes,
    list_verdicts,
)
from stithy_comments.stream.summary_points import SummaryPoint, SummarySection
from stithy_comments.tools.stream_tool import Mode
from stithy_core.spi import Maybe, Unknown


@frozen
class Style:
    """The separators of a section: `before` its first point, and `between` two points."""

    before: str
    between: str


STYLES = {"brief": Style(": ", "; "), "compact": Style("\n- ", "\n- ")}


def write_sections(sections: Sequence[SummarySection], mode: Mode, budget: int) -> str:
    """Write all sections as short as possible, then extend them in order while the budget lasts.

    Args:
        sections: At least one, each with a point; the most important first.
        mode: brief or compact.
        budget: Maximum length in characters, at least 1.
    """
    texts: dict[int, str] = {}
    free = budget
    for place, section in enumerate(sections):
        if text := _write_section(section, mode, free - bool(texts), most=1):
            free -= len(text) + bool(texts)
            texts[place] = text
    for place, short in texts.items():
        free += len(short)
        texts[place] = _write_section(sections[place], mode, free, most=len(sections[place].points))
        free -= len(texts[place])
    return "\n".join(texts.values()) if texts else _truncate(sections[0].title, budget)


def _write_section(section: SummarySection, mode: Mode, free: int, *, most: int) -> str:
    """Write a section with as many points as fit, else its title and count, else an empty text."""
    style, count = STYLES[mode], len(section.points)
    counted = f"{section.title}: {count}"
    best = counted if section.countable and len(counted) <= free else ""
    text = section.title
    for number, point in enumerate(section.points[:most], 1):
        text += f"{style.between if number > 1 else style.before}{point.format(mode)}"
        if len(text) > free:
            break
        more = f"{style.between}and {count - number} more" if number < count else ""
        if len(text) + len(more) <= free:
            best = text + more
    return best


def _truncate(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


@frozen(kw_only=True)
class ConversationStats:
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
class ConversationSummary:
    """The summary (SERVE-6, SERVE-7); `text` is never longer than the budget."""

    text: str
    stats: ConversationStats


def summarize_stream(stream: ConversationStream, mode: Mode, budget: int) -> ConversationSummary | None:
    """Create the summary of a stream, most important facts first; None for mode `none`.

    Args:
        stream: The stream; all items count, also those beyond the maximum.
        mode: `brief` for one line per subject, `compact` for one line per fact, with ids.
        budget: Maximum length of the text in characters, at least 1.
    """
    if mode == "none":
        return None
    found = count_items(stream)
    sections = [
        SummarySection("Incomplete", [SummaryPoint(gap) for gap in (stream.selection.bounds(), *stream.gaps()) if gap]),
        SummarySection("Verdicts", list_verdicts(stream)),
        SummarySection("Changes requested", list_change_requests(stream)),
        SummarySection("Action items", list_actions(stream)),
        SummarySection("Most commented files", list_commented_files(stream)),
        SummarySection("Themes", list_themes(stream)),
        SummarySection("Stats", [SummaryPoint(_format_stats(found))], countable=False),
    ]
    return ConversationSummary(text=write_sections([one for one in sections if one.points], mode, budget), stats=found)


def count_items(stream: ConversationStream) -> ConversationStats:
    """Count the items of a stream."""
    gaps = stream.gaps()
    types = [entry.row.type for entry in stream.entries]
    return ConversationStats(
        total_comments=Unknown(f"at least {len(types)}: {gaps[0]}") if gaps else len(types),
        review_comments=types.count("review"),
        issue_comments=types.count("issue"),
        timeline_events=types.count("timeline"),
        characters=sum(len(entry.row.body) for entry in stream.entries),
    )


def _format_stats(found: ConversationStats) -> str:
    types = f"{found.review_comments} review, {found.issue_comments} issue, {found.timeline_events} timeline"
    total = found.total_comments
    items = total if not isinstance(total, Unknown) else "an unknown number of"
    return f"{items} items ({types}), {found.characters} characters"
