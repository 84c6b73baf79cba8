"""The regular expressions for logs on lines that are made of their own parts, so that they go back as far as they can.

Run: python benchmarks/ci/regexes.py. It tells those that take more than a millisecond for a line; there should be none.
Those that are only used where they begin are not searched with.
"""

import re
import re._constants as what  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import time
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import ci_failures.logs
import ci_failures.parsers
from ci_failures.logs.cleaning import LONGEST

SLOW = 0.001
MOST = 100
USES = ("match", "fullmatch", "search", "sub", "findall", "finditer", "split")
CATEGORIES = {what.CATEGORY_DIGIT: "1", what.CATEGORY_SPACE: " ", what.CATEGORY_WORD: "a", what.CATEGORY_NOT_WORD: "-"}


def patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """Return each by its name, and whether it is searched with."""
    roots = (ci_failures.logs, ci_failures.parsers)
    for found in (one for root in roots for one in walk_packages(root.__path__, f"{root.__name__}.")):
        module = import_module(found.name)
        source = Path(module.__file__ or "").read_text(encoding="utf-8")
        for name, value in vars(module).items():
            for one in value if isinstance(value, (tuple, list)) else [value]:
                for pattern in (one, getattr(one, "form", None), getattr(one, "follows", None)):
                    used = {use for use in USES if f"{name}.{use}(" in source}
                    if isinstance(pattern, re.Pattern) and (used or pattern is not one):
                        yield f"{found.name}.{name}", pattern, bool(used - {"match", "fullmatch"}) or not used


def sample(tree: Iterable[tuple[Any, Any]]) -> str:
    """Return a text that a part of an expression matches."""
    return "".join(_sample_part(kind, value) for kind, value in tree)


def _sample_part(kind: Any, value: Any) -> str:
    if kind is what.LITERAL:
        return chr(value)
    if kind is what.IN:
        return members(value)[0]
    if kind in {what.MAX_REPEAT, what.MIN_REPEAT, what.POSSESSIVE_REPEAT}:
        return sample(value[2]) * int(value[0])
    if kind is what.SUBPATTERN:
        return sample(value[3])
    if kind is what.BRANCH:
        return sample(value[1][0])
    return "x" if kind in {what.ANY, what.NOT_LITERAL} else ""


def members(items: list[tuple[Any, Any]]) -> list[str]:
    """Return some characters of a class."""
    chosen = re.compile("[a1 .:/_(x-]") if items[0][0] is what.NEGATE else None
    if chosen:
        excluded = {chr(value) for kind, value in items if kind is what.LITERAL}
        return [one for one in "xa1.:/_(-" if one not in excluded] or ["\x7f"]
    found = [
        chr(value) if kind is what.LITERAL else chr(value[0]) if kind is what.RANGE else CATEGORIES.get(value, "x")
        for kind, value in items
    ]
    return found[:4]


def attacks(tree: Iterable[tuple[Any, Any]], before: str = "") -> Iterator[tuple[str, str]]:
    """Return what stands before each part that is repeated, and what it repeats."""
    for kind, value in tree:
        if kind in {what.MAX_REPEAT, what.MIN_REPEAT}:
            single = [members(inner) for one, inner in value[2] if one is what.IN]
            yield from ((before, pump) for pump in {sample(value[2]), " ", *(one for some in single for one in some)})
            yield from attacks(value[2], before)
        for branch in _inside(kind, value):
            yield from attacks(branch, before)
        before += sample([(kind, value)])


def _inside(kind: Any, value: Any) -> Iterable[Iterable[tuple[Any, Any]]]:
    if kind is what.BRANCH:
        return list(value[1])
    return [value[3]] if kind is what.SUBPATTERN else []


def lines(pattern: re.Pattern[Any]) -> list[str]:
    """Return lines for one of them."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    found = {pair for pair in attacks(tree) if pair[1]}
    pumps = sorted({pump for _, pump in found} | {sample(tree) or "x"})
    made = {
        (before + (one + other) * LONGEST)[: LONGEST - 1] + "\x01" for before, one in found for other in ("", *pumps)
    }
    return sorted(made)[:: max(1, len(made) // MOST)]


def slowest(pattern: re.Pattern[Any], *, searched: bool) -> float:
    """Return the seconds that the worst line takes."""
    worst = 0.0
    for text in lines(pattern):
        line = text.encode() if isinstance(pattern.pattern, bytes) else text
        began = time.process_time()
        (pattern.search if searched else pattern.match)(line)
        worst = max(worst, time.process_time() - began)
        if worst > 100 * SLOW:
            break
    return worst


def main() -> None:
    """Try all of them."""
    every = list(patterns())
    slow = [(slowest(pattern, searched=searched), name, pattern.pattern) for name, pattern, searched in every]
    for seconds, name, text in sorted(slow, reverse=True):
        if seconds > SLOW:
            print(f"{seconds * 1000:8.1f} ms {name.removeprefix('ci_failures.parsers.'):40} {text[:100]!r}")
    print(f"{len(every)} regular expressions, {sum(one[0] > SLOW for one in slow)} slow")


if __name__ == "__main__":
    main()
