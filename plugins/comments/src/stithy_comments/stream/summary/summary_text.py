"""Fitting sections into a budget: important ones first; omitted points are counted."""

from collections.abc import Sequence

from attrs import frozen

from stithy_comments.stream.summary.summary_points import SummarySection
from stithy_comments.tools.stream_tool import Mode


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
