"""How rare words are among the compared records, and how much a word characterizes a record (BM25)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_archdocs.alignment.reading import Reading

_SATURATION, _LENGTH_SHARE, _USUAL_LENGTH = 1.2, 0.5, 400
"""k1 and b of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework), and a record's usual words."""
_OTHERS = 20
"""Imaginary records without any shared word: among only two records no word would be rare."""


@frozen(eq=False)
class Corpus:
    """Document frequencies of the compared records.

    Args:
        records: Number of records.
        holders: Number of records that contain each key.
    """

    records: int
    holders: Mapping[str, int]

    def rarity(self, key: str) -> float:
        """Return the inverse document frequency of a key; higher means rarer."""
        having = self.holders.get(key, 0)
        return math.log(1 + (self.records + _OTHERS - having + 0.5) / (having + 0.5))

    def weight(self, words: Mapping[str, float]) -> float:
        """Return the weights of words, scaled by rarity and summed; never 0, since callers divide by it."""
        return sum(self.rarity(key) * weight for key, weight in words.items()) or 1.0

    def told(self, key: str, count: int, length: int) -> float:
        """Return the BM25 score of a key that occurs `count` times in a text of `length` words."""
        long = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / _USUAL_LENGTH
        return self.rarity(key) * count * (_SATURATION + 1) / (count + _SATURATION * long)

    def key_words(self, counts: Mapping[str, int], many: int) -> Mapping[str, float]:
        """Return the most characteristic words of a text with their shares; the shares add up to 1."""
        ranked = sorted(((math.sqrt(count) * self.rarity(key), key) for key, count in counts.items()), reverse=True)
        whole = sum(value for value, _ in ranked[:many]) or 1.0
        return {key: value / whole for value, key in ranked[:many]}


def corpus_of(readings: Sequence[Reading]) -> Corpus:
    """Count the words of records."""
    holders: Counter[str] = Counter()
    for reading in readings:
        holders.update(reading.wide)
    return Corpus(len(readings), holders)
