# ruff: noqa: RUF001 -- people write these dashes and quotes
"""Find the options that a record lists: in bullets, headings, or the first cells of a table."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from attrs import evolve, frozen

from stithy_archdocs.adr.option_names import MARKS, SYMBOLS, parse_gloss, parse_label, parse_mark, parse_option_name
from stithy_archdocs.adr.record_source import RecordSource, SourceLine
from stithy_archdocs.document_models import OptionOutcome, Section

OUTCOMES = re.compile(
    r"^[\W\d_]*(?:(?:the|our|final|resulting) )?"
    r"(?:decisions?|outcomes?|solution|conclusions?|resolution|verdict|results?|recommendation|what we decided"
    r"|decision (?:outcome|made|taken|result|statement|and (?:rationale|justification|reasons?))"
    r"|(?:chosen|selected|preferred|recommended) (?:option|solution|alternative|approach))"
    r"(?:\s*[:–—-]\s*(?P<inline>\S.*)|\W*)$",
    re.IGNORECASE,
)
"""Matches a heading above the decision; group `inline` is the decision if the heading itself states it."""

# "Solution" alone is a heading of the decision (OUTCOMES), so it does not start a list of options.
_LISTS = re.compile(
    r"^[\W\d_]*(?!solution\W*$)(?:considered|evaluated|possible|available|proposed|design|other|rejected)?\s*"
    r"(?:options?|alternatives?|solutions?)"
    r"(?:\s+(?:considered|evaluated|analysed|analyzed|rejected|explored|discussed|and .*))?\W*$"
    r"|^[\W\d_]*(?:(?:pros and cons|comparison|evaluation|analysis) of (?:the )?(?:options?|alternatives?|solutions?)"
    r"|what (?:else )?we considered)\W*$",
    re.IGNORECASE,
)
_OTHERS = re.compile(r"rejected|\bother (?:option|alternative|solution)|what else", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"alternativ", re.IGNORECASE)
_COMPARED = re.compile(r"pros and cons|comparison|evaluation of|analysis of", re.IGNORECASE)
_BULLET = re.compile(r"^(?P<indent>\s*)(?:[-*+•]|\d{1,2}[.)]|[a-zA-Z][.)])\s+(?P<text>\S.*)$")
_CALLED = re.compile(
    r"^\s{0,3}(?P<text>\**(?:option|alternative|solution)\s+#?(?:\d{1,2}|[A-Z])\b.*\w.*)$", re.IGNORECASE
)
_BOLD = re.compile(r"^\s*\*\*(?P<text>[^*]+)\*\*")
_VERDICT = re.compile(
    r"^\**(?P<word>chosen|selected|accepted|rejected|discarded|not chosen|declined|dismissed)\b"
    r"(?=\W*$|\**\s*[-–—:,;(])",
    re.IGNORECASE,
)
_PRO_OR_CON = re.compile(
    r"^\W*(?:good|bad|neutral|pros?|cons?|advantages?|disadvantages?|benefits?|drawbacks?|summary|overview"
    r"|(?:\w+ )?consequences)\b|^[\s`*]*[+–—-][\s`*]",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"^[{<\[]")
_MOST_BELOW = 60
_VERDICT_CELL = 24
_LONGEST_TITLE = 1_000


@frozen(kw_only=True)
class OptionCandidate:
    """An option that a record lists.

    Args:
        text: Name of the option.
        line: Line number, from 1.
        gloss: Text in parentheses behind the name; words such as "only" in it limit the option.
        label: Its number or letter in lower case; empty if it has none.
        group: Index of the section that lists it; options of one list share it.
        mark: Outcome that a mark in its own line states, such as a check mark or "(rejected)".
        prior: Outcome that the heading of the list implies, such as "Rejected alternatives".
        early: Whether a list of alternatives stands before the decision, which may then choose one of them.
    """

    text: str
    line: int
    gloss: str = ""
    label: str = ""
    group: int = 0
    mark: OptionOutcome = OptionOutcome.UNSTATED
    prior: OptionOutcome = OptionOutcome.UNSTATED
    early: bool = False


def list_candidates(source: RecordSource, most: int) -> tuple[OptionCandidate, ...]:
    """Return the options that a record lists, each once, with the first name and the first mark found.

    Args:
        source: The record.
        most: How many list entries are read at most.
    """
    kept: dict[str, OptionCandidate] = {}
    for one in islice(_iterate_candidates(source), most):
        key = normalize_name(one.text)
        before = kept.get(key)
        if key and before is None:
            kept[key] = one
        elif before is not None and before.mark is OptionOutcome.UNSTATED:
            kept[key] = evolve(before, mark=one.mark)
    return tuple(kept.values())


def normalize_name(text: str) -> str:
    """Return the words of a name in lower case, joined by spaces; two names are equal if these are."""
    return " ".join(re.findall(r"\w+", text.lower()))


def match_outcome_heading(section: Section) -> "re.Match[str] | None":
    """Match the heading of a section that states the decision; None for any other section."""
    return _match_outcome(section.headings[-1]) if section.headings else None


@lru_cache(maxsize=1024)
def _match_outcome(title: str) -> "re.Match[str] | None":
    return OUTCOMES.match(title[:_LONGEST_TITLE])


@lru_cache(maxsize=1024)
def _is_options_heading(title: str) -> bool:
    """Return whether a heading introduces options. Cached because records repeat the same headings."""
    return _LISTS.match(title) is not None


def _iterate_candidates(source: RecordSource) -> Iterator[OptionCandidate]:
    decisions = [section.first for section in source.sections if match_outcome_heading(section)]
    for index, section in enumerate(source.sections):
        if section.headings and _is_options_heading(section.headings[-1]):
            title = section.headings[-1]
            early = bool(decisions) and section.first < min(decisions) and not _OTHERS.search(title)
            for one in _candidates_in_section(source, index):
                yield evolve(one, group=index, prior=_outcome_of_heading(title), early=early)


def _outcome_of_heading(title: str) -> OptionOutcome:
    if _OTHERS.search(title):
        return OptionOutcome.REJECTED
    alternatives = _ALTERNATIVES.search(title) and not _COMPARED.search(title)
    return OptionOutcome.REJECTED if alternatives else OptionOutcome.UNSTATED


def _candidates_in_section(source: RecordSource, index: int) -> Iterator[OptionCandidate]:
    section = source.sections[index]
    depth = len(section.headings)
    below = [
        one for one in source.sections[index + 1 : index + 1 + _MOST_BELOW] if one.headings[:depth] == section.headings
    ]
    nearest = min((len(one.headings) for one in below), default=0)
    heads = [one for one in below if len(one.headings) == nearest and not _is_not_option(one)]
    for head in heads:
        yield from _make_candidate(head.headings[-1], head.first)
    if not heads:
        yield from _candidates_in_lines(source.get_lines(section))


def _is_not_option(section: Section) -> bool:
    return bool(_PRO_OR_CON.match(section.headings[-1]) or match_outcome_heading(section))


def _candidates_in_lines(lines: Sequence[SourceLine]) -> Iterator[OptionCandidate]:
    called = [(line, found["text"]) for line in lines if (found := _CALLED.match(line.text))]
    if len(called) > 1:
        for line, text in called:
            yield from _make_candidate(text, line.number)
        return
    bullets = [(line, found) for line in lines if (found := _BULLET.match(line.text))]
    least = min((_measure_indent(found) for _, found in bullets), default=0)
    for line, found in bullets:
        if _measure_indent(found) == least and not _PRO_OR_CON.match(found["text"]):
            yield from _make_candidate(found["text"], line.number, label=parse_label(line.text))
    if not bullets:
        yield from _candidates_in_table([line for line in lines if line.text.lstrip().startswith("|")])
        for line in lines:
            if bold := _BOLD.match(line.text):
                yield from _make_candidate(bold["text"], line.number)


def _measure_indent(bullet: "re.Match[str]") -> int:
    return len(bullet["indent"].expandtabs(4))


def _candidates_in_table(lines: Sequence[SourceLine]) -> Iterator[OptionCandidate]:
    """Iterate over the first cells of a table; another cell or mark in the row may state the outcome."""
    rows = [(line, [cell.strip() for cell in line.text.strip().strip("|").split("|")]) for line in lines]
    ruled = next((at for at, (line, _) in enumerate(rows) if re.fullmatch(r"[\s|:-]+", line.text)), -1)
    for line, cells in rows[ruled + 1 :]:
        if cells and cells[0]:
            yield from _make_candidate(f"{cells[0]} {' '.join(_collect_row_marks(cells))}", line.number)


def _collect_row_marks(cells: Sequence[str]) -> Iterable[str]:
    """Return the marks of a row. Several symbols in one row compare options, so only a single symbol counts."""
    symbols = SYMBOLS.findall(" ".join(cells))
    verdicts = [f"({found['word']})" for cell in cells[1:] if (found := _VERDICT.match(cell))]
    said = MARKS.findall(" ".join([*(f"({cell})" for cell in cells[1:] if len(cell) <= _VERDICT_CELL), *cells]))
    return [*verdicts, *(one for one in said if len(symbols) == 1 or one not in symbols)]


def _make_candidate(text: str, line: int, *, label: str = "") -> Iterator[OptionCandidate]:
    name = parse_option_name(text)
    if name and not _TEMPLATE.match(name) and name.strip("….").strip():
        yield OptionCandidate(
            text=name, line=line, gloss=parse_gloss(text), label=parse_label(text) or label, mark=parse_mark(text)
        )
