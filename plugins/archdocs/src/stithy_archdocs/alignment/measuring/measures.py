"""All that is measured of one proposal and the records that are compared with it."""

from collections.abc import Mapping, Sequence

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.measuring.agreement import agreement
from stithy_archdocs.alignment.measuring.corpus import Corpus, corpus_of
from stithy_archdocs.alignment.measuring.manner import manner
from stithy_archdocs.alignment.measuring.nearness import nearness
from stithy_archdocs.alignment.measuring.words import Decided, Said
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import RELATED, Signal

Measures = Mapping[str, float]
_BEST = {"found": 1.0, "found_decided": 0.6}
"""What is measured against the best of all records; and what the best is thought to have at least, as a record that
is about a proposal mostly has."""


def measured(
    proposal: Proposal, readings: Sequence[Reading], heard: Sequence[Sequence[Signal]], lexicon: Lexicon
) -> list[Measures]:
    """Measure a proposal against each record; `heard` are the signals of each."""
    corpus = corpus_of(readings)
    found = [_measured(proposal, reading, one, corpus, lexicon) for reading, one in zip(readings, heard, strict=True)]
    best = {name: max(least, *(one[name] for one in found)) for name, least in _BEST.items() if found}
    for one in found:
        one |= {f"{name}_best": one[name] / best[name] for name in _BEST}
    return list(found)


def _measured(
    proposal: Proposal, reading: Reading, heard: Sequence[Signal], corpus: Corpus, lexicon: Lexicon
) -> dict[str, float]:
    said, decided = Said(proposal.as_written_in(reading)), Decided(reading)
    told = _signals(heard)
    after = "" if told["silent"] else " told"
    return {
        **dict(nearness(said, decided, corpus, lexicon)),
        **dict(agreement(said, decided, corpus, lexicon)),
        **{name + after: value for name, value in manner(said)},  # "instead" tells less where a rule has read it
        **told,
    }


def _signals(heard: Sequence[Signal]) -> dict[str, float]:
    """Give the strongest of each rule, and of each alignment where no signal tells the other one."""
    found = {"silent": float(all(signal.alignment == RELATED for signal in heard))}
    for signal in heard:
        for name in (f"{signal.rule} {signal.alignment}", f"any {signal.alignment}"):
            found[name] = max(found.get(name, 0.0), signal.confidence if name.startswith(signal.rule) else 1.0)
    told = {signal.alignment for signal in heard} - {RELATED}
    if len(told) == 1:
        found[f"alone {told.pop()}"] = max(one.confidence for one in heard if one.alignment != RELATED)
    return found
