"""Find names that no lexicon has: what a record decides about and writes as a name."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from stithy_archdocs.alignment.polarity import TAKE
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

_SHORT = 2
"""Maximum number of words of an option that is a name, and not a sentence that contains one."""
_WORD = re.compile(r"\w+(?:\.\w+)*[+#]*")
_ANSWERS = listed("answers")


def is_name(words: Sequence[Token]) -> bool:
    """Return whether a clause is only a name, as a decision may be: "WorkManager"."""
    telling = [token for token in words if not token.is_mark]
    plain = all(token.telling and (token.term or token.text[0].isupper()) for token in telling)
    return 0 < len(telling) <= _SHORT and plain and all(token.word not in _ANSWERS for token in telling)


def own_names(statements: Sequence[Statement], text: str) -> frozenset[str]:
    """Return the keys of words that titles, options and decisions adopt or drop and that the text writes as names.

    A word counts as a name if it is capitalized more often than not in the whole text.
    """
    found = {token.key: token.word for statement in statements for token in _taken(statement)}
    capital: Counter[str] = Counter()
    for word in _WORD.findall(text):
        capital[word.lower()] += 1 if word != word.lower() else -1
    return frozenset(key for key, word in found.items() if capital[word] > 0)


def _taken(statement: Statement) -> Iterator[Token]:
    if statement.role == "decision" and not statement.cued:
        return
    if statement.role in ("chosen", "rejected") and sum(token.telling for token in statement.tokens) > _SHORT:
        return
    plain = statement.role == "title" and any(token.word in TAKE for token in statement.tokens)
    for token, inside in zip(statement.tokens, statement.means, strict=True):
        if inside and token.weight >= 1 and (plain or not token.text.isupper()):
            yield token
