# ruff: noqa: RUF001 -- people write these dashes and quotes
"""The lists of a record that hold its options: bullets, headings, or a table's first cells."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from attrs import evolve, frozen

from stithy_archdocs.adr.option_names import MARKS, SYMBOLS, gloss_of, label_of, mark_of, name_of
from stithy_archdocs.adr.source import Line, Source
from stithy_archdocs.records import Outcome, Section

OUTCOMES = re.compile(
    r"^[\W\d_]*(?:(?:the|our|final|resulting) )?"
    r"(?:decisions?|outcomes?|solution|conclusions?|resolution|verdict|results?|recommendation|what we decided"
    r"|decision (?:outcome|made|taken|result|statement|and (?:rationale|justification|reasons?))"
    r"|(?:chosen|selected|preferred|recommended) (?:option|solution|alternative|approach))"
    r"(?:\s*[:–—-]\s*(?P<told>\S.*)|\W*)$",
    re.IGNORECASE,
)
"""A heading above what was decided; `told` is the decision where the heading says it itself."""

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
class Candidate:
    """An option as a list has it.

    Args:
        text: Its name.
        line: Where it stands.
        gloss: All that its line says of it, for what limits it.
        label: Its number or letter, in lower case; empty where it has none.
        group: Which list of the record it is in.
        mark: What a mark of its own tells of it.
        prior: What the list's heading tells of it.
        early: Whether its list of alternatives stands before the decision, which may have chosen one of them.
    """

    text: str
    line: int
    gloss: str = ""
    label: str = ""
    group: int = 0
    mark: Outcome = Outcome.UNSTATED
    prior: Outcome = Outcome.UNSTATED
    early: bool = False


def candidates(source: Source, most: int) -> tuple[Candidate, ...]:
    """Give the options that a record lists, each once: its first name, and what any of its places tells.

    Args:
        source: The record.
        most: How many places are read.
    """
    kept: dict[str, Candidate] = {}
    for one in islice(_listed(source), most):
        key = plain(one.text)
        before = kept.get(key)
        if key and before is None:
            kept[key] = one
        elif before is not None and before.mark is Outcome.UNSTATED:
            kept[key] = evolve(before, mark=one.mark)
    return tuple(kept.values())


def plain(text: str) -> str:
    """Give the words of a name, and nothing else, in lower case."""
    return " ".join(re.findall(r"\w+", text.lower()))


def told(section: Section) -> "re.Match[str] | None":
    """Tell whether a part says what was decided."""
    return _outcome(section.headings[-1]) if section.headings else None


@lru_cache(maxsize=1024)
def _outcome(title: str) -> "re.Match[str] | None":
    return OUTCOMES.match(title[:_LONGEST_TITLE])


@lru_cache(maxsize=1024)
def _lists(title: str) -> bool:
    """Tell whether a heading stands above options; records have the same headings."""
    return _LISTS.match(title) is not None


def _listed(source: Source) -> Iterator[Candidate]:
    decisions = [section.first for section in source.sections if told(section)]
    for index, section in enumerate(source.sections):
        if section.headings and _lists(section.headings[-1]):
            title = section.headings[-1]
            early = bool(decisions) and section.first < min(decisions) and not _OTHERS.search(title)
            for one in _of_section(source, index):
                yield evolve(one, group=index, prior=_prior(title), early=early)


def _prior(title: str) -> Outcome:
    if _OTHERS.search(title):
        return Outcome.REJECTED
    alternatives = _ALTERNATIVES.search(title) and not _COMPARED.search(title)
    return Outcome.REJECTED if alternatives else Outcome.UNSTATED


def _of_section(source: Source, index: int) -> Iterator[Candidate]:
    section = source.sections[index]
    depth = len(section.headings)
    below = [
        one for one in source.sections[index + 1 : index + 1 + _MOST_BELOW] if one.headings[:depth] == section.headings
    ]
    nearest = min((len(one.headings) for one in below), default=0)
    heads = [one for one in below if len(one.headings) == nearest and not _no_option(one)]
    for head in heads:
        yield from _candidate(head.headings[-1], head.first)
    if not heads:
        yield from _of_lines(source.within(section))


def _no_option(section: Section) -> bool:
    return bool(_PRO_OR_CON.match(section.headings[-1]) or told(section))


def _of_lines(lines: Sequence[Line]) -> Iterator[Candidate]:
    called = [(line, found["text"]) for line in lines if (found := _CALLED.match(line.text))]
    if len(called) > 1:
        for line, text in called:
            yield from _candidate(text, line.number)
        return
    bullets = [(line, found) for line in lines if (found := _BULLET.match(line.text))]
    least = min((_indent(found) for _, found in bullets), default=0)
    for line, found in bullets:
        if _indent(found) == least and not _PRO_OR_CON.match(found["text"]):
            yield from _candidate(found["text"], line.number, label=label_of(line.text))
    if not bullets:
        yield from _of_table([line for line in lines if line.text.lstrip().startswith("|")])
        for line in lines:
            if bold := _BOLD.match(line.text):
                yield from _candidate(bold["text"], line.number)


def _indent(bullet: "re.Match[str]") -> int:
    return len(bullet["indent"].expandtabs(4))


def _of_table(lines: Sequence[Line]) -> Iterator[Candidate]:
    """Read a table's first cells; a cell or a mark in the row tells what became of it."""
    rows = [(line, [cell.strip() for cell in line.text.strip().strip("|").split("|")]) for line in lines]
    ruled = next((at for at, (line, _) in enumerate(rows) if re.fullmatch(r"[\s|:-]+", line.text)), -1)
    for line, cells in rows[ruled + 1 :]:
        if cells and cells[0]:
            yield from _candidate(f"{cells[0]} {' '.join(_marks(cells))}", line.number)


def _marks(cells: Sequence[str]) -> Iterable[str]:
    """Give the marks of a row; of symbols one alone: several compare."""
    symbols = SYMBOLS.findall(" ".join(cells))
    verdicts = [f"({found['word']})" for cell in cells[1:] if (found := _VERDICT.match(cell))]
    said = MARKS.findall(" ".join([*(f"({cell})" for cell in cells[1:] if len(cell) <= _VERDICT_CELL), *cells]))
    return [*verdicts, *(one for one in said if len(symbols) == 1 or one not in symbols)]


def _candidate(text: str, line: int, *, label: str = "") -> Iterator[Candidate]:
    name = name_of(text)
    if name and not _TEMPLATE.match(name) and name.strip("….").strip():
        yield Candidate(text=name, line=line, gloss=gloss_of(text), label=label_of(text) or label, mark=mark_of(text))
