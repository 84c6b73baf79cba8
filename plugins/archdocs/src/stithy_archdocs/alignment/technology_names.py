"""Names of technologies, grouped into slots; two names of a slot compete. A team can add its own."""

import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from attrs import frozen

from stithy_archdocs.alignment.word_stems import WORD, stem

CAPITAL = "^"
_SPELLINGS = "|"


@frozen(eq=False)
class TechnologyNames:
    """The known technologies.

    Args:
        spellings: Names by their lower-case words; the flag says whether only a capital makes the words a name.
        slots: The slots of each name, by its key.
        words: Stems of generic words for each slot: "database", "broker".
        several: Slots that a system may fill several times, each for another part.
    """

    spellings: Mapping[tuple[str, ...], tuple[str, bool]]
    slots: Mapping[str, Sequence[str]]
    words: Mapping[str, frozenset[str]]
    several: frozenset[str]

    @cached_property
    def purposes(self) -> frozenset[str]:
        """The stems of the generic words for all slots."""
        return frozenset[str]().union(*self.words.values())

    def find_name(self, words: Sequence[str], at: int) -> tuple[str, int] | None:
        """Return the name that begins at an index of some words, and how many words it has; the longest one."""
        for many in range(min(_LONGEST, len(words) - at), 0, -1):
            name, cased = self.spellings.get(tuple(word.lower() for word in words[at : at + many]), ("", False))
            if name and (not cased or (words[at][0].isupper() and at > 0)):
                return name, many
        return None

    def get_words(self, name: str) -> frozenset[str]:
        """Return the stems of the generic words for a name: "database" for PostgreSQL."""
        return frozenset[str]().union(*(self.words[slot] for slot in self.slots.get(make_key(name), ())))

    def find_competition(self, one: str, other: str) -> str | None:
        """Return the slot in which two names compete, by their keys; None if they do not, or one extends the other."""
        words, others = set(one[1:].split()), set(other[1:].split())
        if words <= others or others <= words:
            return None
        shared = [slot for slot in self.slots.get(one, ()) if slot in self.slots.get(other, ())]
        return shared[0] if shared else None


def make_key(name: str) -> str:
    """Return the key of a name, which no stem of a word can be."""
    return f"={name.lower()}"


_LONGEST = 4
"""Maximum number of words of a name."""


def load_technologies(additions: Mapping[str, Sequence[str]]) -> TechnologyNames:
    """Load the names with those of a team, by slot; an unknown slot is added."""
    return _load(tuple((slot, tuple(names)) for slot, names in sorted(additions.items())))


@cache
def _load(additions: tuple[tuple[str, tuple[str, ...]], ...]) -> TechnologyNames:
    given: dict[str, Any] = tomllib.loads(files(__package__).joinpath("technologies.toml").read_text(encoding="utf-8"))
    entries = {slot: " ".join(about["names"].split()).split(", ") for slot, about in given.items()}
    for slot, names in additions:
        entries[slot] = [*entries.get(slot, ()), *(name.replace(" = ", "=") for name in names)]
    spellings: dict[tuple[str, ...], tuple[str, bool]] = {}
    slots: dict[str, list[str]] = defaultdict(list)
    for slot, lines in entries.items():
        for line in lines:
            first, _, others = line.partition("=")
            name = first.removeprefix(CAPITAL)
            for one in (first, *others.split(_SPELLINGS)):
                if words := tuple(WORD.findall(one.lower())):
                    spellings.setdefault(words, (name, one.startswith(CAPITAL)))
            slots[make_key(name)].append(slot)
    return TechnologyNames(
        spellings=spellings,
        slots=slots,
        words={
            slot: frozenset(stem(word) for word in given.get(slot, {}).get("words", "").split()) for slot in entries
        },
        several=frozenset(slot for slot, about in given.items() if about.get("several")),
    )
