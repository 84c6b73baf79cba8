r"""Glob patterns as Gitea and Forgejo read them, for checks and for protected files.

`*` stands for anything without a separator, `**` for anything, `?` for one character that is no separator, `[a-z]` and
`[!a-z]` for one of some, `{a,b}` for either, and `\` takes a character as it is. The patterns are people's, so that
none may take long: they are followed place by place, never back.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from attrs import frozen

MOST = 64
"""Patterns that braces may stand for."""


@frozen
class Token:
    """One piece of a pattern: which characters it takes, and whether it takes any number of them."""

    takes: Callable[[str], bool]
    many: bool = False


def matches(pattern: str, text: str, separators: str = "") -> bool:
    """Say whether a pattern is about a text; one that is no pattern is only about itself."""
    return pattern == text or any(_follows(tokens, text) for tokens in _compiled(pattern, separators))


@lru_cache(maxsize=256)
def _compiled(pattern: str, separators: str) -> Sequence[Sequence[Token]]:
    try:
        return [list(_tokens(one, separators)) for one in _unfolded(pattern)]
    except ValueError:
        return []


def _follows(tokens: Sequence[Token], text: str) -> bool:
    places = _closed({0}, tokens)
    for char in text:
        places = _closed(
            {at + (not tokens[at].many) for at in places if at < len(tokens) and tokens[at].takes(char)}, tokens
        )
    return len(tokens) in places


def _closed(places: set[int], tokens: Sequence[Token]) -> set[int]:
    """Add the places behind each token that may take nothing."""
    for at, token in enumerate(tokens):
        if at in places and token.many:
            places.add(at + 1)
    return places


def _tokens(pattern: str, separators: str) -> Iterator[Token]:
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            stars = len(pattern[at:]) - len(pattern[at:].lstrip("*"))
            at += stars
            yield Token(_any if stars > 1 else _none_of(separators), many=True)
            continue
        if char == "[":
            end = pattern.index("]", at + 2)
            yield Token(_class(pattern[at + 1 : end]))
            at = end + 1
            continue
        at += char == "\\"
        yield Token(_none_of(separators) if char == "?" else _is(pattern[at : at + 1]))
        at += 1


def _unfolded(pattern: str) -> list[str]:
    """Write out braces, from the last one on, so that inner ones come first."""
    waiting, done = [pattern], []
    while waiting:
        one = waiting.pop()
        begin = one.rfind("{")
        if begin < 0:
            done.append(one)
            continue
        end = one.index("}", begin)
        waiting += [f"{one[:begin]}{choice}{one[end + 1 :]}" for choice in one[begin + 1 : end].split(",")]
        if len(waiting) + len(done) > MOST:
            raise ValueError(pattern)
    return done


def _class(said: str) -> Callable[[str], bool]:
    negated = said[:1] in {"!", "^"}
    said = said[negated:]
    ranges = [(said[at], said[at + 2]) for at in range(len(said) - 2) if said[at + 1] == "-"]
    return lambda char: negated != (char in said or any(low <= char <= high for low, high in ranges))


def _any(_: str) -> bool:
    return True


def _none_of(separators: str) -> Callable[[str], bool]:
    return lambda char: char not in separators


def _is(wanted: str) -> Callable[[str], bool]:
    return lambda char: char == wanted
