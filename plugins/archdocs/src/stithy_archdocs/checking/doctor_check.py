"""The check of the documents in `stithy doctor`."""

from collections.abc import Iterable

import anyio.to_thread

from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.checking.problem_collection import collect_problems
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.word_vectors import find_weights
from stithy_core.spi import Finding, Scope


async def check_documents(scope: Scope) -> Iterable[Finding]:
    """Report the number of documents and of their problems, and whether word vectors are missing."""
    return await anyio.to_thread.run_sync(_check_documents, scope)


def _check_documents(scope: Scope) -> list[Finding]:
    return [*_count_documents(scope), *_check_vectors(scope)]


def _check_vectors(scope: Scope) -> list[Finding]:
    if not scope.settings(ArchdocsSettings).vectors:
        return []
    if find_weights() is None:
        text = "the setting 'vectors' is on, and word vectors are not installed: documents cannot be searched"
        return [Finding("error", text, 'pip install "stithy[vectors]", or remove the setting')]
    return [Finding("ok", "documents are found by the meaning of words, too")]


def _count_documents(scope: Scope) -> list[Finding]:
    snapshot = scope.shared(Library).refresh()
    if not snapshot.documents:
        text = "the project has no guidelines, patterns or decision records"
        return [Finding("ok", text, "if it has, set their location in the table [archdocs]")]
    found = collect_problems(scope, snapshot)
    errors = sum(one.severity == "error" for one in found)
    said = f"{len(snapshot.documents)} documents, {errors} errors and {len(found) - errors} warnings"
    return [Finding("warning" if found else "ok", said, "stithy archdocs check" if found else "")]
