"""The words of a proposal and of a record, weighted for the features."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from attrs import frozen

from stithy_archdocs.alignment.polarity_cues import DROP, DROPPED
from stithy_archdocs.alignment.statement_parser import ParsedRecord, Proposal
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token

_LEADING = ("title", "chosen")


@frozen(slots=False)
class ProposalWords:
    """The distinctive words of a proposal with their weights."""

    proposal: Proposal

    @cached_property
    def all(self) -> Mapping[str, float]:
        """All words, including those of reasons."""
        return _weigh((*self.proposal.words, *(token for one in self.proposal.statements for token in one.tokens)))

    @cached_property
    def first(self) -> Mapping[str, float]:
        """Words of the first wish."""
        return _weigh(token for one in self.proposal.statements[:1] for token in one.tokens)

    @cached_property
    def wanted(self) -> Mapping[str, float]:
        """Words that are wanted."""
        return _weigh_signed(self.proposal.statements, 1)

    @cached_property
    def unwanted(self) -> Mapping[str, float]:
        """Words that are unwanted."""
        return _weigh_signed(self.proposal.statements, -1)

    @cached_property
    def weight(self) -> float:
        """Sum of all weights; 1 if there are no words."""
        return sum(self.all.values()) or 1.0


@frozen(slots=False)
class RecordWords:
    """The words of a record's statements, by role."""

    reading: ParsedRecord

    @cached_property
    def leading(self) -> Mapping[str, tuple[float, int]]:
        """Weight and sign of the words of the title and of the chosen option, by key."""
        return {
            token.key: (token.weight, sign)
            for statement in self.reading.statements
            if statement.role in _LEADING
            for token, sign in statement.iterate_distinctive()
        }

    @cached_property
    def _by_role(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for statement in self.reading.statements:
            found[statement.role] |= {token.key for token in statement.tokens if token.is_distinctive}
        return {role: frozenset(words) for role, words in found.items()}

    def words(self, *roles: str) -> frozenset[str]:
        """Return the words of statements with some roles."""
        return frozenset[str]().union(*(self._by_role.get(role, frozenset()) for role in roles))


def measure_share(words: Mapping[str, float], known: Iterable[str]) -> float:
    """Return the share of words, by weight, that is known: from 0 to 1."""
    whole = sum(words.values())
    held = frozenset(known)
    return sum(weight for key, weight in words.items() if key in held) / whole if whole else 0.0


def _weigh(tokens: Iterable[Token]) -> Mapping[str, float]:
    return {token.key: token.weight for token in tokens if _is_significant(token)}


def _weigh_signed(statements: Iterable[Statement], sign: int) -> Mapping[str, float]:
    return {
        token.key: token.weight
        for statement in statements
        for token, one in statement.iterate_distinctive()
        if one == sign and _is_significant(token)
    }


def _is_significant(token: Token) -> bool:
    return token.is_distinctive and token.word not in DROP and token.word not in DROPPED
