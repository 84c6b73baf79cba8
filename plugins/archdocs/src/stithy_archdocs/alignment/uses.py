"""Find names in statements, and whether a statement is about them."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet

from attrs import frozen

from stithy_archdocs.alignment.frames import PURPOSES, WITH, action
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.objects import is_object, leads
from stithy_archdocs.alignment.polarity import TAKE
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.stems import STOP, generic_stems
from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

_LEADS = TAKE | {"with", "by", "via", "using", "through", "as"}
_BESIDES = 2.0
_FOLLOWING = listed("following")


@frozen
class Use:
    """A name in a statement.

    Args:
        term: Its key.
        name: The name for a reader.
        sign: 1 if it is wanted, -1 if not.
        main: Whether the statement is about it.
        purpose: Whether it belongs to the purpose.
        statement: The statement.
    """

    term: str
    name: str
    sign: int
    main: bool
    purpose: bool
    statement: Statement


def uses(statement: Statement, lexicon: Lexicon, own: AbstractSet[str]) -> Iterator[Use]:
    """Iterate over the names in a statement: those of the lexicon, and the record's own.

    In "the Kafka consumer" the name only says which consumer, so the statement is not about Kafka.
    """
    for at, (token, sign) in enumerate(zip(statement.tokens, statement.signs, strict=True)):
        if token.term in lexicon.slots or token.key in own:
            name = token.term if token.term in lexicon.slots else token.text
            main = _is_main(statement, at, lexicon, own)
            yield Use(token.key, name, sign, main, _is_purpose(statement, at), statement)


def _is_main(statement: Statement, at: int, lexicon: Lexicon, own: AbstractSet[str]) -> bool:
    if statement.role in ("chosen", "rejected"):
        return _is_option(statement, at)
    if (
        (at and statement.tokens[at - 1].word == "of")
        or _is_compound(statement.tokens, at, lexicon)
        or _is_purpose(statement, at)
    ):
        return False
    if statement.role == "title":
        return leads(statement.tokens, at) or statement.tokens[at].key in own
    return statement.role != "decision" or is_object(statement.tokens, at)


def _is_option(statement: Statement, at: int) -> bool:
    """Return whether an option is a name, and not a sentence that contains one."""
    besides = sum(token.weight for token in statement.tokens if not token.term)
    return besides <= _BESIDES or not any(token.telling for token in statement.tokens[:at])


def _is_purpose(statement: Statement, at: int) -> bool:
    """Return whether a name says what something is for: "use Swift to build watchOS apps"."""
    leads = [token.word for token in statement.tokens[:at] if token.word in PURPOSES or token.word in WITH]
    if leads and leads[-1] in PURPOSES and not statement.means[at]:
        return True
    return (
        not statement.means[at]
        and not action(statement.tokens)
        and any(inside and token.telling for inside, token in zip(statement.means[:at], statement.tokens, strict=False))
    )


def _is_compound(words: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None or not after.telling or (at and words[at - 1].word in _LEADS) or _is_charged(words, at):
        return False
    if after.term:
        return not lexicon.rivals(words[at].term, after.term)
    kinds = lexicon.called(lexicon.slots.get(words[at].term, ()))
    beyond = words[at + 2] if at + 2 < len(words) else None
    verb = after.word.endswith(("ed", "ing")) and (beyond is None or beyond.word in STOP)
    return not (after.word in _FOLLOWING or after.stem in kinds or after.stem in generic_stems() or verb)


def _is_charged(words: Sequence[Token], at: int) -> bool:
    """Return whether a name gets a task: "let Flux deploy it"; not "let Dependabot open its requests"."""
    own = any(token.word in ("its", "their") for token in words[at + 1 : at + 4])
    return at > 0 and words[at - 1].word in ("have", "let") and not own
