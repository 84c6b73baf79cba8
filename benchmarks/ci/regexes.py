"""The regular expressions for logs, on lines built from their own parts, which make them backtrack the most.

Run: python benchmarks/ci/regexes.py. It prints those that take more than a millisecond for a line; none should.
Expressions that the code only matches at the start of a line are not searched with.
"""

import re
import re._constants as sre  # type: ignore[import-not-found]
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
CATEGORIES = {sre.CATEGORY_DIGIT: "1", sre.CATEGORY_SPACE: " ", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_WORD: "-"}


def iterate_patterns() -> Iterator[tuple[str, re.Pattern[Any], bool]]:
    """Iterate over the name and the pattern of each expression, and whether the code searches with it."""
    roots = (ci_failures.logs, ci_failures.parsers)
    for found in (one for root in roots for one in walk_packages(root.__path__, f"{root.__name__}.")):
        module = import_module(found.name)
        source = Path(module.__file__ or "").read_text(encoding="utf-8")
        for name, value in vars(module).items():
            for one in value if isinstance(value, (tuple, list)) else [value]:
                for pattern in (one, getattr(one, "form", None), getattr(one, "follows", None)):
                    used = {use for use in USES if f"{name}.{use}(" in source}
                    if isinstance(pattern, re.Pattern) and (used or pattern is not one):
                        of_class = isinstance(one, type)  # parsers match with theirs, signs search
                        searched = bool(used - {"match", "fullmatch"}) if pattern is one else not of_class
                        yield f"{found.name}.{name}", pattern, searched


def build_match(tree: Iterable[tuple[Any, Any]]) -> str:
    """Return a text that a part of an expression matches."""
    return "".join(_build_part(kind, value) for kind, value in tree)


def _build_part(kind: Any, value: Any) -> str:
    if kind is sre.LITERAL:
        return chr(value)
    if kind is sre.IN:
        return list_members(value)[0]
    if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}:
        return build_match(value[2]) * int(value[0])
    if kind is sre.SUBPATTERN:
        return build_match(value[3])
    if kind is sre.BRANCH:
        return build_match(value[1][0])
    return "x" if kind in {sre.ANY, sre.NOT_LITERAL} else ""


def list_members(items: list[tuple[Any, Any]]) -> list[str]:
    """Return some characters of a character class."""
    chosen = re.compile("[a1 .:/_(x-]") if items[0][0] is sre.NEGATE else None
    if chosen:
        excluded = {chr(value) for kind, value in items if kind is sre.LITERAL}
        return [one for one in "xa1.:/_(-" if one not in excluded] or ["\x7f"]
    found = [
        chr(value) if kind is sre.LITERAL else chr(value[0]) if kind is sre.RANGE else CATEGORIES.get(value, "x")
        for kind, value in items
    ]
    return found[:4]


def iterate_attacks(tree: Iterable[tuple[Any, Any]], before: str = "") -> Iterator[tuple[str, str]]:
    """Iterate over the repeated parts of an expression: a text for what precedes the part, and a text to repeat."""
    for kind, value in tree:
        if kind in {sre.MAX_REPEAT, sre.MIN_REPEAT}:
            single = [list_members(inner) for one, inner in value[2] if one is sre.IN]
            pumps = {build_match(value[2]), " ", *(one for some in single for one in some)}
            yield from ((before, pump) for pump in pumps)
            yield from iterate_attacks(value[2], before)
        for branch in _list_branches(kind, value):
            yield from iterate_attacks(branch, before)
        before += build_match([(kind, value)])


def _list_branches(kind: Any, value: Any) -> Iterable[Iterable[tuple[Any, Any]]]:
    if kind is sre.BRANCH:
        return list(value[1])
    return [value[3]] if kind is sre.SUBPATTERN else []


def build_lines(pattern: re.Pattern[Any]) -> list[str]:
    """Return lines that make an expression backtrack."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    attacks = {pair for pair in iterate_attacks(tree) if pair[1]}
    pumps = sorted({pump for _, pump in attacks} | {build_match(tree) or "x"})
    lines = {
        (before + (one + other) * LONGEST)[: LONGEST - 1] + "\x01" for before, one in attacks for other in ("", *pumps)
    }
    return sorted(lines)[:: max(1, len(lines) // MOST)]


def measure_slowest(pattern: re.Pattern[Any], *, searched: bool) -> float:
    """Return the CPU seconds that the slowest line takes."""
    worst = 0.0
    for text in build_lines(pattern):
        line = text.encode() if isinstance(pattern.pattern, bytes) else text
        began = time.process_time()
        (pattern.search if searched else pattern.match)(line)
        worst = max(worst, time.process_time() - began)
        if worst > 100 * SLOW:
            break
    return worst


def main() -> None:
    """Measure all expressions, and print the slow ones."""
    every = list(iterate_patterns())
    times = [(measure_slowest(pattern, searched=searched), name, pattern.pattern) for name, pattern, searched in every]
    for seconds, name, text in sorted(times, reverse=True):
        if seconds > SLOW:
            print(f"{seconds * 1000:8.1f} ms {name.removeprefix('ci_failures.parsers.'):40} {text[:100]!r}")
    print(f"{len(every)} regular expressions, {sum(one[0] > SLOW for one in times)} slow")


if __name__ == "__main__":
    main()
