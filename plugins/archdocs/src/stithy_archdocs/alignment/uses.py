"""Names in statements, and whether a statement is about them."""

from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.objects import is_object, leads
from stithy_archdocs.alignment.reading import Statement
from stithy_archdocs.alignment.stems import GENERIC_STEMS, STOP
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

_BESIDES = 2.0
_FOLLOWING = listed("following")


@frozen
class Use:
    """A name in a statement: whether it is wanted, and whether it is what the statement is about."""

    term: str
    sign: int
    main: bool
    statement: Statement


def uses(statement: Statement, lexicon: Lexicon) -> Iterator[Use]:
    """Give the names in a statement. In "the Kafka consumer" the name only says which consumer."""
    for at, (token, sign) in enumerate(zip(statement.tokens, statement.signs, strict=True)):
        if token.term:
            main = _is_main(statement, at, lexicon)
            yield Use(token.term, sign, main, statement)


def _is_main(statement: Statement, at: int, lexicon: Lexicon) -> bool:
    if statement.role in ("chosen", "rejected"):
        return _is_option(statement, at)
    if _is_compound(statement.tokens, at, lexicon):
        return False
    if statement.role == "title":
        return leads(statement.tokens, at)
    return statement.role != "decision" or is_object(statement.tokens, at)


def _is_option(statement: Statement, at: int) -> bool:
    """Tell whether an option is a name, and not a longer thought in which it occurs."""
    besides = sum(token.weight for token in statement.tokens if not token.term)
    return besides <= _BESIDES or not any(token.telling for token in statement.tokens[:at])


def _is_compound(words: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None or not after.telling:
        return False
    if after.term:
        return not lexicon.rivals(words[at].term, after.term)
    kinds = lexicon.called(lexicon.slots.get(words[at].term, ()))
    beyond = words[at + 2] if at + 2 < len(words) else None
    verb = after.word.endswith(("ed", "ing")) and (beyond is None or beyond.word in STOP)
    return not (after.word in _FOLLOWING or after.stem in kinds or after.stem in GENERIC_STEMS or verb)
