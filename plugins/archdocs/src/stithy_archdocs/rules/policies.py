"""Policies of imports: which of a file's imports are not allowed, and what is preferred."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from stithy_archdocs.rules.imports import FORMS, Import, imports_of
from stithy_archdocs.rules.records import Hit, Imports, Rule
from stithy_archdocs.rules.trees import Tree

_PARTS = r"(?=[./\\:]|$)"


def hits_of(rule: Rule, policy: Imports, tree: Tree, path: str) -> Iterator[Hit]:
    """Find what breaks a policy.

    Args:
        rule: Whose policy it is.
        policy: What may not be imported.
        tree: The code.
        path: Where the code stands, relative to the project; empty where that is not known, so that relative imports
            are compared as they are written.
    """
    if tree.language not in FORMS:
        return
    for one in imports_of(tree):
        broken = _broken(policy, set(_names(one, tree.language, path)))
        if broken is None:
            continue
        place = one.node.range()
        better = policy.prefer.get(broken) or policy.prefer.get("", "")
        yield Hit(
            rule=rule,
            description=rule.message
            or f"{one.name} must not be imported" + (" here" if rule.files or rule.ignores else ""),
            text=one.node.text(),
            line=place.start.line + 1,
            column=place.start.column + 1,
            last=place.end.line + 1,
            fix=f"import {better} instead of {broken}" if better else "",
        )


def _broken(policy: Imports, names: Iterable[str]) -> str | None:
    """Give what of the policy is broken by an import that may be known by several names."""
    if any(_means(allowed, name) for allowed in policy.allow for name in names):
        return None
    return next((banned for banned in policy.disallow for name in names if _means(banned, name)), None)


def _means(pattern: str, name: str) -> bool:
    return bool(_expression(pattern).match(name))


@lru_cache(maxsize=1_024)
def _expression(pattern: str) -> re.Pattern[str]:
    """Make `a.b` mean itself and all below it; `*` is any text, and a pattern that ends with `.` or `/` all below."""
    inner = re.escape(pattern.rstrip("./:\\") or pattern).replace(r"\*", ".*")
    return re.compile(inner + _PARTS, re.DOTALL)


def _names(one: Import, language: str, path: str) -> Iterator[str]:
    """Give an import's name, and what a relative one means in this project."""
    yield one.name
    if not path or not one.name.startswith("."):
        return
    if language == "python":
        yield from _absolute(one.name, path)
    elif one.name.startswith(("./", "../")):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(path), one.name))


def _absolute(name: str, path: str) -> Iterator[str]:
    """Give what a relative import of Python can mean: which folder is the root of packages is not known.

    A single word would be taken for a top-level module, so it is none.
    """
    rest = name.lstrip(".")
    parts = path.split("/")[: -(len(name) - len(rest))]
    whole = [*parts, *rest.split(".")]
    for start in range(len(whole) - 1):
        yield ".".join(whole[start:])
