"""Collect the problems of all documents in a stable order."""

import datetime as dt
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import cast

from stithy_archdocs.checking.cross_document_checks import find_problems_between
from stithy_archdocs.document_models import DocumentProblem, DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_core.spi import Scope

EXAMINERS: tuple[str, ...] = (
    "stithy_archdocs.rules.rulebook:find_rule_problems",
    "stithy_archdocs.prompts.prompt_checks:find_prompt_problems",
)
"""Functions of other packages that find problems: `(scope, snapshot)` to `DocumentProblem` records."""


def collect_problems(scope: Scope, snapshot: DocumentSnapshot) -> list[DocumentProblem]:
    """Return all problems, sorted by path, line and rule."""
    library = scope.shared(Library)
    today = dt.datetime.now(tz=dt.UTC).date()
    found = [*snapshot.left_out, *find_problems_between(snapshot, library.root, today)]
    found += [problem for document in snapshot.documents.values() for problem in document.problems]
    found += [problem for name in EXAMINERS for problem in _load_examiner(name)(scope, snapshot)]
    return sorted(set(found), key=lambda one: (one.path, one.line or 0, one.rule, one.message))


def _load_examiner(name: str) -> Callable[[Scope, DocumentSnapshot], Iterable[DocumentProblem]]:
    module, _, function = name.partition(":")
    return cast(
        "Callable[[Scope, DocumentSnapshot], Iterable[DocumentProblem]]", getattr(import_module(module), function)
    )
