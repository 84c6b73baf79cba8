"""How much of an option a statement names."""

import re
from collections import Counter
from collections.abc import Sequence

from attrs import field, frozen

from stithy_archdocs.adr.candidates import Candidate
from stithy_archdocs.adr.vocabulary import FILLERS, LIMITS, acronym, spelled, telling, words
from stithy_archdocs.adr.wanting import Wanted, without_asides
from stithy_archdocs.records import Outcome

_CONTRARY = frozenset(("no", "not", "non", "without", "out", "never"))
_WORK = frozenset(words("use adopt keep build create implement introduce deploy host choose select"))
_EXPLAINED = re.compile(r",? \b(?:i\.e\.|e\.g\.|aka|such as|see)(?!\w)|, which\b")
_ENOUGH = 0.55
"""Share of an option's telling words that names it."""

_SOME = 0.45
"""The same for a name that holds no word of another option."""


@frozen(kw_only=True)
class Entry:
    """An option, and by what it is known.

    Args:
        candidate: The option.
        phrase: Its name, word by word.
        words: Those of them that tell.
        weights: Of each, what it tells: less where other options have it, nothing where all do.
        limits: The words without which another thing is meant.
        names: Its other names: an acronym, a word in parentheses.
        common: The telling words of all options of its list.
    """

    candidate: Candidate
    phrase: tuple[str, ...]
    words: frozenset[str]
    weights: dict[str, float]
    limits: frozenset[str]
    names: frozenset[str]
    common: frozenset[str]

    @property
    def strict(self) -> bool:
        """Whether its heading tells that it was not chosen, so that only its whole name says otherwise."""
        return self.candidate.prior is Outcome.REJECTED and not self.candidate.early


@frozen
class Fit:
    """Where and how an option is named.

    Args:
        entry: The option.
        share: How much of it, up to 1.
        words: Which of its words.
        first: The index of the first of them in the statement.
        last: The index of the last.
        verbatim: Whether it is named word by word.
    """

    entry: Entry
    share: float
    words: frozenset[str]
    first: int
    last: int
    verbatim: bool = field(default=False, kw_only=True)


def entries(known: Sequence[Candidate]) -> list[Entry]:
    """Take the options of a record apart."""
    groups = {one.group for one in known}
    common = {
        group: Counter(word for one in known if one.group == group for word in set(telling(_name(one))))
        for group in groups
    }
    sizes = Counter(one.group for one in known)
    return [_entry(one, common[one.group], sizes[one.group]) for one in known]


def _entry(one: Candidate, common: Counter[str], many: int) -> Entry:
    name = _name(one)
    said = frozenset(telling(name))
    weights = {word: 0.0 if common[word] == many > 1 else 1 / common[word] for word in said}
    gloss = words(one.gloss)
    return Entry(
        candidate=one,
        phrase=words(name),
        words=said,
        weights=weights if any(weights.values()) else dict.fromkeys(said, 1.0),
        limits=frozenset(words(f"{one.text} {one.gloss}")) & LIMITS,
        names=frozenset([*(gloss if len(gloss) == 1 else ()), acronym(name)]) - {""},
        common=frozenset(common),
    )


def _name(one: Candidate) -> str:
    """Give an option's name without what explains it."""
    return _EXPLAINED.split(without_asides(one.text), maxsplit=1)[0] or one.text


def fit(entry: Entry, wanted: Wanted) -> Fit | None:
    """Say how much of an option a statement wants; None where that is too little, or another thing."""
    if entry.strict:
        found = None if wanted.bare or not _fills(entry, wanted.aim) else _by_words(entry, words(wanted.aim))
        return found if found and found.share == 1 else None
    return _leading(entry, wanted) or _by_text(entry, wanted) or aimed(entry, wanted)


def aimed(entry: Entry, wanted: Wanted) -> Fit | None:
    """Say how much of an option is what a statement wants, apart from its purpose."""
    return _by_words(entry, words(wanted.aim), bare=True, alone=True)


def _leading(entry: Entry, wanted: Wanted) -> Fit | None:
    """Take an option that stands first in its own words, which may themselves be a reason or a denial."""
    many = len(entry.phrase)
    if many > 1 and words(wanted.full)[:many] == entry.phrase:
        return Fit(entry, 1.0, entry.words, 0, many - 1, verbatim=True)
    return None


def _by_text(entry: Entry, wanted: Wanted) -> Fit | None:
    if wanted.alone and not entry.limits and wanted.clear != wanted.whole:
        return None
    text = wanted.whole if entry.limits else wanted.clear
    return _by_words(entry, words(text), bare=wanted.bare, alone=wanted.alone)


def _fills(entry: Entry, text: str) -> bool:
    """Tell whether what is wanted is that option, and not a thing that has it as a part."""
    said = set(words(text))
    return len(entry.words & said) * 2 > len(said - FILLERS)


def _by_words(entry: Entry, said: tuple[str, ...], *, bare: bool = False, alone: bool = False) -> Fit | None:
    """Compare an option with words: in its own order, by another name, or by most of what tells it."""
    known = frozenset(said)
    if bare and len(said) > 1 and entry.phrase[: len(said)] == said:
        return Fit(entry, 1.0, entry.words, 0, len(said) - 1, verbatim=True)
    if entry.limits - known or (bare and not entry.limits and known & _CONTRARY):
        return None
    if (at := found(entry.phrase, said)) >= 0 and (not alone or len(entry.words) * 2 >= len(known - FILLERS)):
        return Fit(entry, 1.0, entry.words, at, at + len(entry.phrase) - 1, verbatim=True)
    if short := entry.names & known or frozenset(spelled("".join(entry.words), said) if len(entry.words) == 1 else ()):
        return Fit(entry, 1.0, entry.words, *_ends(short, said))
    got = entry.words & known
    share = _share(entry, got, known, bare=bare)
    return Fit(entry, share, got, *_ends(got, said)) if got and share >= _ENOUGH else None


def _ends(got: frozenset[str], said: tuple[str, ...]) -> tuple[int, int]:
    at = [index for index, word in enumerate(said) if word in got]
    return at[0], at[-1]


def _share(entry: Entry, got: frozenset[str], known: frozenset[str], *, bare: bool) -> float:
    """Say how much of an option is named: of a name, any part that no other option has."""
    share = sum(entry.weights[word] for word in got) / sum(entry.weights.values())
    if not bare:
        return share
    said = known - FILLERS - (_WORK - entry.words)
    if said <= entry.words and share:
        return 1.0
    if len(got) * 2 < len(said):
        return 0.0
    return 1.0 if share >= _SOME and got >= entry.common & said else share


def found(phrase: tuple[str, ...], said: tuple[str, ...]) -> int:
    """Give where words stand in others, in their order; -1 where they do not."""
    many = len(phrase)
    starts = range(len(said) - many + 1)
    return next((at for at in starts if said[at] == phrase[0] and said[at : at + many] == phrase), -1)
