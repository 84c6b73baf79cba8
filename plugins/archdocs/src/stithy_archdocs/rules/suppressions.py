"""Words in code that let a rule be broken: `stithy: allow RULE -- reason`, in a comment."""

import re

from attrs import frozen

from stithy_archdocs.rules.records import Hit
from stithy_archdocs.rules.trees import Tree

_ALLOW = re.compile(r"\bstithy:[ \t]*allow[ \t]+([^\s,]+(?:[ \t]*,[ \t]*[^\s,]+)*)[ \t]*(?:--[ \t]*(\S[^\n]*))?")
_ENDS = re.compile(r"[ \t]*(?:\*/|-->|-\})[ \t]*$")


@frozen
class Suppression:
    """A comment that names rules. Without a reason it counts for nothing.

    Args:
        rules: The rules.
        reason: Why they may be broken here.
        line: Where it stands.
        next: The first line of code below it.
    """

    rules: tuple[str, ...]
    reason: str
    line: int
    next: int


def suppressions_of(tree: Tree) -> list[Suppression]:
    """Find them; what stands in a string is none."""
    lines = tree.code.split("\n")
    commented = _lines_of_comments(tree)
    found = []
    for first, text in tree.comments:
        for match in _ALLOW.finditer(text):
            line = first + text.count("\n", 0, match.start())
            following = line + 1
            while following <= len(lines) and (following in commented or not lines[following - 1].strip()):
                following += 1
            alone = line in commented
            rules = tuple(name.strip() for name in match[1].split(","))
            found.append(Suppression(rules, _ENDS.sub("", match[2] or "").strip(), line, following if alone else line))
    return found


def _lines_of_comments(tree: Tree) -> frozenset[int]:
    """Give the lines that hold nothing but a comment."""
    lines = tree.code.split("\n")
    return frozenset(
        number
        for first, text in tree.comments
        for number, part in enumerate(text.split("\n"), first)
        if number <= len(lines) and lines[number - 1].strip() == part.strip()
    )


def suppressed(hit: Hit, suppressions: list[Suppression]) -> Suppression | None:
    """Give what lets a hit be: a comment in its first line, or alone above it."""
    return next(
        (one for one in suppressions if one.reason and hit.rule.id in one.rules and hit.line in (one.line, one.next)),
        None,
    )
