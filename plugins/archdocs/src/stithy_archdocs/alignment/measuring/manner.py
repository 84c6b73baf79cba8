"""Features of wording, independent of the subject: whether a proposal asks, keeps, returns or drops."""

from collections.abc import Iterator

from stithy_archdocs.alignment.deliberation import deliberates, tends
from stithy_archdocs.alignment.measuring.words import Said
from stithy_archdocs.alignment.wordlists import listed

CUES = (
    "asking",
    "returning",
    "instead",
    "giving_up",
    "plain",
    "applying",
    "keeping",
    "forbidding",
    "allowing",
    "embracing",
    "reasoning",
    "obliging",
)
"""Word lists in `words.toml`; each has the prefix "cue_" there."""
_FIRST = 4
_LONG, _MANY = 20, 5


def manner(said: Said) -> Iterator[tuple[str, float]]:
    """Iterate over the names and values of the features."""
    statements = said.proposal.statements
    words = [token.word for token in said.proposal.words]
    for cue in CUES:
        known = listed(f"cue_{cue}")
        yield f"cue_{cue}", float(not known.isdisjoint(words))
        yield f"begins_{cue}", float(not known.isdisjoint(words[:_FIRST]))
    yield "asks", float(deliberates(statements))
    yield "tends", float(bool(statements) and tends(statements))
    yield "cued", float(any(one.cued for one in statements))
    yield "turned", float(any(all(sign < 0 for sign in one.signs) for one in statements))
    yield "mixed", float(any({sign for _, sign in one.telling()} == {1, -1} for one in statements))
    yield "denies", float(bool(said.unwanted))
    yield "long", min(len(said.all), _LONG) / _LONG
    yield "wishes", min(len(statements), _MANY) / _MANY
