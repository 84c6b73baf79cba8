"""What excludes one another and what means the same: `lexicon.toml`, and what a team adds to it."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import frozen

from stithy_archdocs.alignment.stems import WORD, stem

CAPITAL = "^"


@frozen
class Entry:
    """What a sequence of words may mean: a name, and whether it must be written with a capital."""

    name: str
    cased: bool


@frozen(eq=False)
class Lexicon:
    """Names of things in slots.

    Args:
        names: What a sequence of words in lower case means.
        beginnings: The first words of names.
        slots: The slots of a name, the first one counts when nothing else is said.
        members: The names of each slot.
        families: The family of each slot.
        words: The words that a slot is called by, reduced to stems.
        several: The slots of which a system has several, each for another part.
        same: What a word is read as.
        sides: The pairs of opposites that a stem belongs to, each with its side, 1 or -1.
    """

    names: Mapping[tuple[str, ...], Entry]
    beginnings: frozenset[str]
    slots: Mapping[str, tuple[str, ...]]
    members: Mapping[str, tuple[str, ...]]
    families: Mapping[str, str]
    words: Mapping[str, frozenset[str]]
    several: frozenset[str]
    same: Mapping[str, str]
    sides: Mapping[str, tuple[tuple[int, int], ...]]

    def stem_of(self, word: str) -> str:
        """Reduce a word in lower case to what it is read as."""
        return stem(self.same.get(word, word))

    def rivals(self, one: str, other: str) -> str | None:
        """Give the slot that two names share.

        None where they do not exclude each other, as "Django REST" and "Django" do not.
        """
        short, long = sorted((words_of(one), words_of(other)), key=len)
        if any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1)):
            return None
        shared = [slot for slot in self.slots.get(one, ()) if slot in self.slots.get(other, ())]
        return shared[0] if shared else None

    def near(self, one: str, other: str) -> bool:
        """Tell whether two names are of one family."""
        return bool(
            {self.families[slot] for slot in self.slots.get(one, ())}
            & {self.families[slot] for slot in self.slots.get(other, ())}
        )

    def called(self, slots: Iterable[str]) -> frozenset[str]:
        """Give the stems of the words that slots are called by."""
        return frozenset[str]().union(*(self.words.get(slot, frozenset()) for slot in slots))


def lexicon_with(additions: Mapping[str, Sequence[str]]) -> Lexicon:
    """Read the lexicon, with a team's own names: a slot that is there gets more, another one is made."""
    return _read(tuple((slot, tuple(names)) for slot, names in sorted(additions.items())))


@cache
def _read(additions: tuple[tuple[str, tuple[str, ...]], ...]) -> Lexicon:
    given: dict[str, Any] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))
    slots: dict[str, Any] = given["slots"]
    for slot, more in additions:
        known = slots.setdefault(slot, {"family": slot, "words": [slot.replace("_", " ")], "names": []})
        known["names"] = [*known["names"], *more]
    names: dict[tuple[str, ...], Entry] = {}
    places: dict[str, list[str]] = defaultdict(list)
    members: dict[str, list[str]] = defaultdict(list)
    for slot, about in slots.items():
        for line in about["names"]:
            name, _, others = line.partition(" = ")
            name = _known(names, name) or name
            places[name].append(slot)
            members[slot].append(name)
            _enter(names, name, [name, *others.split(", ")])
    same = {word: words.split()[0] for words in given["same"]["words"] for word in words.split()}
    return Lexicon(
        names=names,
        beginnings=frozenset(words[0] for words in names),
        slots={name: tuple(found) for name, found in places.items()},
        members={slot: tuple(found) for slot, found in members.items()},
        families={slot: about["family"] for slot, about in slots.items()},
        words={slot: _stems(about["words"], same) for slot, about in slots.items()},
        several=frozenset(slot for slot, about in slots.items() if about.get("several")),
        same=same,
        sides=_sides(given["opposites"]["pairs"], same),
    )


def _known(names: Mapping[tuple[str, ...], Entry], name: str) -> str | None:
    entry = names.get(words_of(name))
    return entry.name if entry else None


def _enter(names: dict[tuple[str, ...], Entry], name: str, spelt: Iterable[str]) -> None:
    wanted = {words_of(one.removeprefix(CAPITAL)): one.startswith(CAPITAL) for one in spelt if one}
    for words, cased in wanted.items():
        if words and (words not in names or names[words].name == name):
            names[words] = Entry(name, cased)


def words_of(text: str) -> tuple[str, ...]:
    """Give a name's words as tokens have them."""
    return tuple(word.lower() for word in WORD.findall(text) if word[0].isalnum())


def _stems(phrases: Iterable[str], same: Mapping[str, str]) -> frozenset[str]:
    return frozenset(stem(same.get(word, word)) for phrase in phrases for word in words_of(phrase))


def _sides(pairs: Sequence[tuple[str, str]], same: Mapping[str, str]) -> dict[str, tuple[tuple[int, int], ...]]:
    found: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for number, pair in enumerate(pairs):
        for side, words in zip((1, -1), pair, strict=True):
            for word in words.split():
                found[word].add((number, side))
                found[stem(same.get(word, word))].add((number, side))
    return {word: tuple(sorted(sides)) for word, sides in found.items()}
