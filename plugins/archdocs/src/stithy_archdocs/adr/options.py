"""What was chosen, and what could have been (MADR, Y-statements, lists of alternatives)."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from attrs import evolve

from stithy_archdocs.adr.candidates import Candidate, candidates, plain, told
from stithy_archdocs.adr.choice import Said, paragraphs, said
from stithy_archdocs.adr.labels import nameless
from stithy_archdocs.adr.naming import Names
from stithy_archdocs.adr.source import Source
from stithy_archdocs.adr.wanting import Wanted, phrase, sentences, wanted
from stithy_archdocs.records import Option, Outcome, Section

_MOST = 60
_MOST_READ = 1_000
_MOST_SENTENCES = 40


def options(source: Source) -> tuple[Option, ...]:
    """Give all options of a record, each once, with what became of it."""
    known = candidates(source, _MOST_READ)[:_MOST]
    words = said(source)
    if not known:
        return _once(one for one in (*words.named, *words.done, *words.against) if not nameless(one.text))
    names = Names(known)
    decided = _chosen(source, known, names, words)
    chosen = [*(decided or ()), *names.same(decided or ())]
    against = [one for option in words.against for one in names.of(phrase(option.text)) or ()]
    more = [] if chosen else [*words.named, *words.done]
    early = decided is None and any(one.early and one.prior is Outcome.REJECTED for one in known)
    other = early and any(names.strange(name) for name in (*(one.text for one in more), *_first(source)))
    listed = [
        Option(text=one.text, outcome=_outcome(one, chosen, against, other=other), line=one.line) for one in known
    ]
    unlisted = [
        option for option in (*more, *words.against) if not names.of(phrase(option.text)) and not nameless(option.text)
    ]
    return _once([*listed, *unlisted])


def _outcome(one: Candidate, chosen: list[Candidate], against: list[Candidate], *, other: bool) -> Outcome:
    """Say what became of an option; of alternatives above a decision only where that took one, or another thing."""
    if one in chosen:
        return Outcome.CHOSEN
    if chosen or one in against:
        return Outcome.REJECTED
    if one.mark is Outcome.UNSTATED and one.early and not other:
        return Outcome.UNSTATED
    return one.mark if one.mark is not Outcome.UNSTATED else one.prior


def _chosen(source: Source, known: Sequence[Candidate], names: Names, words: Said) -> list[Candidate] | None:
    """Give what is chosen: by a mark, by "chosen option: …", or by the earliest sentence that names any.

    Returns:
        None where no option is named; nothing where it is not clear which.
    """
    if marked := [one for one in known if one.mark is Outcome.CHOSEN]:
        return marked
    for option in words.named:
        if found := names.of(phrase(option.text)):
            return found
    for statement in _statements(source):
        found = names.of(statement, lambda: " ".join(text for text, _ in _sentences(source)))
        if found is not None:
            return found
    return None


def _statements(source: Source) -> Iterator[Wanted]:
    """Give what the decision's sentences want, in order."""
    for text, first in _sentences(source):
        yield from wanted(text, first=first)


def _first(source: Source) -> list[str]:
    """Give what the decision wants at first, without its purpose."""
    aims = (one.aim for one in _statements(source) if one.aim.strip() and not one.bare)
    return list(islice(aims, 1))


def _sentences(source: Source) -> Iterator[tuple[str, bool]]:
    """Give the first sentences of the parts that say what was decided, each with whether it opens its part."""
    return islice((one for section in source.sections for one in _of_section(source, section)), _MOST_SENTENCES)


def _of_section(source: Source, section: Section) -> Iterator[tuple[str, bool]]:
    if heading := told(section):
        parts = chain([heading["told"] or ""], (line.text for line in paragraphs(source, section)))
        said = (one for text in parts for one in sentences(text))
        yield from ((one, index == 0) for index, one in enumerate(said))


def _once(given: Iterable[Option]) -> tuple[Option, ...]:
    """Take each option once; what says an outcome wins."""
    kept: dict[str, Option] = {}
    for option in given:
        key = plain(option.text)
        before = kept.get(key)
        if key and (before is None or (before.outcome is Outcome.UNSTATED and option.outcome is not Outcome.UNSTATED)):
            kept[key] = evolve(option, text=before.text if before else option.text)
    return tuple(kept.values())[:_MOST]
