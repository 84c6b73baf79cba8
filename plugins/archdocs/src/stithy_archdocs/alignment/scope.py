"""Decide whether proposal and record concern the same part: a cache beside a database is no conflict."""

from collections.abc import Iterable, Iterator, Sequence

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.reading import Reading
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.stems import generic_stems
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

_LEADS = listed("purpose_leads")
_NO_PURPOSE = listed("no_purpose")
_EVERYWHERE = listed("everywhere")
_STOPS = listed("purpose_stops")


def purposes(statements: Iterable[Statement], lexicon: Lexicon) -> frozenset[str]:
    """Return the stems that say what something is for: words after "for", "in" etc. that are not names or kinds."""
    return frozenset(word for statement in statements for word in _purposes(statement.tokens, lexicon))


def _purposes(words: Sequence[Token], lexicon: Lexicon) -> Iterator[str]:
    kinds = lexicon.called(slot for token in words if token.term for slot in lexicon.slots.get(token.term, ()))
    inside = False
    for token in words:
        if token.word in _LEADS:
            inside = True
        elif token.is_mark or token.word in _STOPS:
            inside = inside and token.word in ("and", "or", ",")
        elif (
            inside
            and token.telling
            and not token.term
            and token.stem not in kinds
            and token.stem not in generic_stems()
            and token.word not in _NO_PURPOSE
        ):
            yield token.stem


def everywhere(statement: Statement) -> bool:
    """Return whether a statement applies to the whole system."""
    return any(token.word in _EVERYWHERE for token in statement.tokens)


def elsewhere(proposed: frozenset[str], reading: Reading, record: Sequence[Statement], lexicon: Lexicon) -> bool:
    """Return whether a proposal is for a part that a record with another purpose does not mention."""
    if not proposed or proposed & reading.wide:
        return False
    return bool(purposes(record, lexicon)) and not any(everywhere(statement) for statement in record)
