"""Which of its options a record names: by their words, their acronym, their number or letter."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

from stithy_archdocs.adr.candidates import Candidate
from stithy_archdocs.adr.fitting import Entry, Fit, aimed, entries, fit, found
from stithy_archdocs.adr.labels import placed
from stithy_archdocs.adr.vocabulary import telling, words
from stithy_archdocs.adr.wanting import Wanted

_JOINTS = frozenset(("and", "&", "+", "plus", "both"))
_PARTED = frozenset(("or", "versus", "vs"))
_FAR = 8
"""Words between two names that a sentence still joins."""


class Names:
    """The options of a record, as sentences name them."""

    def __init__(self, known: Sequence[Candidate]) -> None:
        """Take the options apart.

        Args:
            known: In the order of the record.
        """
        self._known = known
        self._entries = entries(known)

    def of(self, wanted: Wanted, besides: Callable[[], str] = str) -> list[Candidate] | None:
        """Give the options that a statement wants; none where it names two and does not join them.

        Args:
            wanted: What is wanted.
            besides: Gives the whole decision: a longer option may be told in two sentences.

        Returns:
            None where nothing of it is an option.
        """
        if (named := placed(wanted.whole, self._known)) is not None:
            return named
        fits = [one for entry in self._entries if (one := fit(entry, wanted))]
        if not fits:
            return None
        kept = [one for group in _groups(fits) for one in _settled(group, wanted)]
        if self._unclear(kept, wanted):
            return []
        return [one.entry.candidate for one in kept if not self._completed(one.entry, besides)]

    def same(self, chosen: Collection[Candidate]) -> list[Candidate]:
        """Give the options of other lists that are those again, under a longer or a shorter name."""
        groups = {one.group for one in chosen}
        phrases = [entry.phrase for entry in self._entries if entry.candidate in chosen]
        again = [
            entry.candidate
            for entry in self._entries
            if entry.candidate.group not in groups
            and any(found(entry.phrase, one) >= 0 or found(one, entry.phrase) >= 0 for one in phrases)
        ]
        many = Counter(one.group for one in again)
        return [one for one in again if many[one.group] <= len(chosen)]

    def strange(self, text: str) -> bool:
        """Tell whether a name shares no telling word with any option."""
        said = set(telling(text))
        return bool(said) and not any(entry.words & said for entry in self._entries)

    def _unclear(self, kept: list[Fit], wanted: Wanted) -> bool:
        """Tell whether a statement holds under a condition, or joins an option with what only another has."""
        if wanted.unsure and not any(one.verbatim for one in kept):
            return True
        if len(kept) != 1:
            return False
        more = set(words(wanted.full if wanted.bare else wanted.aim)) - kept[0].entry.words
        joins = _JOINTS & more or "with" in more
        return bool(joins) and any(
            entry.weights[word] == 1 for entry in self._beside(kept[0].entry) for word in entry.words & more
        )

    def _completed(self, entry: Entry, besides: Callable[[], str]) -> bool:
        """Tell whether a longer option of the same list is told as well: nobody knows which of them is meant."""
        longer = [other.words - entry.words for other in self._beside(entry) if entry.words < other.words]
        return bool(longer) and any(more <= set(words(besides())) for more in longer)

    def _beside(self, entry: Entry) -> Iterable[Entry]:
        return (one for one in self._entries if one.candidate.group == entry.candidate.group)


def _groups(fits: Sequence[Fit]) -> Iterable[list[Fit]]:
    for group in dict.fromkeys(one.entry.candidate.group for one in fits):
        yield [one for one in fits if one.entry.candidate.group == group]


def _settled(fits: list[Fit], wanted: Wanted) -> list[Fit]:
    """Keep of several that are named the one that says most, or all that the sentence joins."""
    said = words(wanted.full)
    fits = _longest([one for one in fits if one.entry.phrase == said] or fits)
    if len(fits) == 1 or _joined(fits, words(wanted.clear)):
        return fits
    first = _longest([one for entry in fits if (one := aimed(entry.entry, wanted))])
    return first if len(first) == 1 else []


def _longest(fits: list[Fit]) -> list[Fit]:
    """Leave out what another holds ("Log4j2" where "SLF4J with Log4j2" is named), and what is named by the way."""
    kept = [
        one
        for one in fits
        if not any(one.words < other.words or (one.words == other.words and one.share < other.share) for other in fits)
    ]
    literal = frozenset(word for one in kept if one.verbatim for word in one.words)
    return [one for one in kept if one.verbatim or not one.words & literal]


def _joined(fits: list[Fit], said: Sequence[str]) -> bool:
    ordered = sorted(fits, key=lambda one: one.first)
    gaps = [said[one.last + 1 : two.first] for one, two in pairwise(ordered)]
    return all(gap and len(gap) <= _FAR and _JOINTS & set(gap) and not _PARTED & set(gap) for gap in gaps)
