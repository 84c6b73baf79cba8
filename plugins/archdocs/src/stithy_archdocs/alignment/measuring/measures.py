"""All that is measured of one proposal and the records that are compared with it."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.measuring.agreement import agreement
from stithy_archdocs.alignment.measuring.corpus import Corpus, corpus_of
from stithy_archdocs.alignment.measuring.manner import manner
from stithy_archdocs.alignment.measuring.nearness import nearness
from stithy_archdocs.alignment.measuring.words import Decided, Said
from stithy_archdocs.alignment.reading import Proposal, Reading
from stithy_archdocs.alignment.signal import RELATED, Signal
from stithy_archdocs.alignment.signals import signals

Measures = Mapping[str, float]
_BEST = {"found": 1.0, "found_decided": 0.6}
"""What is measured against the best of all records; and what the best is thought to have at least, as a record that
is about a proposal mostly has."""


@frozen(eq=False)
class Compared:
    """A proposal beside one record.

    Args:
        proposal: With its names as the record writes them.
        reading: The record.
        signals: What rules tell, the strongest first.
        measures: What was measured.
    """

    proposal: Proposal
    reading: Reading
    signals: Sequence[Signal]
    measures: Measures


def compared(proposal: Proposal, readings: Sequence[Reading], lexicon: Lexicon) -> list[Compared]:
    """Hear the rules of each record, and measure."""
    corpus = corpus_of(readings)
    written = [proposal.as_written_in(reading) for reading in readings]
    heard = [signals(one, reading, lexicon) for one, reading in zip(written, readings, strict=True)]
    pairs = list(zip(written, readings, heard, strict=True))
    found = [_measured(one, reading, told, corpus, lexicon) for one, reading, told in pairs]
    best = {name: max(least, *(one[name] for one in found)) for name, least in _BEST.items() if found}
    for one in found:
        one |= {f"{name}_best": one[name] / best[name] for name in _BEST}
    return [Compared(*pair, one) for pair, one in zip(pairs, found, strict=True)]


def _measured(
    proposal: Proposal, reading: Reading, heard: Sequence[Signal], corpus: Corpus, lexicon: Lexicon
) -> dict[str, float]:
    said, decided = Said(proposal), Decided(reading)
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
    found: dict[str, float] = {}
    for signal in heard:
        rule = f"{signal.rule} {signal.alignment}"
        found[f"any {signal.alignment}"] = 1.0
        found[rule] = max(found.get(rule, 0.0), signal.confidence)
    told = {signal.alignment for signal in heard} - {RELATED}
    if len(told) == 1:
        found[f"alone {told.pop()}"] = max(one.confidence for one in heard if one.alignment != RELATED)
    return found | {"silent": float(all(one.alignment == RELATED for one in heard))}
