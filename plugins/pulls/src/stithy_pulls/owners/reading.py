"""Where the file of code owners is, and what it says."""

from stithy_core.spi import OwnersFile
from stithy_pulls.git.history import objects_at
from stithy_pulls.git.repository import Repository
from stithy_pulls.owners.expressions import read_expressions
from stithy_pulls.owners.globs import read_globs
from stithy_pulls.owners.records import Owners

MOST_BYTES = 3_000_000
"""GitHub does not read a larger one."""


async def read_owners(repository: Repository, file: OwnersFile, commit: str) -> Owners:
    """Read the first file of code owners that is there.

    Args:
        repository: Which has the commit.
        file: Where the forge looks for it, and how it reads it.
        commit: Where it is looked for.
    """
    objects = await objects_at(repository, commit, file.places)
    path = next((place for place in file.places if place in objects), "")
    content = (await repository.blobs([objects[path]])).get(objects[path]) if path else b""
    if content is None:
        return Owners(path, errors=("the file could not be read",))
    if len(content) > MOST_BYTES:
        return Owners(path, errors=(f"it has more than {MOST_BYTES:,} bytes, and counts for nothing",))
    read = read_expressions if file.expressions else read_globs
    return read(path, content.decode(errors="replace"))
