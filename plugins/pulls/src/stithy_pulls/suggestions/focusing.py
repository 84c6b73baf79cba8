"""What a caller wants to look at, in words of their own, held against what facts are about."""

from collections.abc import Sequence

from attrs import frozen

from stithy_pulls.facts.records import Fact
from stithy_pulls.impact.categories import CATEGORIES, categorize_file

MEANT = {
    "security": {"security", "dependencies"},
    "api": {"api"},
    "breaking": {"api"},
    "compatibility": {"api"},
    "database": {"database"},
    "migrations": {"database"},
    "data": {"database"},
    "dependencies": {"dependencies"},
    "supply chain": {"dependencies", "security"},
    "tests": {"tests"},
    "testing": {"tests"},
    "infrastructure": {"infrastructure", "security"},
    "ci": {"infrastructure"},
    "maintenance": {"maintenance"},
    "maintainability": {"maintenance", "size"},
    "size": {"size"},
}
"""Each word with what facts may be about."""


@frozen
class ReviewFocus:
    """What is wanted.

    Args:
        about: Of facts; empty for all.
        categories: Of files.
        unknown: Words that nothing here is about.
    """

    about: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    unknown: tuple[str, ...] = ()

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out: also where no word is known, since no rule of ours is about it."""
        return not self.about and not self.categories

    def wants_fact(self, fact: Fact) -> bool:
        """Say whether a fact is about what is wanted."""
        return self.is_all or fact.focus in self.about or bool(fact.path and categorize_file(fact.path) in self.categories)

    def shows_file(self, path: str, facts: Sequence[Fact]) -> bool:
        """Say whether a file is, with the facts about it that are wanted."""
        return self.is_all or bool(facts) or categorize_file(path) in self.categories


def parse_focus(words: Sequence[str] | None) -> ReviewFocus:
    """Read the words."""
    given = [word.strip().lower() for word in words or ()]
    return ReviewFocus(
        about=frozenset(about for word in given for about in MEANT.get(word, ())),
        categories=frozenset(word for word in given if word in CATEGORIES),
        unknown=tuple(word for word in given if word not in MEANT and word not in CATEGORIES),
    )
