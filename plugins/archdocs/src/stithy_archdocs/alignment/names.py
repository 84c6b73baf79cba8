"""Names that no lexicon has: what a record decides about, and writes as a name."""

import re
from collections.abc import Iterator, Sequence

from stithy_archdocs.alignment.polarity import TAKE
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokens import Token

_SHORT = 2
"""Words of an option that is a name, and not a thought in which one occurs."""


def own_names(statements: Sequence[Statement], text: str) -> frozenset[str]:
    """Give the words that titles, options and decisions take or leave, and that the text writes as names."""
    found = {token.key: token.word for statement in statements for token in _taken(statement)}
    return frozenset(key for key, word in found.items() if _is_name(word, text))


def _taken(statement: Statement) -> Iterator[Token]:
    if statement.role == "decision" and not statement.cued:
        return
    if statement.role in ("chosen", "rejected") and sum(token.telling for token in statement.tokens) > _SHORT:
        return
    plain = statement.role == "title" and any(token.word in TAKE for token in statement.tokens)
    for token, inside in zip(statement.tokens, statement.means, strict=True):
        if inside and token.weight >= 1 and (plain or not token.text.isupper()):
            yield token


def _is_name(word: str, text: str) -> bool:
    """Tell whether a text writes a word with a capital more often than without."""
    found: list[str] = re.findall(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)
    return sum(one != word for one in found) > sum(one == word for one in found)
