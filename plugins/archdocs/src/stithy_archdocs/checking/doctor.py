"""What `stithy doctor` says of the documents."""

from collections.abc import Iterable

import anyio.to_thread

from stithy_archdocs.checking.problems import problems
from stithy_archdocs.documents.shelf import Library
from stithy_core.spi import Finding, Scope


async def examine(scope: Scope) -> Iterable[Finding]:
    """Say how many documents there are, and how much is wrong with them."""
    return await anyio.to_thread.run_sync(_examine, scope)


def _examine(scope: Scope) -> list[Finding]:
    shelf = scope.shared(Library).look()
    if not shelf.documents:
        text = "no guidelines, patterns or decision records are here"
        return [Finding("ok", text, "if there are, say where in the table [archdocs]")]
    found = problems(scope, shelf)
    errors = sum(one.severity == "error" for one in found)
    said = f"{len(shelf.documents)} documents, {errors} errors and {len(found) - errors} warnings"
    return [Finding("warning" if found else "ok", said, "stithy archdocs check" if found else "")]
