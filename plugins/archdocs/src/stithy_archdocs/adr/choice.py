# ruff: noqa: RUF001 -- people write these dashes and quotes
"""The sentences of a record that say by themselves what was chosen and what not."""

import re
from collections.abc import Iterator

from attrs import frozen

from stithy_archdocs.adr.candidates import told
from stithy_archdocs.adr.option_names import name_of
from stithy_archdocs.adr.source import Line, Source
from stithy_archdocs.records import Option, Outcome, Section

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)]|[a-zA-Z][.)])\s+\S")
_QUOTES = r"[\"“”'‘’«»*_`]"
_CHOSEN = re.compile(
    r"(?<!\bnot )(?<!n['’]t )(?<!\bnot \*\*)\b(?:chosen|selected|preferred)"
    r"(?: options?| solution| alternative| approach)?\**\s*(?::|(?:is|was)(?! (?:stated|described|documented|explained"
    r"|listed|shown|given|based|because|that|to|not|in|by|as)\b))"
    rf"\**\s*(?:(?P<quote>{_QUOTES}+)(?P<quoted>.{{1,400}}?){_QUOTES}+|(?P<plain>(?:\d{{1,2}}\s+[–—-]\s+)?[^,.;\n]{{1,400}}?))"
    r"(?=\s*(?:[,.;–—]|\s-\s|because\b|since\b|as it\b|$))",
    re.IGNORECASE,
)
_CHOSEN_BY = ("chosen", "selected", "preferred")
_TELLS = ("we ", "over", "instead", "rather")
_SAYS = (*_CHOSEN_BY, "context")
_WE_CHOSE = re.compile(
    r"\bwe (?:have )?(?:chose|chosen|selected|picked|opted for|decided (?:for|on|to (?:use|adopt|go with))|will"
    r" (?:use|adopt|go with)|choose|select|adopt)\s+"
    r"(?P<plain>[^,.;\n(]{1,400}?)(?=\s*(?:[,.;(–—]|\s-\s|\bbecause\b|\bsince\b|\binstead\b|\bover\b|\brather\b|\band"
    r" (?:against|neglected)\b|\bto (?:achieve|store|handle|be|run|manage|build|provide)\b|\bfor\b|\bas\b|$))",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:and |we |but )?(?:decided |(?<=and )|(?<=we )|(?<=but ))(?:against|neglected|rejected)\s+"
    r"(?P<names>[^.;\n]{1,400}?)(?=\s*(?:[.;]|,?\s*\bto achieve\b|,?\s*\baccepting\b|\bbecause\b|$))",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:instead of|rather than|(?:chose|chosen|choose|select|selected|prefer|preferred|favou?r|picked|decided for)\b"
    r"[^.;\n]{0,80}?\bover)\s+(?P<names>[A-Z][^,.;\n(]{0,400})"
)
_POINTING = re.compile(
    r"^(?:this|that|these|those|it|them|which|not yet|tbd|n/a|to be (?:decided|discussed))\b", re.IGNORECASE
)
_VAGUE = re.compile(
    r"^(?:this|that|these|those|it|them|which|same|one|ones|following|former|latter|above|below|not|no|another|such|any"
    r"|more|number|few|several)\b|\?$",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(r"^[{<\[]")
_LEAD = re.compile(
    r"^(?:to (?:use|adopt|go with|employ|introduce)\s+|(?:using|use of)\s+|(?:to|for|the|a|an)\s+)+", re.IGNORECASE
)
_MOST_LINES = 20
_MOST = 60


@frozen
class Said:
    """What sentences say by themselves.

    Args:
        named: What stands behind "chosen option:" and the like.
        done: What "we will use …" tells, in a part that says what was decided.
        against: What is named as not taken.
    """

    named: list[Option]
    done: list[Option]
    against: list[Option]


def said(source: Source) -> Said:
    """Read the sentences that say what was chosen and what not."""
    found = Said([], [], [])
    for section in source.sections:
        outcome = told(section) is not None
        if not outcome and not _has(section.text.lower(), _SAYS):  # much cheaper than the expressions
            continue
        for line in paragraphs(source, section):
            lower = line.text.lower()
            y_statement = "in the context of" in lower
            if _has(lower, _CHOSEN_BY):
                found.named.extend(_names(_CHOSEN.finditer(line.text), Outcome.CHOSEN, line.number))
            if (outcome or y_statement) and _has(lower, _TELLS):
                found.done.extend(_names(_WE_CHOSE.finditer(line.text), Outcome.CHOSEN, line.number))
                found.against.extend(_names(_OVER.finditer(line.text), Outcome.REJECTED, line.number))
            if y_statement or (outcome and "decided" in line.text):
                found.against.extend(_names(_AGAINST.finditer(line.text), Outcome.REJECTED, line.number))
    return Said(found.named[:_MOST], found.done[:_MOST], found.against[:_MOST])


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(map(text.__contains__, words))


def paragraphs(source: Source, section: Section) -> Iterator[Line]:
    """Join the lines of a paragraph, so that a sentence that was wrapped is whole."""
    start, parts = 0, list[str]()
    for line in source.within(section):
        if parts and line.number == start + len(parts) and not _BULLET.match(line.text) and len(parts) < _MOST_LINES:
            parts.append(line.text.strip())
            continue
        if parts:
            yield Line(start, " ".join(parts))
        start, parts = line.number, [line.text.strip()]
    if parts:
        yield Line(start, " ".join(parts))


def _names(found: "Iterator[re.Match[str]]", outcome: Outcome, line: int) -> list[Option]:
    made = []
    for one in found:
        groups = one.groupdict()
        text = groups.get("quoted") or groups.get("plain") or groups.get("names") or ""
        parts = re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", text) if groups.get("names") else [text]
        for part in parts:
            name = _LEAD.sub("", name_of(part))
            vague = _POINTING if "quote" in groups else _VAGUE
            if name and not _TEMPLATE.match(name) and not vague.search(name):
                made.append(Option(text=name, outcome=outcome, line=line))
    return made
