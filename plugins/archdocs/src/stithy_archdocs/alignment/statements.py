"""One thing that a record or a proposal says."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen

from stithy_archdocs.alignment.frames import has_way, means
from stithy_archdocs.alignment.polarity import DROP, DROPPED, TAKE, drop_at
from stithy_archdocs.alignment.tokens import Token


@frozen
class Statement:
    """One thing that is said, and how much it counts.

    Args:
        tokens: Its words.
        signs: For each, whether it is wanted (1) or not (-1).
        role: title, chosen, rejected, decision or proposal.
        quote: As it is written.
        line: Where.
        cued: Whether it says by a verb what is wanted.
    """

    tokens: tuple[Token, ...]
    signs: tuple[int, ...]
    role: str
    quote: str
    line: int
    cued: bool = False

    @cached_property
    def means(self) -> tuple[bool, ...]:
        """Whether each word belongs to a means, not to a purpose."""
        return means(self.tokens)

    @cached_property
    def has_way(self) -> bool:
        """Whether it says how something is done."""
        return has_way(self.tokens)

    @cached_property
    def takes(self) -> bool:
        """Whether something is taken or left in it."""
        words = [token.word for token in self.tokens]
        return any(word in TAKE or drop_at(words, at) for at, word in enumerate(words))

    @cached_property
    def weighed(self) -> Mapping[str, tuple[float, int]]:
        """The words that say something, each with what it weighs and whether it is wanted: 0 where both is said."""
        found: dict[str, tuple[float, int]] = {}
        for token, sign in self.telling():
            if token.word not in DROP and token.word not in DROPPED:
                found[token.key] = (token.weight, sign if found.get(token.key, (0.0, sign))[1] == sign else 0)
        return found

    def telling(self) -> Iterator[tuple[Token, int]]:
        """Give the words that say something, each with whether it is wanted."""
        return ((token, sign) for token, sign in zip(self.tokens, self.signs, strict=True) if token.telling)
