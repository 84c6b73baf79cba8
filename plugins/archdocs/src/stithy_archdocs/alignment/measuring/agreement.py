"""Features of agreement: word by word, by options, and by opposites."""

import math
from collections.abc import Iterator

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.measuring.corpus import Corpus
from stithy_archdocs.alignment.measuring.words import Decided, Said, share
from stithy_archdocs.alignment.practices import sides
from stithy_archdocs.alignment.statements import Statement

_ENOUGH = 3.0


def agreement(said: Said, decided: Decided, corpus: Corpus, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    """Iterate over the names and values of the features."""
    yield from _by_role(said, decided, corpus)
    yield from _of_title(said, decided)
    yield from _options(said, decided)
    yield from _opposites(said, decided, lexicon)


def _by_role(said: Said, decided: Decided, corpus: Corpus) -> Iterator[tuple[str, float]]:
    for role in ("title", "chosen", "rejected", "decision"):
        agreed = against = 0.0
        for own in decided.reading.statements:
            for statement in said.proposal.statements if own.role == role else ():
                for value in _compared(statement, own, corpus):
                    agreed, against = agreed + max(value, 0.0), against + max(-value, 0.0)
        yield f"agrees_{role}", math.log1p(agreed)
        yield f"differs_{role}", math.log1p(against)


def _compared(statement: Statement, own: Statement, corpus: Corpus) -> Iterator[float]:
    """Iterate over the shared words' contributions: positive if both want a word or both reject it."""
    ours, theirs = statement.weighed, own.weighed
    for key, (weight, sign) in ours.items():  # in order: the sum over a set would vary with hash seeds
        if key in theirs:
            yield weight * sign * theirs[key][1] * corpus.rarity(key) / _ENOUGH


def _of_title(said: Said, decided: Decided) -> Iterator[tuple[str, float]]:
    leading = decided.leading
    weights = {key: weight for key, (weight, _) in leading.items()}
    wanted = sum(one for key, one in said.wanted.items() if key in leading)
    unwanted = sum(one for key, one in said.unwanted.items() if key in leading)
    elsewhere = sum(one for key, one in said.unwanted.items() if key in decided.reading.wide and key not in leading)
    yield "title_said", share(weights, said.all)
    yield "title_wanted", min(wanted, _ENOUGH) / _ENOUGH
    yield "title_unwanted", min(unwanted, _ENOUGH) / _ENOUGH
    yield "mentioned_unwanted", min(elsewhere, _ENOUGH) / _ENOUGH
    yield "unwanted", sum(said.unwanted.values()) / said.weight
    yield (
        "unwanted_unknown",
        sum(one for key, one in said.unwanted.items() if key not in decided.reading.wide) / said.weight,
    )
    aside = (decided.reading.wide - decided.reading.decided.keys()) | decided.words("rejected")
    yield "unwanted_aside", sum(one for key, one in said.unwanted.items() if key in aside) / said.weight
    against = sum(one for key, one in said.unwanted.items() if key in leading and leading[key][1] > 0)
    yield "only_aside_unwanted", float(bool(said.unwanted) and not against)
    yield "title_denies", float(any(sign < 0 for _, sign in leading.values()))


def _options(said: Said, decided: Decided) -> Iterator[tuple[str, float]]:
    rejected = decided.words("rejected")
    yield "only_rejected", share(said.all, rejected - decided.leading.keys())
    yield "only_chosen", share(said.all, decided.leading.keys() - rejected)


def _opposites(said: Said, decided: Decided, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    alike = opposite = 0
    for own in decided.reading.statements:
        for statement in said.proposal.statements if own.role != "rejected" else ():
            shared = statement.weighed.keys() & own.weighed.keys()
            if shared:
                one, other = sides(statement, own, shared, lexicon)
                alike, opposite = alike + one, opposite + other
    yield "sides_alike", min(alike, _ENOUGH) / _ENOUGH
    yield "sides_opposite", min(opposite, _ENOUGH) / _ENOUGH
