"""Documents made for measuring: decision records of made-up words, whose frequencies fall as those of a language do."""

import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

WORDS = 6_000
FAMILIES = ("Context", "Decision", "Consequences", "Options considered", "Rollout", "Open questions")
NAMED_WORDS = 40
"""The most frequent words, which stand in nearly every text."""


class Made:
    """Makes the same documents at every run.

    Args:
        seed: Which ones.
    """

    def __init__(self, seed: int = 1) -> None:
        self.chance = random.Random(seed)  # noqa: S311 -- nothing secret
        syllables = [one + other for one in "bcdfghklmnprst" for other in "aeiou"]
        self.words = ["".join(self.chance.choices(syllables, k=self.chance.randint(2, 4))) for _ in range(WORDS)]
        self.weights = list(accumulate(1 / (place + 1) for place in range(WORDS)))

    def text(self, many: int) -> str:
        """Give so many words."""
        return " ".join(self.chance.choices(self.words, cum_weights=self.weights, k=many))

    def rare(self, many: int) -> list[str]:
        """Give words that are not in nearly every text."""
        above = [weight - self.weights[NAMED_WORDS - 1] for weight in self.weights[NAMED_WORDS:]]
        return self.chance.choices(self.words[NAMED_WORDS:], cum_weights=above, k=many)

    def record(self, number: int) -> tuple[str, str, str]:
        """Give a record: its text, and a question whose answer is one paragraph of it and its title."""
        title = " ".join(self.rare(4)).capitalize()
        parts = [f"# {number}. {title}\n\n## Status\n\nAccepted\n"]
        at = self.chance.randrange(len(FAMILIES))
        key = self.rare(5)
        for place, family in enumerate(FAMILIES):
            words = self.text(self.chance.randint(40, 240)).split()
            if place == at:
                start = self.chance.randrange(len(words) - 20)
                words[start : start + 20] = _mixed(self.chance, words[start : start + 20], key)
            parts.append(f"## {family}\n\n{' '.join(words)}.\n")
        asked = [*self.chance.sample(key, 3), *self.rare(1)]
        return "\n".join(parts), title, " ".join(asked)


def _mixed(chance: random.Random, words: list[str], key: list[str]) -> list[str]:
    for word in key:
        words[chance.randrange(len(words))] = word
    return words


def write(root: Path, many: int) -> Iterator[tuple[str, str, str]]:
    """Write records, and give the path, the title and the question of each."""
    made = Made()
    folder = root / "docs/adr"
    folder.mkdir(parents=True)
    for number in range(1, many + 1):
        text, title, question = made.record(number)
        path = f"docs/adr/{number:05}-{title.lower().replace(' ', '-')}.md"
        (root / path).write_text(text)
        yield path, title, question
