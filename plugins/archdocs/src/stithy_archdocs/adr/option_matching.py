"""Match options of a record with statements: which options a sentence names, and how much of each."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from attrs import field, frozen

from stithy_archdocs.adr.option_candidates import OptionCandidate
from stithy_archdocs.adr.option_labels import find_by_label
from stithy_archdocs.adr.wanted_phrases import WantedPhrase, strip_asides
from stithy_archdocs.document_models import OptionOutcome

_WORD = re.compile(r"[^\W_]+(?:\+\+|#)?|[&+]")
_ENDING = re.compile(r"(?<=\w\w\w)(?:ings?|ed|es|s|e)$")
_FEWEST = 3


@lru_cache(maxsize=2048)
def stem_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case without endings. Cached: each option reads the same sentence."""
    return tuple([_ENDING.sub("", word) for word in _WORD.findall(text.lower())])


FILLERS = frozenset(
    stem_words(
        "a an the of to for in on at by with via and or as is are be it its this that our we from into use using used"
        " adopt option alternative approach solution i e g etc & +"
    )
)
LIMITS = frozenset(
    stem_words("only alone all everything both no not without nothing never full none don neither purely solely just")
)
"""Words that limit an option: a statement without them means something else."""


def select_distinctive(text: str) -> tuple[str, ...]:
    """Return the distinctive words of a text, without fillers; all words if only fillers are left."""
    said = stem_words(text)
    return tuple([word for word in said if word not in FILLERS]) or said


def make_acronym(text: str) -> str:
    """Return the acronym of a name: "uswds" for "US Web Design System"; empty for fewer than three words."""
    said = [word for word in _WORD.findall(text) if not FILLERS.issuperset(stem_words(word))]
    letters = "".join(word if word.isupper() else word[0] for word in said)
    return letters.lower() if len(said) >= _FEWEST else ""


def get_acronym(text: str) -> str:
    """Return a name that is one word in capitals, in lower case: "cqrs" for "use CQRS"; empty for other names."""
    said = [word for word in _WORD.findall(text) if not FILLERS.issuperset(stem_words(word))]
    return said[0].lower() if len(said) == 1 and said[0].isupper() else ""


def find_acronym_words(short: str, said: tuple[str, ...]) -> tuple[str, ...]:
    """Return the consecutive words whose initials form an acronym; empty if there are none."""
    at = "".join(word[0] for word in said).find(short) if len(short) >= _FEWEST else -1
    return said[at : at + len(short)] if at >= 0 else ()


_CONTRARY = frozenset(stem_words("no not non without out never"))
_WORK = frozenset(stem_words("use adopt keep build create implement introduce deploy host choose select"))
_EXPLAINED = re.compile(r",? \b(?:i\.e\.|e\.g\.|aka|such as|see)(?!\w)|, which\b")
_ENOUGH = 0.55
"""Share of an option's distinctive words that names it."""

_SOME = 0.45
"""Share that is enough for a name without any word of another option."""


@frozen(kw_only=True)
class OptionEntry:
    """An option with the words that identify it.

    Args:
        candidate: The option.
        phrase: Its name as stemmed words, in order.
        words: The distinctive ones of them.
        weights: Weight of each distinctive word: lower if other options share it, 0 if all options of the list do.
        limits: Limiting words ("only", "not"); a statement without them means something else.
        names: Its other names as stems: an acronym, a word in parentheses.
        acronym: Its name if that is an acronym, which a statement may write out; else empty.
        common: The distinctive words of all options of its list.
    """

    candidate: OptionCandidate
    phrase: tuple[str, ...]
    words: frozenset[str]
    weights: dict[str, float]
    limits: frozenset[str]
    names: frozenset[str]
    acronym: str
    common: frozenset[str]

    @property
    def is_strict(self) -> bool:
        """Whether its heading says that it was rejected, so that only its whole name states otherwise."""
        return self.candidate.prior is OptionOutcome.REJECTED and not self.candidate.early


@frozen
class OptionMatch:
    """Where and how a statement names an option.

    Args:
        entry: The option.
        share: How much of the option is named, from 0 to 1.
        words: The words of the option that are named.
        first: Index of the first of them in the statement.
        last: Index of the last of them.
        verbatim: Whether the option is named word by word.
    """

    entry: OptionEntry
    share: float
    words: frozenset[str]
    first: int
    last: int
    verbatim: bool = field(default=False, kw_only=True)


def make_entries(known: Sequence[OptionCandidate]) -> list[OptionEntry]:
    """Index the options of a record by their words."""
    groups = {one.group for one in known}
    common = {
        group: Counter(
            word for one in known if one.group == group for word in set(select_distinctive(_strip_explanation(one)))
        )
        for group in groups
    }
    sizes = Counter(one.group for one in known)
    return [_make_entry(one, common[one.group], sizes[one.group]) for one in known]


def _make_entry(one: OptionCandidate, common: Counter[str], many: int) -> OptionEntry:
    name = _strip_explanation(one)
    said = frozenset(select_distinctive(name))
    weights = {word: 0.0 if common[word] == many > 1 else 1 / common[word] for word in said}
    gloss = stem_words(one.gloss)
    return OptionEntry(
        candidate=one,
        phrase=stem_words(name),
        words=said,
        weights=weights if any(weights.values()) else dict.fromkeys(said, 1.0),
        limits=frozenset(stem_words(f"{one.text} {one.gloss}")) & LIMITS,
        names=frozenset([*(gloss if len(gloss) == 1 else ()), *stem_words(make_acronym(name))]),
        acronym=get_acronym(name),
        common=frozenset(common),
    )


def _strip_explanation(one: OptionCandidate) -> str:
    """Return the name of an option without its explanation."""
    return _EXPLAINED.split(strip_asides(one.text), maxsplit=1)[0] or one.text


def match_option(entry: OptionEntry, wanted: WantedPhrase) -> OptionMatch | None:
    """Match an option with a statement; None if too little of it is named, or something else is."""
    if entry.is_strict:
        found = (
            None
            if wanted.bare or not _is_mostly_option(entry, wanted.aim)
            else _match_words(entry, stem_words(wanted.aim))
        )
        return found if found and found.share == 1 else None
    return _match_leading(entry, wanted) or _match_text(entry, wanted) or match_aim(entry, wanted)


def match_aim(entry: OptionEntry, wanted: WantedPhrase) -> OptionMatch | None:
    """Match an option with what a statement wants, without its purpose ("X" of "use X for Y")."""
    return _match_words(entry, stem_words(wanted.aim), bare=True, alone=True)


def _match_leading(entry: OptionEntry, wanted: WantedPhrase) -> OptionMatch | None:
    """Match an option at the start of a statement; its own words may contain a reason or a denial."""
    many = len(entry.phrase)
    if many > 1 and stem_words(wanted.full)[:many] == entry.phrase:
        return OptionMatch(entry, 1.0, entry.words, 0, many - 1, verbatim=True)
    return None


def _match_text(entry: OptionEntry, wanted: WantedPhrase) -> OptionMatch | None:
    if wanted.alone and not entry.limits and wanted.clear != wanted.whole:
        return None
    text = wanted.whole if entry.limits else wanted.clear
    return _match_words(entry, stem_words(text), bare=wanted.bare, alone=wanted.alone)


def _is_mostly_option(entry: OptionEntry, text: str) -> bool:
    """Return whether most of the text is the option, and not something that contains it."""
    said = set(stem_words(text))
    return len(entry.words & said) * 2 > len(said - FILLERS)


def _match_words(
    entry: OptionEntry, said: tuple[str, ...], *, bare: bool = False, alone: bool = False
) -> OptionMatch | None:
    """Match an option with words: in its own order, by another name, or by most of its distinctive words."""
    known = frozenset(said)
    if bare and len(said) > 1 and entry.phrase[: len(said)] == said:
        return OptionMatch(entry, 1.0, entry.words, 0, len(said) - 1, verbatim=True)
    if entry.limits - known or (bare and not entry.limits and known & _CONTRARY):
        return None
    if (at := find_phrase(entry.phrase, said)) >= 0 and (not alone or len(entry.words) * 2 >= len(known - FILLERS)):
        return OptionMatch(entry, 1.0, entry.words, at, at + len(entry.phrase) - 1, verbatim=True)
    if short := entry.names & known or frozenset(find_acronym_words(entry.acronym, said)):
        return OptionMatch(entry, 1.0, entry.words, *_find_ends(short, said))
    got = entry.words & known
    if not got:
        return None
    share = _measure_share(entry, got, known, bare=bare)
    return OptionMatch(entry, share, got, *_find_ends(got, said)) if share >= _ENOUGH else None


def _find_ends(got: frozenset[str], said: tuple[str, ...]) -> tuple[int, int]:
    at = [index for index, word in enumerate(said) if word in got]
    return at[0], at[-1]


def _measure_share(entry: OptionEntry, got: frozenset[str], known: frozenset[str], *, bare: bool) -> float:
    """Return the share of an option that is named; for a bare name, any part that no other option has counts fully."""
    share = sum(entry.weights[word] for word in got) / sum(entry.weights.values())
    if not bare:
        return share
    said = known - FILLERS - (_WORK - entry.words)
    if said <= entry.words and share:
        return 1.0
    if len(got) * 2 < len(said):
        return 0.0
    return 1.0 if share >= _SOME and got >= entry.common & said else share


def find_phrase(phrase: tuple[str, ...], said: tuple[str, ...]) -> int:
    """Return the index at which a phrase begins in a list of words; -1 if it does not occur, or is empty."""
    many = len(phrase)
    if not many:
        return -1
    starts = range(len(said) - many + 1)
    return next((at for at in starts if said[at] == phrase[0] and said[at : at + many] == phrase), -1)


_JOINTS = frozenset(stem_words("and & + plus both"))
_PARTED = frozenset(stem_words("or versus vs"))
_FAR = 8
"""Most words between two names that a sentence still joins."""


class OptionMatcher:
    """Matches sentences with the options of a record."""

    def __init__(self, known: Sequence[OptionCandidate]) -> None:
        """Index the options.

        Args:
            known: The options, in the order of the record.
        """
        self._known = known
        self._entries = make_entries(known)

    def find_wanted(self, wanted: WantedPhrase, besides: Callable[[], str] = str) -> list[OptionCandidate] | None:
        """Return the options that a statement wants; an empty list if it names two without joining them.

        Args:
            wanted: What is wanted.
            besides: Returns the text of the whole decision: a longer option may take two sentences.

        Returns:
            None if the statement names no option.
        """
        if (named := find_by_label(wanted.whole, self._known)) is not None:
            return named
        fits = [one for entry in self._entries if (one := match_option(entry, wanted))]
        if not fits:
            return None
        kept = [one for group in _group_matches(fits) for one in _select_matches(group, wanted)]
        if self._is_unclear(kept, wanted):
            return []
        return [one.entry.candidate for one in kept if not self._is_extended(one.entry, besides)]

    def find_repeated(self, chosen: Collection[OptionCandidate]) -> list[OptionCandidate]:
        """Return the options of other lists that repeat the chosen ones under a longer or shorter name."""
        groups = {one.group for one in chosen}
        phrases = [entry.phrase for entry in self._entries if entry.candidate in chosen]
        again = [
            entry.candidate
            for entry in self._entries
            if entry.candidate.group not in groups
            and any(find_phrase(entry.phrase, one) >= 0 or find_phrase(one, entry.phrase) >= 0 for one in phrases)
        ]
        many = Counter(one.group for one in again)
        return [one for one in again if many[one.group] <= len(chosen)]

    def is_unknown(self, text: str) -> bool:
        """Return whether a name shares no distinctive word with any option."""
        said = set(select_distinctive(text))
        return bool(said) and not any(entry.words & said for entry in self._entries)

    def _is_unclear(self, kept: list[OptionMatch], wanted: WantedPhrase) -> bool:
        """Return whether a statement holds under a condition, or joins an option with words of only another one."""
        if wanted.unsure and not any(one.verbatim for one in kept):
            return True
        if len(kept) != 1:
            return False
        more = set(stem_words(wanted.full if wanted.bare else wanted.aim)) - kept[0].entry.words
        joins = _JOINTS & more or "with" in more
        return bool(joins) and any(
            entry.weights[word] == 1 for entry in self._iterate_siblings(kept[0].entry) for word in entry.words & more
        )

    def _is_extended(self, entry: OptionEntry, besides: Callable[[], str]) -> bool:
        """Return whether a longer option of the same list is named as well, which makes the choice ambiguous."""
        longer = [other.words - entry.words for other in self._iterate_siblings(entry) if entry.words < other.words]
        return bool(longer) and any(more <= set(stem_words(besides())) for more in longer)

    def _iterate_siblings(self, entry: OptionEntry) -> Iterable[OptionEntry]:
        return (one for one in self._entries if one.candidate.group == entry.candidate.group)


def _group_matches(fits: Sequence[OptionMatch]) -> Iterable[list[OptionMatch]]:
    for group in dict.fromkeys(one.entry.candidate.group for one in fits):
        yield [one for one in fits if one.entry.candidate.group == group]


def _select_matches(fits: list[OptionMatch], wanted: WantedPhrase) -> list[OptionMatch]:
    """Reduce several matches to the most specific one, or keep all if the sentence joins them."""
    said = stem_words(wanted.full)
    fits = _drop_contained([one for one in fits if one.entry.phrase == said] or fits)
    if len(fits) == 1 or _is_joined(fits, stem_words(wanted.clear)):
        return fits
    first = _drop_contained([one for entry in fits if (one := match_aim(entry.entry, wanted))])
    return first if len(first) == 1 else []


def _drop_contained(fits: list[OptionMatch]) -> list[OptionMatch]:
    """Drop matches contained in others ("Log4j2" in "SLF4J with Log4j2"), and those that are mentioned in passing."""
    kept = [
        one
        for one in fits
        if not any(one.words < other.words or (one.words == other.words and one.share < other.share) for other in fits)
    ]
    literal = frozenset(word for one in kept if one.verbatim for word in one.words)
    return [one for one in kept if one.verbatim or not one.words & literal]


def _is_joined(fits: list[OptionMatch], said: Sequence[str]) -> bool:
    ordered = sorted(fits, key=lambda one: one.first)
    gaps = [said[one.last + 1 : two.first] for one, two in pairwise(ordered)]
    return all(gap and len(gap) <= _FAR and _JOINTS & set(gap) and not _PARTED & set(gap) for gap in gaps)
