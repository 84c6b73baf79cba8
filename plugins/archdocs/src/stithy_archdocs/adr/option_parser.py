# ruff: noqa: RUF001 -- people write these dashes and quotes
"""Parse the options of a record: what was chosen and what was not (MADR, Y-statements, lists of alternatives)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from attrs import evolve, frozen

from stithy_archdocs.adr.option_candidates import (
    OptionCandidate,
    list_candidates,
    match_outcome_heading,
    normalize_name,
)
from stithy_archdocs.adr.option_labels import is_label_only
from stithy_archdocs.adr.option_matching import OptionMatcher
from stithy_archdocs.adr.option_names import parse_option_name
from stithy_archdocs.adr.record_source import RecordSource, SourceLine
from stithy_archdocs.adr.wanted_phrases import WantedPhrase, make_phrase, parse_wanted, split_sentences
from stithy_archdocs.document_models import DecisionOption, OptionOutcome, Section

_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,2}[.)]|[a-zA-Z][.)])\s+\S")
_QUOTES = r"[\"“”'‘’«»*_`]"
# The lookbehinds skip "not chosen"; the lookahead behind "is" skips "the chosen option is described below".
_CHOSEN = re.compile(
    r"(?<!\bnot )(?<!n['’]t )(?<!\bnot \*\*)\b(?:chosen|selected|preferred)"
    r"(?: options?| solution| alternative| approach)?\**\s*(?::|(?:is|was)(?! (?:stated|described|documented|explained"
    r"|listed|shown|given|based|because|that|to|not|in|by|as)\b))"
    rf"\**\s*(?:(?P<quote>{_QUOTES}++)(?P<quoted>.{{1,400}}?){_QUOTES}++|(?P<plain>(?:\d{{1,2}}\s+[–—-]\s+)?[^,.;\n]{{1,400}}?))"
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
_MOST_STATEMENTS = 60


@frozen
class ChoiceStatements:
    """The options that sentences of a record name.

    Args:
        named: Options behind "chosen option:" and similar phrases.
        done: Options behind "we will use …" in a section that states the decision.
        against: Options that are named as rejected.
    """

    chosen: list[DecisionOption]
    decided: list[DecisionOption]
    rejected: list[DecisionOption]


def parse_choices(source: RecordSource) -> ChoiceStatements:
    """Parse the sentences that state what was chosen and what was rejected."""
    found = ChoiceStatements([], [], [])
    for section in source.sections:
        outcome = match_outcome_heading(section) is not None
        if not outcome and not _contains_any(
            section.text.lower(), _SAYS
        ):  # a substring test is much cheaper than the regular expressions
            continue
        for line in join_paragraphs(source, section):
            lower = line.text.lower()
            y_statement = "in the context of" in lower
            if _contains_any(lower, _CHOSEN_BY):
                found.chosen.extend(_parse_names(_CHOSEN.finditer(line.text), OptionOutcome.CHOSEN, line.number))
            if (outcome or y_statement) and _contains_any(lower, _TELLS):
                found.decided.extend(_parse_names(_WE_CHOSE.finditer(line.text), OptionOutcome.CHOSEN, line.number))
                found.rejected.extend(_parse_names(_OVER.finditer(line.text), OptionOutcome.REJECTED, line.number))
            if y_statement or (outcome and "decided" in line.text):
                found.rejected.extend(_parse_names(_AGAINST.finditer(line.text), OptionOutcome.REJECTED, line.number))
    return ChoiceStatements(
        found.chosen[:_MOST_STATEMENTS], found.decided[:_MOST_STATEMENTS], found.rejected[:_MOST_STATEMENTS]
    )


def _contains_any(text: str, words: tuple[str, ...]) -> bool:
    return any(map(text.__contains__, words))


def join_paragraphs(source: RecordSource, section: Section) -> Iterator[SourceLine]:
    """Join the lines of each paragraph, so that a wrapped sentence is whole; the number is that of its first line."""
    start, parts = 0, list[str]()
    for line in source.get_lines(section):
        if parts and line.number == start + len(parts) and not _BULLET.match(line.text) and len(parts) < _MOST_LINES:
            parts.append(line.text.strip())
            continue
        if parts:
            yield SourceLine(start, " ".join(parts))
        start, parts = line.number, [line.text.strip()]
    if parts:
        yield SourceLine(start, " ".join(parts))


def _parse_names(found: "Iterator[re.Match[str]]", outcome: OptionOutcome, line: int) -> list[DecisionOption]:
    made = []
    for one in found:
        groups = one.groupdict()
        text = groups.get("quoted") or groups.get("plain") or groups.get("names") or ""
        parts = re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", text) if groups.get("names") else [text]
        for part in parts:
            name = _LEAD.sub("", parse_option_name(part))
            vague = _POINTING if "quote" in groups else _VAGUE
            if name and not _TEMPLATE.match(name) and not vague.search(name):
                made.append(DecisionOption(text=name, outcome=outcome, line=line))
    return made


_MOST = 60
_MOST_READ = 1_000
_MOST_SENTENCES = 40


def parse_options(source: RecordSource) -> tuple[DecisionOption, ...]:
    """Return all options of a record, each once, with its outcome."""
    known = list_candidates(source, _MOST_READ)[:_MOST]
    words = parse_choices(source)
    if not known:
        return _remove_duplicates(
            one for one in (*words.chosen, *words.decided, *words.rejected) if not is_label_only(one.text)
        )
    names = OptionMatcher(known)
    decided = _find_chosen(source, known, names, words)
    chosen = [*(decided or ()), *names.find_repeated(decided or ())]
    against = [one for option in words.rejected for one in names.find_wanted(make_phrase(option.text)) or ()]
    more = [] if chosen else [*words.chosen, *words.decided]
    early = decided is None and any(one.early and one.prior is OptionOutcome.REJECTED for one in known)
    other = early and any(names.is_unknown(name) for name in (*(one.text for one in more), *_find_first_aims(source)))
    listed = [
        DecisionOption(text=one.text, outcome=_decide_outcome(one, chosen, against, other=other), line=one.line)
        for one in known
    ]
    unlisted = [
        option
        for option in (*more, *words.rejected)
        if not names.find_wanted(make_phrase(option.text)) and not is_label_only(option.text)
    ]
    return _remove_duplicates([*listed, *unlisted])


def _decide_outcome(
    one: OptionCandidate, chosen: list[OptionCandidate], against: list[OptionCandidate], *, other: bool
) -> OptionOutcome:
    """Return the outcome of an option; alternatives above a decision stay open unless it chose something."""
    if one in chosen:
        return OptionOutcome.CHOSEN
    if chosen or one in against:
        return OptionOutcome.REJECTED
    if one.mark is OptionOutcome.UNSTATED and one.early and not other:
        return OptionOutcome.UNSTATED
    return one.mark if one.mark is not OptionOutcome.UNSTATED else one.prior


def _find_chosen(
    source: RecordSource, known: Sequence[OptionCandidate], names: OptionMatcher, words: ChoiceStatements
) -> list[OptionCandidate] | None:
    """Return the chosen options: by a mark, by "chosen option: …", or by the first sentence that names one.

    Returns:
        None if no option is named; an empty list if it is unclear which one is meant.
    """
    if marked := [one for one in known if one.mark is OptionOutcome.CHOSEN]:
        return marked
    for option in words.chosen:
        if found := names.find_wanted(make_phrase(option.text)):
            return found
    for statement in _iterate_statements(source):
        found = names.find_wanted(statement, lambda: " ".join(text for text, _ in _iterate_sentences(source)))
        if found is not None:
            return found
    return None


def _iterate_statements(source: RecordSource) -> Iterator[WantedPhrase]:
    """Iterate over what the sentences of the decision want, in order."""
    for text, first in _iterate_sentences(source):
        yield from parse_wanted(text, first=first)


def _find_first_aims(source: RecordSource) -> list[str]:
    """Return the first thing that the decision wants, without its purpose; at most one item."""
    aims = (one.aim for one in _iterate_statements(source) if one.aim.strip() and not one.bare)
    return list(islice(aims, 1))


def _iterate_sentences(source: RecordSource) -> Iterator[tuple[str, bool]]:
    """Iterate over the first sentences of the sections that state the decision.

    Yields:
        The sentence, and whether it opens its section.
    """
    return islice(
        (one for section in source.sections for one in _sentences_in_section(source, section)), _MOST_SENTENCES
    )


def _sentences_in_section(source: RecordSource, section: Section) -> Iterator[tuple[str, bool]]:
    if heading := match_outcome_heading(section):
        parts = chain([heading["inline"] or ""], (line.text for line in join_paragraphs(source, section)))
        said = (one for text in parts for one in split_sentences(text))
        yield from ((one, index == 0) for index, one in enumerate(said))


def _remove_duplicates(given: Iterable[DecisionOption]) -> tuple[DecisionOption, ...]:
    """Keep each option once; an occurrence with an outcome wins."""
    kept: dict[str, DecisionOption] = {}
    for option in given:
        key = normalize_name(option.text)
        before = kept.get(key)
        if key and (
            before is None
            or (before.outcome is OptionOutcome.UNSTATED and option.outcome is not OptionOutcome.UNSTATED)
        ):
            kept[key] = evolve(option, text=before.text if before else option.text)
    return tuple(kept.values())[:_MOST]
