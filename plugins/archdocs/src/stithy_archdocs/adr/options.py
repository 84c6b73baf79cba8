# ruff: noqa: RUF001 -- people write these dashes and quotes
"""What was chosen, and what could have been (MADR, Y-statements, lists of alternatives)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from attrs import evolve

from stithy_archdocs.adr.source import Line, Source
from stithy_archdocs.records import Option, Outcome, Section

_LISTS = re.compile(
    r"^[\W\d_]*(?:considered|evaluated|possible|available|proposed|design|other|rejected)?\s*(?:options?"
    r"|alternatives?|solutions?)"
    r"(?:\s+(?:considered|evaluated|analysed|analyzed|rejected|explored|discussed|and .*))?\W*$"
    r"|^[\W\d_]*(?:(?:pros and cons|comparison|evaluation|analysis) of (?:the )?(?:options?|alternatives?)|what"
    r" (?:else )?we considered)\W*$",
    re.IGNORECASE,
)
_ALTERNATIVES = re.compile(r"alternativ|rejected|other options|what else", re.IGNORECASE)
_OUTCOMES = re.compile(
    r"^[\W\d_]*(?:decision|decision outcome|outcome|chosen (?:option|solution)|solution|conclusion|the decision)\W*$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^(?P<indent>\s*)(?:[-*+•]|\d{1,2}[.)]|[a-zA-Z][.)])\s+(?P<text>\S.*)$")
_QUOTES = r"[\"“”'‘’«»*_`]"
_CHOSEN = re.compile(
    rf"\b(?:chosen|selected|preferred)(?: option| solution| alternative)?\**\s*(?::|is"
    rf"|was)\**\s*(?:(?P<quote>{_QUOTES}+)(?P<quoted>.+?){_QUOTES}+|(?P<plain>(?:\d{{1,2}}\s+[–—-]\s+)?[^,.;\n]+?))"
    r"(?=\s*(?:[,.;–—]|\s-\s|because\b|since\b|as it\b|$))",
    re.IGNORECASE,
)
_CHOSEN_BY = ("chosen", "selected", "preferred")
_WE_CHOSE = re.compile(
    r"\bwe (?:have )?(?:chose|chosen|selected|picked|opted for|decided (?:for|on|to (?:use|adopt|go with))|will"
    r" (?:use|adopt|go with)|choose|select|adopt)\s+"
    r"(?P<plain>[^,.;\n(]+?)(?=\s*(?:[,.;(–—]|\s-\s|\bbecause\b|\bsince\b|\binstead\b|\bover\b|\brather\b|\band"
    r" (?:against|neglected)\b|\bto (?:achieve|store|handle|be|run|manage|build|provide)\b|\bfor\b|\bas\b|$))",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:and |we )?(?:decided )?(?:against|neglected|rejected)\s+(?P<names>[^.;\n]+?)(?=\s*(?:[.;]|,?\s*\bto"
    r" achieve\b|,?\s*\baccepting\b|\bbecause\b|$))",
    re.IGNORECASE,
)
_OVER = re.compile(r"\b(?:instead of|rather than|over)\s+(?P<names>[A-Z][^,.;\n(]*)")
_PREFIX = re.compile(
    r"^(?:(?:option|alternative|solution|variant|approach)\s*(?:#?\w{1,3})?\s*[:.)–—-]+\s*"
    r"|\(?[A-Za-z0-9]{1,2}[.):]\s+|\d{1,2}\s+[–—-]\s+|#\d+\s+)",
    re.IGNORECASE,
)
_MARKED_CHOSEN = re.compile(
    r"✅|✔|☑|🏆|⭐|\((?:chosen|selected|accepted|preferred|recommended|our choice|current|this)[^)]*\)"
    r"|[-–—:]\s*\**(?:chosen|selected|accepted)\b",
    re.IGNORECASE,
)
_MARKED_REJECTED = re.compile(
    r"❌|✗|🚫|\((?:rejected|discarded|not chosen|declined|dismissed)[^)]*\)|[-–—:]\s*\**(?:rejected|discarded|not"
    r" chosen)\b|^\**rejected\**\s*:",
    re.IGNORECASE,
)
_MARKS = re.compile(
    r"✅|✔️?|☑️?|🏆|⭐|❌|✗|🚫|\((?:chosen|selected|accepted|preferred|recommended|rejected|discarded|not chosen"
    r"|declined|dismissed|our choice|current|this)[^)]*\)",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?")
_PRO_OR_CON = re.compile(
    r"^\W*(?:good|bad|neutral|pros?|cons?|advantages?|disadvantages?|benefits?|drawbacks?|\+|summary|overview)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(r"^(?:this|that|these|those|it|them|which)\b", re.IGNORECASE)
_TEMPLATE = re.compile(r"^[{<\[]")
_DENIED = re.compile(r"\b(?:not|no|without|don|never|avoid|against)\b")
_LEAD = re.compile(
    r"^(?:to (?:use|adopt|go with|employ|introduce)\s+|(?:using|use of)\s+|(?:the|a|an)\s+)+", re.IGNORECASE
)
_MOST = 60
_MOST_READ = 1_000
_LONGEST = 160


def options(source: Source) -> tuple[Option, ...]:
    """Give all options of a record, each once, with what became of it."""
    listed = list(islice(_listed(source), _MOST_READ))
    chosen, against = _decided(source)
    known = tuple(_merged(listed).values())
    found = [evolve(one, outcome=_outcome(one, known, chosen, against)) for one in known]
    taken = any(option.outcome is Outcome.CHOSEN for option in found)
    if chosen and taken:
        found = [evolve(one, outcome=Outcome.REJECTED) if one.outcome is Outcome.UNSTATED else one for one in found]
    found += [one for one in (*chosen, *against) if not _meant(one.text, known)]
    return tuple(_merged(found).values())[:_MOST]


def _merged(given: Iterable[Option]) -> dict[str, Option]:
    """Take each option once; what says an outcome wins."""
    kept: dict[str, Option] = {}
    for option in given:
        key = _plain(option.text)
        before = kept.get(key)
        if key and (before is None or (before.outcome is Outcome.UNSTATED and option.outcome is not Outcome.UNSTATED)):
            kept[key] = evolve(option, text=before.text if before else option.text)
    return kept


def _outcome(option: Option, known: Sequence[Option], chosen: list[Option], against: list[Option]) -> Outcome:
    for outcome, named in ((Outcome.CHOSEN, chosen), (Outcome.REJECTED, against)):
        if any(_meant(one.text, known) is option for one in named):
            return outcome
    return option.outcome


def _listed(source: Source) -> Iterator[Option]:
    """Read the lists: bullets, headings, or a table's first cells."""
    for index, section in enumerate(source.sections):
        if not section.headings or not _LISTS.match(section.headings[-1]):
            continue
        outcome = Outcome.REJECTED if _ALTERNATIVES.search(section.headings[-1]) else Outcome.UNSTATED
        below = [
            one
            for one in source.sections[index + 1 : index + 1 + _MOST]
            if one.headings[: len(section.headings)] == section.headings
        ]
        nearest = min((len(one.headings) for one in below), default=0)
        heads = [one for one in below if len(one.headings) == nearest and not _PRO_OR_CON.match(one.headings[-1])]
        for head in heads:
            yield from _option(head.headings[-1], outcome, head.first)
        if not heads:
            yield from _of_lines(source.within(section), outcome)


def _of_lines(lines: Sequence[Line], outcome: Outcome) -> Iterator[Option]:
    bullets = [(line, found) for line in lines if (found := _BULLET.match(line.text))]
    least = min((len(found["indent"].expandtabs(4)) for _, found in bullets), default=0)
    for line, found in bullets:
        if len(found["indent"].expandtabs(4)) == least and not _PRO_OR_CON.match(found["text"]):
            yield from _option(found["text"], outcome, line.number)
    if not bullets:
        yield from _of_table([line for line in lines if line.text.lstrip().startswith("|")], outcome)
        for line in lines:
            if found := re.match(r"^\s*\*\*(?P<text>[^*]+)\*\*", line.text):
                yield from _option(found["text"], outcome, line.number)


def _of_table(lines: list[Line], outcome: Outcome) -> Iterator[Option]:
    """Read a table's first cells; a cell or a mark in the row tells what became of it."""
    rows = [(line, [cell.strip() for cell in line.text.strip().strip("|").split("|")]) for line in lines]
    ruled = next((at for at, (line, _) in enumerate(rows) if re.fullmatch(r"[\s|:-]+", line.text)), -1)
    for line, cells in rows[ruled + 1 :]:
        told = " ".join(f"({cell})" for cell in cells[1:] if len(cell) <= 24)  # noqa: PLR2004 -- a verdict, no sentence
        if cells and cells[0]:
            yield from _option(f"{cells[0]} {' '.join(_MARKS.findall(told + ' '.join(cells)))}", outcome, line.number)


def _option(text: str, outcome: Outcome, line: int) -> Iterator[Option]:
    if _MARKED_REJECTED.search(text):
        outcome = Outcome.REJECTED
    elif _MARKED_CHOSEN.search(text):
        outcome = Outcome.CHOSEN
    name = _name(text)
    if name and not _TEMPLATE.match(name) and name.strip("….").strip():
        yield Option(text=name, outcome=outcome, line=line)


def _name(text: str) -> str:
    """Give an option's name: without marks and number, and without the sentence that follows it."""
    text = _MARKS.sub("", _LINK.sub(r"\1", text)).strip()
    bold = re.match(
        r"^\**(?:option|alternative|solution)?\s*\w{0,2}[:.)]?\s*\*\*(?P<name>[^*]+)\*\*", text, re.IGNORECASE
    )
    name = (
        bold["name"]
        if bold and _PREFIX.sub("", bold["name"].strip(" :.") + ": ").strip()
        else re.split(r":\s|\s[–—-]\s|\.\s|;\s", _PREFIX.sub("", text.replace("**", "")), maxsplit=1)[0]
    )
    name = _PREFIX.sub("", name.strip())
    name = re.sub(r"\s+", " ", name.replace("**", "").replace("`", "")).strip(" *_\"“”'.:,[]")
    return name[:_LONGEST].strip()


def _decided(source: Source) -> tuple[list[Option], list[Option]]:
    """Read the sentences that say what was chosen and what not."""
    chosen: list[Option] = []
    against: list[Option] = []
    for section in source.sections:
        outcome = bool(section.headings) and bool(_OUTCOMES.match(section.headings[-1]))
        for line in _sentences(source, section):
            lower = line.text.lower()
            y_statement = "in the context of" in lower
            if any(word in lower for word in _CHOSEN_BY):  # much cheaper than the expression
                chosen += _names(_CHOSEN.finditer(line.text), Outcome.CHOSEN, line.number)
            if outcome or y_statement:
                chosen += _names(_WE_CHOSE.finditer(line.text), Outcome.CHOSEN, line.number)
                against += _names(_OVER.finditer(line.text), Outcome.REJECTED, line.number)
            if y_statement or (outcome and "decided" in line.text):
                against += _names(_AGAINST.finditer(line.text), Outcome.REJECTED, line.number)
    return chosen, against


def _sentences(source: Source, section: Section) -> Iterator[Line]:
    """Join the lines of a paragraph, so that a sentence that was wrapped is whole."""
    start, parts = 0, list[str]()
    for line in source.within(section):
        if parts and line.number == start + len(parts) and not _BULLET.match(line.text) and len(parts) < 20:  # noqa: PLR2004 -- a paragraph
            parts.append(line.text.strip())
            continue
        if parts:
            yield Line(start, " ".join(parts))
        start, parts = line.number, [line.text.strip()]
    if parts:
        yield Line(start, " ".join(parts))


def _names(found: Iterator[re.Match[str]], outcome: Outcome, line: int) -> list[Option]:
    made = []
    for one in found:
        groups = one.groupdict()
        text = groups.get("quoted") or groups.get("plain") or groups.get("names") or ""
        parts = re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", text) if groups.get("names") else [text]
        for part in parts:
            name = _LEAD.sub("", _name(part))
            if name and not _TEMPLATE.match(name) and not _POINTING.match(name):
                made.append(Option(text=name, outcome=outcome, line=line))
    return made


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _meant(name: str, known: Sequence[Option]) -> Option | None:
    """Give the option that a sentence names: its name, its place in the list, or else the nearest that holds it."""
    plain = _plain(name)
    if place := re.fullmatch(r"(?:option|alternative) (?:(\d{1,2})|([a-z]))", plain):
        index = int(place[1]) - 1 if place[1] else ord(place[2]) - ord("a")
        return known[index] if 0 <= index < len(known) else None
    near = [(_distance(plain, _plain(option.text)), option) for option in known]
    fitting = [(distance, option) for distance, option in near if distance is not None]
    return min(fitting, key=lambda one: one[0])[1] if fitting else None


def _distance(one: str, other: str) -> int | None:
    """Say by how much the longer of two names is longer, if it holds the shorter and does not deny it."""
    short, long = sorted((f" {one} ", f" {other} "), key=len)
    if short == long:
        return 0
    if len(short) < 5 or short not in long or _DENIED.search(long.replace(short, " ")):  # noqa: PLR2004 -- "c" is in much
        return None
    return len(long) - len(short)
