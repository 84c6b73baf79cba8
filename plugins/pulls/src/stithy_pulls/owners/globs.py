"""Code owners as GitHub reads them (docs/forge-behaviour/github.md#code)."""

import re
from collections.abc import Iterator

from stithy_pulls.diffs.globs import parse_glob
from stithy_pulls.owners.records import CodeOwners, OwnerRule

WORD = re.compile(r"(?:\\.|[^\s\\])+")
OWNER = re.compile(r"@[\w.-]+(?:/[\w.-]+)?|[^\s@]+@[^\s@]+")
COMMENT = re.compile(r"(?:^|\s)#.*")


def parse_glob_rules(path: str, text: str) -> CodeOwners:
    """Read the lines, each for itself: one that is wrong leaves the others as they are.

    Args:
        path: Where the file is.
        text: What it says.
    """
    rules, errors = [], []
    for number, line in enumerate(text.split("\n"), 1):
        words = WORD.findall(COMMENT.sub("", line))
        if not words:
            continue
        wrong = next(_faults(words), "")
        if wrong:
            errors.append(f"line {number}: {wrong}")
        else:
            rules.append(OwnerRule(number, parse_glob(words[0]), tuple(word.removeprefix("@") for word in words[1:])))
    return CodeOwners(path, tuple(rules), tuple(errors))


def _faults(words: list[str]) -> Iterator[str]:
    if words[0].startswith("!"):
        yield "patterns cannot be negated"
    if words[0].startswith("\\#"):
        yield "a pattern cannot begin with #"
    for word in words[1:]:
        if not OWNER.fullmatch(word):
            yield f"{word[:80]} is no owner"
