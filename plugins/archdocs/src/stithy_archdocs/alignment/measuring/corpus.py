"""How rare words are among the records that are compared, and how much of a record a word is (BM25)."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from attrs import frozen

from stithy_archdocs.alignment.reading import Reading

_SATURATION, _LENGTH_SHARE, _USUAL_LENGTH = 1.2, 0.5, 400
"""k1 and b of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework), and a record's usual words."""
_OTHERS = 20
"""Records of other teams that are thought beside those that are compared: of two records no word is rare by itself."""


@frozen(eq=False)
class Corpus:
    """The records that are compared: how many there are, and how many have a word."""

    records: int
    holders: Mapping[str, int]

    def rarity(self, key: str) -> float:
        """Give a word's inverse document frequency: 0.0 and more, the rarer the greater."""
        having = self.holders.get(key, 0)
        return math.log(1 + (self.records + _OTHERS - having + 0.5) / (having + 0.5))

    def weight(self, words: Mapping[str, float]) -> float:
        """Give what words weigh by how rare they are; at least a little, as it is divided by."""
        return sum(self.rarity(key) * weight for key, weight in words.items()) or 1.0

    def told(self, key: str, count: int, length: int) -> float:
        """Give what a word tells that a text of some length has so many times."""
        long = 1 - _LENGTH_SHARE + _LENGTH_SHARE * length / _USUAL_LENGTH
        return self.rarity(key) * count * (_SATURATION + 1) / (count + _SATURATION * long)

    def key_words(self, counts: Mapping[str, int], many: int) -> Mapping[str, float]:
        """Give the words that tell a text from the other ones, each with its part of all that they tell."""
        ranked = sorted(((math.sqrt(count) * self.rarity(key), key) for key, count in counts.items()), reverse=True)
        whole = sum(value for value, _ in ranked[:many]) or 1.0
        return {key: value / whole for value, key in ranked[:many]}


def corpus_of(readings: Sequence[Reading]) -> Corpus:
    """Count the words of records."""
    holders: Counter[str] = Counter()
    for reading in readings:
        holders.update(reading.wide)
    return Corpus(len(readings), holders)
