"""Statements of records and proposals."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import frozen

from stithy_archdocs.alignment.means_and_purpose import classify_means, has_way
from stithy_archdocs.alignment.polarity_cues import DROP, DROPPED, TAKE, measure_drop_cue
from stithy_archdocs.alignment.tokenizer import Token


@frozen
class Statement:
    """One clause that states something.

    Args:
        tokens: Its tokens.
        signs: For each token, 1 if it is wanted, -1 if not.
        role: title, chosen, rejected, decision or proposal.
        quote: The sentence as written.
        line: Its line.
        cued: Whether a verb says what is wanted.
    """

    tokens: tuple[Token, ...]
    signs: tuple[int, ...]
    role: str
    quote: str
    line: int
    cued: bool = False

    @cached_property
    def means(self) -> tuple[bool, ...]:
        """For each token, whether it belongs to a means rather than a purpose."""
        return classify_means(self.tokens)

    @cached_property
    def has_way(self) -> bool:
        """Whether it says how something is done."""
        return has_way(self.tokens)

    @cached_property
    def takes(self) -> bool:
        """Whether it adopts or drops something."""
        words = [token.word for token in self.tokens]
        return any(word in TAKE or measure_drop_cue(words, at) for at, word in enumerate(words))

    @cached_property
    def weighted_words(self) -> Mapping[str, tuple[float, int]]:
        """Weight and sign of each distinctive word, by key; sign 0 if it occurs both wanted and unwanted."""
        found: dict[str, tuple[float, int]] = {}
        for token, sign in self.iterate_distinctive():
            if token.word not in DROP and token.word not in DROPPED:
                found[token.key] = (token.weight, sign if found.get(token.key, (0.0, sign))[1] == sign else 0)
        return found

    def iterate_distinctive(self) -> Iterator[tuple[Token, int]]:
        """Iterate over the distinctive tokens, each with its sign."""
        return ((token, sign) for token, sign in zip(self.tokens, self.signs, strict=True) if token.is_distinctive)
