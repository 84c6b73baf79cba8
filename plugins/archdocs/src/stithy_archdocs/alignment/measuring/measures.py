"""All features of one proposal and the records compared with it."""

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
"""Features that are also measured relative to the best record.

The value is the least that the best record is assumed to have, as a record about the proposal mostly has it.
"""


@frozen(eq=False)
class Compared:
    """A proposal beside one record.

    Args:
        proposal: The proposal, with names spelled as in the record.
        reading: The record.
        signals: Signals of the rules, the strongest first.
        measures: The features.
    """

    proposal: Proposal
    reading: Reading
    signals: Sequence[Signal]
    measures: Measures


def compared(proposal: Proposal, readings: Sequence[Reading], lexicon: Lexicon) -> list[Compared]:
    """Run the rules on each record, and compute the features."""
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
        **{name + after: value for name, value in manner(said)},  # "instead" says less if a rule has already used it
        **told,
    }


def _signals(heard: Sequence[Signal]) -> dict[str, float]:
    """Return the strongest confidence of each rule, and of the only alignment that signals have, if there is one."""
    found: dict[str, float] = {}
    for signal in heard:
        rule = f"{signal.rule} {signal.alignment}"
        found[f"any {signal.alignment}"] = 1.0
        found[rule] = max(found.get(rule, 0.0), signal.confidence)
    told = {signal.alignment for signal in heard} - {RELATED}
    if len(told) == 1:
        found[f"alone {told.pop()}"] = max(one.confidence for one in heard if one.alignment != RELATED)
    return found | {"silent": float(all(one.alignment == RELATED for one in heard))}
