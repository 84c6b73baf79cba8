"""The lexicon of technologies: which exclude one another and which words are synonyms, with a team's additions."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import frozen

from stithy_archdocs.alignment.word_stems import WORD, stem

CAPITAL = "^"


@frozen
class LexiconEntry:
    """What a sequence of words means.

    Args:
        name: The name of the technology.
        cased: Whether it counts only if written with a capital letter.
    """

    name: str
    cased: bool


@frozen(eq=False)
class Lexicon:
    """Names of technologies, grouped into slots; two names in one slot compete.

    Args:
        names: Entries by sequence of lower-case words.
        beginnings: The first words of all names.
        slots: The slots of each name, the main one first.
        members: The names in each slot.
        families: The family of each slot; slots of a family are related but do not compete.
        words: Stems of the generic words for each slot ("database", "broker").
        several: Slots that a system may fill several times, each for another part.
        same: Synonyms: each word with the one it is replaced by.
        sides: For each stem, pairs of the number of a pair of opposites and the side, 1 or -1.
    """

    names: Mapping[tuple[str, ...], LexiconEntry]
    beginnings: frozenset[str]
    slots: Mapping[str, tuple[str, ...]]
    members: Mapping[str, tuple[str, ...]]
    families: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    several: frozenset[str]
    same: Mapping[str, str]
    sides: Mapping[str, tuple[tuple[int, int], ...]]

    def get_stem(self, word: str) -> str:
        """Return the stem of a lower-case word, after replacing synonyms."""
        return stem(self.same.get(word, word))

    def find_shared_slot(self, one: str, other: str) -> str | None:
        """Return the slot in which two names compete; None if they do not.

        A name that contains the other one does not compete with it: "Django REST" and "Django".
        """
        short, long = sorted((split_name(one), split_name(other)), key=len)
        if any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1)):
            return None
        shared = [slot for slot in self.slots.get(one, ()) if slot in self.slots.get(other, ())]
        return shared[0] if shared else None

    def is_same_family(self, one: str, other: str) -> bool:
        """Return whether two names belong to the same family."""
        return bool(
            {self.families[slot] for slot in self.slots.get(one, ())}
            & {self.families[slot] for slot in self.slots.get(other, ())}
        )

    def get_slot_words(self, slots: Iterable[str]) -> frozenset[str]:
        """Return the stems of the generic words for some slots."""
        return frozenset[str]().union(*(self.words.get(slot, frozenset()) for slot in slots))


def load_lexicon(additions: Mapping[str, Sequence[str]]) -> Lexicon:
    """Load the lexicon with a team's names; an unknown slot is added."""
    return _load(tuple((slot, tuple(names)) for slot, names in sorted(additions.items())))


@cache
def _load(additions: tuple[tuple[str, tuple[str, ...]], ...]) -> Lexicon:
    given: dict[str, Any] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))
    slots: dict[str, Any] = given["slots"]
    for slot, more in additions:
        known = slots.setdefault(slot, {"family": slot, "words": [slot.replace("_", " ")], "names": []})
        known["names"] = [*known["names"], *more]
    names: dict[tuple[str, ...], LexiconEntry] = {}
    places: dict[str, list[str]] = defaultdict(list)
    members: dict[str, list[str]] = defaultdict(list)
    for slot, about in slots.items():
        for line in about["names"]:
            name, _, others = line.partition(" = ")
            name = _find_known(names, name) or name
            places[name].append(slot)
            members[slot].append(name)
            _add_spellings(names, name, [name, *others.split(", ")])
    same = {word: words.split()[0] for words in given["same"]["words"] for word in words.split()}
    return Lexicon(
        names=names,
        beginnings=frozenset(words[0] for words in names),
        slots={name: tuple(found) for name, found in places.items()},
        members={slot: tuple(found) for slot, found in members.items()},
        families={slot: about["family"] for slot, about in slots.items()},
        words={slot: _stem_phrases(about["words"], same) for slot, about in slots.items()},
        several=frozenset(slot for slot, about in slots.items() if about.get("several")),
        same=same,
        sides=_number_opposites(given["opposites"]["pairs"], same),
    )


def _find_known(names: Mapping[tuple[str, ...], LexiconEntry], name: str) -> str | None:
    entry = names.get(split_name(name))
    return entry.name if entry else None


def _add_spellings(names: dict[tuple[str, ...], LexiconEntry], name: str, spelt: Iterable[str]) -> None:
    wanted = {split_name(one.removeprefix(CAPITAL)): one.startswith(CAPITAL) for one in spelt if one}
    for words, cased in wanted.items():
        if words and (words not in names or names[words].name == name):
            names[words] = LexiconEntry(name, cased)


def split_name(text: str) -> tuple[str, ...]:
    """Return the words of a name as tokens have them."""
    return tuple(word.lower() for word in WORD.findall(text) if word[0].isalnum())


def _stem_phrases(phrases: Iterable[str], same: Mapping[str, str]) -> frozenset[str]:
    return frozenset(stem(same.get(word, word)) for phrase in phrases for word in split_name(phrase))


def _number_opposites(
    pairs: Sequence[tuple[str, str]], same: Mapping[str, str]
) -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for number, pair in enumerate(pairs):
        for side, words in zip((1, -1), pair, strict=True):
            for word in words.split():
                found[word].add((number, side))
                found[stem(same.get(word, word))].add((number, side))
    return {word: tuple(sorted(sides)) for word, sides in found.items()}
