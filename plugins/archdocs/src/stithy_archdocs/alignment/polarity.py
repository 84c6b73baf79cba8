"""Which words of a sentence are wanted and which are not (field notes on ADRs, section 6, signal 3).

A clause is read from left to right. "Replace", "stop" or "instead of" make what follows unwanted until "by", "use" or
the like; "never", "must not" and "no" turn a whole clause round; "is replaced by" makes what stood before unwanted.
Two negations cancel each other: "never drop Kafka" wants Kafka.
"""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_archdocs.alignment.tokens import Token
from stithy_archdocs.alignment.wordlists import listed

DROP = listed("drop")
_DROP_PHRASES = {
    first: [phrase.split() for phrase in sorted(listed("drop_phrases")) if phrase.split()[0] == first]
    for first in {phrase.split()[0] for phrase in listed("drop_phrases")}
}
DROPPED = listed("dropped")
BE = listed("be")
ADOPT = listed("adopt")
_SWITCH = listed("switch")
MOVE = listed("move")
TAKE = listed("take")
"""Verbs that take what follows as a means."""
ACTIONS = listed("actions")
"""Verbs that begin a new thought after "and"."""
_PREFER = listed("prefer")
_ADVISE = listed("advise")
_SUBORDINATE = listed("subordinate")
_TAKEN = frozenset(("adopted", "chosen", "selected", "used"))
_SAYING = listed("saying")
_AWAY = listed("away")
_NOT = listed("not")
_NONE = listed("none")
_JOINS = frozenset(("and", ",", "then", "–", "—", "to", "favour", "favor"))  # noqa: RUF001 -- dashes as people write them
_ENDS = frozenset((";", ".", ":", "!", "?", "(", ")", "–", "—", "but", "however"))  # noqa: RUF001 -- dashes as people write them
_SHORT = 3
_WAYS = [
    [word]
    for word in [
        "http",
        "https",
        "tcp",
        "udp",
        "tls",
        "ssl",
        "ssh",
        "ip",
        "time",
        "the",
        "a",
        "network",
        "wire",
        "mqtt",
        "websockets",
    ]
]
_REASON = re.compile(r"^(?:because|since|due|as|so|otherwise|therefore|which|given|thanks)$")
_REASON_NEXT = listed("reason_next")
_LEADS = frozenset(
    ["we", "the", "our", "i", "they", "it", "you", "teams", "all", "every", "let", "use", "adopt", "keep"]
)


@frozen
class Clause:
    """A part of a sentence.

    Args:
        tokens: Its words.
        signs: For each, 1 where it is wanted, -1 where it is not.
        cued: Whether a verb of wanting or not wanting is in it.
        reason: Whether it tells why, and decides nothing.
    """

    tokens: tuple[Token, ...]
    signs: tuple[int, ...]
    cued: bool
    reason: bool = False


def clauses(sentence: Sequence[Token]) -> Iterator[Clause]:
    """Part a sentence, and say of each word whether it is wanted."""
    for part, reason in _parts(sentence):
        signs, cued = _signs(part)
        yield Clause(tuple(part), tuple(signs), cued, reason)


def _parts(sentence: Sequence[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Give the clauses, each with whether it only tells why or when."""
    part: list[Token] = []
    reason = aside = False
    for at, token in enumerate(sentence):
        after = sentence[at + 1].word if at + 1 < len(sentence) else ""
        why = _tells_why(token.word, after)
        begins = token.word in _SUBORDINATE or (
            token.word == "that" and at > 0 and sentence[at - 1].telling and sentence[at - 1].word not in _SAYING
        )
        opened = token.word == "," and bool(part) and (aside or part[0].word in ("instead", "rather", "without"))
        if token.word in _ENDS or why or begins or opened:
            if part:
                yield part, reason or aside
            part, aside = [], begins
            reason = why or (reason and token.word not in (";", ".", "!", "?"))
        else:
            part.append(token)
    if part:
        yield part, reason or aside


def _tells_why(word: str, after: str) -> bool:
    if not _REASON.match(word):
        return False
    if word in ("because", "otherwise", "therefore", "thanks", "which"):
        return True
    return after in _REASON_NEXT and not (word == "as" and after == "to")


def _signs(part: Sequence[Token]) -> tuple[list[int], bool]:
    words = [token.word for token in part]
    signs: list[int] = []
    sign, since, cued, joined, at = 1, -9, False, False, 0
    turned = is_turned(words)
    while at < len(words):
        word = words[at]
        length = drop_at(words, at)
        if length:
            if word != "lift" and sign < 0 and at - since <= 2 and words[since] in ("stop", "avoid", "quit", "cease"):  # noqa: PLR2004 -- "stop avoiding"
                sign = 1
            else:
                sign = -1
            since, cued, joined = at + length - 1, True, False
            if words[at : at + 2] == ["out", "of"] and "keep" in words[:at]:  # "keep X out of Y" wants no X there
                signs = [-1] * at
            signs += [sign] * length
            at += length
            continue
        if (word in DROPPED or " ".join(words[at : at + 2]) in _AWAY) and _passive(words, at):
            signs = [-one for one in signs]
            sign, since, cued = 1, at, True
        elif sign < 0 and _ends(words, at, since, joined=joined):
            sign = 1
        if word in ADOPT or word in DROPPED or word in MOVE or (word in _TAKEN and words[at - 1] in BE):
            cued = True
        joined = joined or word in _JOINS
        signs.append(sign)
        at += 1
    _moved(part, signs)
    return ([-one for one in signs] if turned else signs), cued or turned


def drop_at(words: Sequence[str], at: int) -> int:
    """Give how many words make a cue that what follows is not wanted; 0 where none is."""
    for phrase in _DROP_PHRASES.get(words[at], ()):
        if list(words[at : at + len(phrase)]) == phrase and words[at + len(phrase) : at + len(phrase) + 1] != ["box"]:
            return len(phrase)
    word = words[at]
    if word in DROP or _denies_next(words, at):
        return 1
    if word == "from" and any(one in MOVE for one in words[:at]):
        return 1
    if word == "against" and any(one in _ADVISE for one in words[:at]):
        return 1
    if word == "over" and at and (any(one in _PREFER for one in words[:at]) or _compares(words, at)):
        return 1
    return 0


def _compares(words: Sequence[str], at: int) -> bool:
    """Tell whether "over" compares, as in "composition over inheritance", and is no way, as in "gRPC over HTTP"."""
    return at <= _SHORT and not any(word in ACTIONS for word in words[:at]) and words[at + 1 : at + 2] not in _WAYS


def _denies_next(words: Sequence[str], at: int) -> bool:
    """Tell whether a "no" or "not" is about what follows alone: "use REST, not GraphQL"; "have no state"."""
    before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if words[at] == "not":
        return before in (",", "and", "or") and at > 1
    return words[at] == "no" and at > 0 and after not in ("longer", "later", "more")


def _passive(words: Sequence[str], at: int) -> bool:
    """Tell whether something is done to what stands before: "will be replaced", "Kafka replaced by"."""
    before = words[max(0, at - 3) : at]
    return any(word in BE for word in before) or (at > 0 and words[at + 1 : at + 2] == ["by"])


def _ends(words: Sequence[str], at: int, since: int, *, joined: bool) -> bool:
    """Tell whether what is not wanted ends before a word."""
    word = words[at]
    cue = words[since]
    if word in ("favour", "favor") or (word == "for" and cue in ("over", "of", "than")):
        return True
    if (
        word in _SWITCH
        and cue.startswith(
            (
                "replac",
                "swap",
                "exchang",
                "substitut",
                "split",
                "decompos",
                "from",
                "break",
                "up",
                "migrat",
                "supersed",
                "off",
            )
        )
        and at - since > 1
    ):
        return not (word == "to" and words[at + 1 : at + 2] == ["be"])
    return at - since > 1 and (
        (joined and word in (ADOPT | MOVE)) or (word in ACTIONS and words[at - 1] in ("and", "then", ","))
    )


def is_turned(words: Sequence[str]) -> bool:
    """Tell whether a clause as a whole is denied."""
    count = 0
    for at, word in enumerate(words):
        after = words[at + 1] if at + 1 < len(words) else ""
        if word in _NOT or word.endswith(("n't", "n\u2019t")):
            count += after not in ("only", "yet") and not _denies_next(words, at)
        elif word in _NONE:
            count += at == 0 or after in ("longer", "more")
    return count % 2 == 1


def _moved(part: Sequence[Token], signs: list[int]) -> None:
    """What is moved from one name to another is left: "migrate RabbitMQ to Kafka"."""
    if not any(token.word in MOVE or token.word in ("rewrite", "port") for token in part):
        return
    for at, token in enumerate(part):
        if token.term and any(one.word in ("to", "onto", "into") for one in part[at + 1 : at + 2]):
            later = [one for one in part[at + 2 : at + 5] if one.term and one.term != token.term]
            if later:
                signs[at] = -1
