"""The spellings of a pattern that semgrep takes for equal, and ast-grep does not."""

import re
from collections.abc import Callable, Iterator

_LAST_FIELDS = re.compile(r",\s*\.\.\.\s*(?=\})")
_STRING = re.compile(r"""(?<![\w'"`])(['"])([^'"`\\$#{}\n]*)\1(?!['"`])""")
_CONDITION = re.compile(r"\b(if|for|switch) (?!\s)([^\n{;]*?)\s*(?=\{)")
_CLASS = re.compile(r"^(\s*class\s+[\w$]+)\s*(\(\s*\.\.\.\s*\))?\s*:", re.MULTILINE)
_CLASS_NAME = re.compile(r"^(\s*class\s+[\w$]+)\s*(?=[(:])", re.MULTILINE)
_FUNCTION = re.compile(r"^(\s*(?:async\s+)?def\s[^\n]*\))\s*:", re.MULTILINE)
_PLAIN_FUNCTION = re.compile(r"^(\s*)(?=def\s)", re.MULTILINE)
_QUOTED = frozenset({"python", "javascript", "typescript", "tsx", "ruby", "php"})
"""Languages in which both quotes make the same string."""


def iterate_spellings(text: str, language: str) -> Iterator[str]:
    """Iterate over a pattern and its other spellings.

    - fields after a named one in a literal, `{a: 1, ...}`, may be missing
    - a string may have the other quotes
    - in Python, a class may have bases or not, if the pattern has none or any (`...`), and parameters for types
    - in Python, a function may have a type of its result and `async`, if the pattern has none
    - in Go, a condition may have parentheses or not
    """
    ways: list[Callable[[str], str]] = [lambda one: _LAST_FIELDS.sub("", one)]
    if language in _QUOTED:
        ways += [lambda one: _STRING.sub(r"'\2'", one), lambda one: _STRING.sub(r'"\2"', one)]
    if language == "python":
        ways += [lambda one: _CLASS.sub(_toggle_bases, one), lambda one: _CLASS_NAME.sub(r"\1[...]", one)]
        ways += [lambda one: _FUNCTION.sub(r"\1 -> $_:", one)]
        ways += [lambda one: _PLAIN_FUNCTION.sub(r"\1async ", one)]
    if language == "go":
        ways += [lambda one: _CONDITION.sub(_toggle_parentheses, one)]
    found = [text]
    for way in ways:
        found += [way(one) for one in found]
    yield from dict.fromkeys(found)


def _toggle_bases(head: re.Match[str]) -> str:
    return f"{head[1]}:" if head[2] else f"{head[1]}(...):"


def _toggle_parentheses(condition: re.Match[str]) -> str:
    keyword, text = condition[1], condition[2]
    if not text or text == "...":
        return condition[0]
    inner = text[1:-1]
    return (
        f"{keyword} {inner} " if text[0] == "(" and text[-1] == ")" and _is_balanced(inner) else f"{keyword} ({text}) "
    )


def _is_balanced(text: str) -> bool:
    """Return whether each parenthesis that is closed was opened before, so that those around a text belong together."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0
