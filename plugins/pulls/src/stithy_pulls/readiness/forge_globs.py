"""Glob patterns of Gitea and Forgejo, for check names and protected files (https://github.com/gobwas/glob).

`*` matches any text without a separator, `**` any text, `?` one character except a separator, `[a-z]` and `[!a-z]` one
character of a class or not of it, and `{a,b}` either alternative; a backslash escapes the next character. Users write
the patterns, so matching must not take exponential time: a pattern is an automaton that never backtracks (linear time).

`path_patterns` has the other dialect, of gitignore: code owners have thousands of lines and paths, for which stepping
through each character is too slow (measured: 50 µs for a path, and 0.1 to 4 µs there).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from attrs import frozen

MOST = 64
"""Patterns that the braces of one pattern may expand to."""
SIGN = re.compile(r"\\.|[{},]", re.DOTALL)
"""A sign of alternatives, or a character behind a backslash, which stands for itself."""


@frozen
class GlobToken:
    """One element of a pattern: which characters it matches, and whether it matches any number of them."""

    takes: Callable[[str], bool]
    many: bool = False


def matches(pattern: str, text: str, separators: str = "") -> bool:
    """Return whether a pattern matches a text. An invalid pattern matches only a text equal to itself."""
    return pattern == text or any(_run_automaton(tokens, text) for tokens in _compile(pattern, separators))


@lru_cache(maxsize=256)
def _compile(pattern: str, separators: str) -> Sequence[Sequence[GlobToken]]:
    try:
        return [list(_parse_tokens(one, separators)) for one in _expand_braces(pattern)]
    except ValueError:
        return []


def _run_automaton(tokens: Sequence[GlobToken], text: str) -> bool:
    states = _add_skippable({0}, tokens)
    for char in text:
        states = _add_skippable(
            {at + (not tokens[at].many) for at in states if at < len(tokens) and tokens[at].takes(char)}, tokens
        )
    return len(tokens) in states


def _add_skippable(states: set[int], tokens: Sequence[GlobToken]) -> set[int]:
    """Add the states behind each token that may match the empty text."""
    for at, token in enumerate(tokens):
        if at in states and token.many:
            states.add(at + 1)
    return states


def _parse_tokens(pattern: str, separators: str) -> Iterator[GlobToken]:
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "*":
            stars = len(pattern[at:]) - len(pattern[at:].lstrip("*"))
            at += stars
            yield GlobToken(_match_any if stars > 1 else _match_none_of(separators), many=True)
            continue
        if char == "[":
            end = pattern.index("]", at + 2)
            yield GlobToken(_match_class(pattern[at + 1 : end]))
            at = end + 1
            continue
        at += char == "\\"
        yield GlobToken(_match_none_of(separators) if char == "?" else _match_char(pattern[at : at + 1]))
        at += 1


def _expand_braces(pattern: str) -> list[str]:
    """Expand braces from the last one on, so inner braces are expanded first; those behind a backslash are text."""
    waiting, done = [pattern], []
    while waiting:
        one = waiting.pop()
        signs = [found.start() for found in SIGN.finditer(one) if len(found[0]) == 1]
        begin = max((at for at in signs if one[at] == "{"), default=-1)
        if begin < 0:
            done.append(one)
            continue
        end = next((at for at in signs if at > begin and one[at] == "}"), -1)
        cuts = [begin, *(at for at in signs if begin < at < end and one[at] == ","), end]
        if end < 0 or len(waiting) + len(done) + len(cuts) - 1 > MOST:
            raise ValueError(pattern)
        choices = [one[first + 1 : last] for first, last in pairwise(cuts)]
        waiting += [f"{one[:begin]}{choice}{one[end + 1 :]}" for choice in choices]
    return done


def _match_class(members: str) -> Callable[[str], bool]:
    negated = members[:1] in {"!", "^"}
    members = members[negated:]
    ranges = [(members[at], members[at + 2]) for at in range(len(members) - 2) if members[at + 1] == "-"]
    return lambda char: negated != (char in members or any(low <= char <= high for low, high in ranges))


def _match_any(_: str) -> bool:
    return True


def _match_none_of(separators: str) -> Callable[[str], bool]:
    return lambda char: char not in separators


def _match_char(wanted: str) -> Callable[[str], bool]:
    return lambda char: char == wanted
