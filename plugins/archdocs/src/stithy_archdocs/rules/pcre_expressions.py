"""Translate the regular expressions of semgrep, which are those of PCRE, for Python's `re`."""

import re

from stithy_archdocs.rules.project_rules import compile_expression
from stithy_archdocs.rules.rule_values import InvalidRule
from stithy_archdocs.rules.syntax_trees import NotCheckable

_POSIX = re.compile(r"\[:\^?\w+:\]")
_NAMED = re.compile(r"\(\?<(?=[A-Za-z_])")
_FLAGS = re.compile(r"\(\?([imsx]+)\)")
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?[imsx]+\)|.", re.DOTALL)


def translate_expression(text: str) -> str:
    """Return an expression for Python's `re` that means what it does to semgrep, whose classes are those of ASCII.

    Raises:
        InvalidRule: It has another meaning there.
    """
    if _POSIX.search(text):
        raise InvalidRule(f"POSIX classes have no counterpart in Python's expressions: {text[:60]!r}")
    text = _NAMED.sub("(?P<", text)
    flags = _FLAGS.match(text)
    rest = _scope_flags(text[flags.end() :] if flags else text)
    translated = f"(?a{flags[1] if flags else ''}){rest}"
    try:
        compile_expression(translated)
    except NotCheckable as error:
        raise InvalidRule(str(error)) from error
    return translated


def _scope_flags(text: str) -> str:
    """Return an expression without flags of their own: they hold to the end of their group, also for its alternatives.

    `(a(?i)b|c)` becomes `(a(?i:b)|(?i:c))`.
    """
    for found in reversed([one for one in _TOKEN.finditer(text) if _FLAGS.fullmatch(one[0])]):
        parts, end = _split_alternatives(text, found.end())
        scoped = "|".join(f"{found[0][:-1]}:{part})" for part in parts)
        text = text[: found.start()] + scoped + text[end:]
    return text


def _split_alternatives(text: str, start: int) -> tuple[list[str], int]:
    """Return the alternatives from an index to the end of the group around it, and the index of that end."""
    parts, depth = [""], 0
    for found in _TOKEN.finditer(text, start):
        depth += (found[0] == "(") - (found[0] == ")")
        if depth < 0:
            return parts, found.start()
        if found[0] == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += found[0]
    return parts, len(text)
