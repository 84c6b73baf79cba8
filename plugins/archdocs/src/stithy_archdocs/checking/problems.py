"""All problems, in one order: the same documents give the same list."""

import datetime as dt
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import cast

from stithy_archdocs.checking.between import examine
from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.records import Problem, Shelf
from stithy_core.spi import Scope

EXAMINERS: tuple[str, ...] = (
    "stithy_archdocs.rules.rulebook:problems_of",
    "stithy_archdocs.prompts.checking:problems_of",
)
"""Functions of other rooms that find problems too: `(scope, shelf)` to `Problem` records."""


def problems(scope: Scope, shelf: Shelf) -> list[Problem]:
    """Give everything that is wrong, by path, line and rule."""
    library = scope.shared(Library)
    today = dt.datetime.now(tz=dt.UTC).date()
    found = [*shelf.left_out, *examine(shelf, library.root, today)]
    found += [problem for document in shelf.documents.values() for problem in document.problems]
    found += [problem for name in EXAMINERS for problem in _examiner(name)(scope, shelf)]
    return sorted(set(found), key=lambda one: (one.path, one.line or 0, one.rule, one.message))


def _examiner(name: str) -> Callable[[Scope, Shelf], Iterable[Problem]]:
    module, _, function = name.partition(":")
    return cast("Callable[[Scope, Shelf], Iterable[Problem]]", getattr(import_module(module), function))
