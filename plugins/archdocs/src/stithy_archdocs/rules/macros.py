"""C and C++ before their preprocessor ran: a grammar cannot know what a macro stands for.

`class EXPORTED Foo : Bar {` or `Q_OBJECT` without a semicolon is no C++ until the macro is replaced. So where code
cannot be parsed, what is written as macros are in those places is passed over, as long as that makes more of it parse.
"""

import re
from collections.abc import Callable, Iterable, Sequence

PREPROCESSED = frozenset({"c", "cpp"})
MOST = 24
"""Macros that are tried."""
_ABOVE = 2
_NAME = re.compile(r"\b(?:[A-Z][A-Z0-9_]{2,}|__\w+)\b")
_PARENTHESES = r"(?:[ \t]*\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))?"


def without_macros(
    code: str, wrong: Sequence[int], parsed: Callable[[str], Sequence[int]]
) -> tuple[str, tuple[str, ...]]:
    """Put spaces in the place of macros, so that every line and column stays.

    Args:
        code: The code.
        wrong: The lines, from 1, where it cannot be parsed.
        parsed: Says the same of other code.

    Returns:
        The code, and the names of what was passed over.
    """
    tried: dict[str, bool] = {}
    while wrong and len(tried) < MOST:
        name = next((one for one in _candidates(code, wrong) if one not in tried), None)
        if name is None:
            break
        shorter = _blanked(code, name, _near(code, wrong))
        left = parsed(shorter)
        tried[name] = _less(left, wrong)
        if tried[name]:
            code, wrong = shorter, left
    return code, tuple(name for name, better in tried.items() if better)


def _less(left: Sequence[int], wrong: Sequence[int]) -> bool:
    """Tell whether more can be parsed: there are fewer errors, or as many and the first one comes later."""
    return len(left) < len(wrong) or (len(left) == len(wrong) and min(left) > min(wrong))


def _candidates(code: str, wrong: Iterable[int]) -> list[str]:
    lines = code.split("\n")
    return list(dict.fromkeys(name for at in sorted(_near(code, wrong)) for name in _NAME.findall(lines[at])))


def _near(code: str, wrong: Iterable[int]) -> frozenset[int]:
    """Give the indices of the lines with errors, and of those that say something right above; no directives."""
    lines = code.split("\n")
    found: set[int] = set()
    for number in wrong:
        above = [at for at in range(max(0, number - 6), number - 1) if lines[at].strip()]
        found |= {number - 1, *above[-_ABOVE:]}
    return frozenset(at for at in found if not lines[at].lstrip().startswith("#"))


def _blanked(code: str, name: str, where: frozenset[int]) -> str:
    lines = code.split("\n")
    macro = re.compile(rf"\b{re.escape(name)}\b{_PARENTHESES}")
    for at in where:
        lines[at] = macro.sub(lambda found: " " * len(found[0]), lines[at])
    return "\n".join(lines)
