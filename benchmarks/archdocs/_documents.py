"""Generate documents for benchmarks: records of made-up words, with the word frequencies of a natural language."""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

WORDS = 6_000
FAMILIES = ("Context", "Decision", "Consequences", "Options considered", "Rollout", "Open questions")
NAMED_WORDS = 40
"""Number of the most frequent words, which occur in nearly every text."""


class DocumentGenerator:
    """Generates the same documents on every run.

    Args:
        seed: Seed of the random generator.
    """

    def __init__(self, seed: int = 1) -> None:
        self.chance = random.Random(seed)  # noqa: S311 -- nothing secret
        syllables = [one + other for one in "bcdfghklmnprst" for other in "aeiou"]
        self.words = ["".join(self.chance.choices(syllables, k=self.chance.randint(2, 4))) for _ in range(WORDS)]
        self.weights = list(accumulate(1 / (place + 1) for place in range(WORDS)))

    def text(self, many: int) -> str:
        """Return a text of some words."""
        return " ".join(self.chance.choices(self.words, cum_weights=self.weights, k=many))

    def rare(self, many: int) -> list[str]:
        """Return words that occur in few texts."""
        above = [weight - self.weights[NAMED_WORDS - 1] for weight in self.weights[NAMED_WORDS:]]
        return self.chance.choices(self.words[NAMED_WORDS:], cum_weights=above, k=many)

    def record(self, number: int) -> tuple[str, str, str]:
        """Return the text of a record, its title, and a query that one of its paragraphs answers."""
        title = " ".join(self.rare(4)).capitalize()
        parts = [f"# {number}. {title}\n\n## Status\n\nAccepted\n"]
        at = self.chance.randrange(len(FAMILIES))
        key = self.rare(5)
        for place, family in enumerate(FAMILIES):
            words = self.text(self.chance.randint(40, 240)).split()
            if place == at:
                start = self.chance.randrange(len(words) - 20)
                words[start : start + 20] = _insert_words(self.chance, words[start : start + 20], key)
            parts.append(f"## {family}\n\n{' '.join(words)}.\n")
        query = [*self.chance.sample(key, 3), *self.rare(1)]
        return "\n".join(parts), title, " ".join(query)


def _insert_words(chance: random.Random, words: list[str], key: list[str]) -> list[str]:
    for word in key:
        words[chance.randrange(len(words))] = word
    return words


def write_records(root: Path, many: int) -> Iterator[tuple[str, str, str]]:
    """Write records, and iterate over their paths, titles and queries."""
    generator = DocumentGenerator()
    folder = root / "docs/adr"
    folder.mkdir(parents=True)
    for number in range(1, many + 1):
        text, title, query = generator.record(number)
        path = f"docs/adr/{number:05}-{title.lower().replace(' ', '-')}.md"
        (root / path).write_text(text)
        yield path, title, query
