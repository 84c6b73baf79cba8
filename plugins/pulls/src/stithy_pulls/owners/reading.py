"""Where the file of code owners is, and what it says."""

from stithy_core.spi import OwnersFile
from stithy_pulls.git.history import list_objects_at
from stithy_pulls.git.repository import GitRepository
from stithy_pulls.owners.expressions import parse_expression_rules
from stithy_pulls.owners.globs import parse_glob_rules
from stithy_pulls.owners.records import CodeOwners

MOST_BYTES = 3_000_000
"""GitHub does not read a larger one."""


async def read_code_owners(repository: GitRepository, file: OwnersFile, commit: str) -> CodeOwners:
    """Read the first file of code owners that is there.

    Args:
        repository: Which has the commit.
        file: Where the forge looks for it, and how it reads it.
        commit: Where it is looked for.
    """
    objects = await list_objects_at(repository, commit, file.places)
    path = next((place for place in file.places if place in objects), "")
    content = (await repository.read_objects([objects[path]])).get(objects[path]) if path else b""
    if content is None:
        return CodeOwners(path, errors=("the file could not be read",))
    if len(content) > MOST_BYTES:
        return CodeOwners(path, errors=(f"it has more than {MOST_BYTES:,} bytes, and counts for nothing",))
    read = parse_expression_rules if file.expressions else parse_glob_rules
    return read(path, content.decode(errors="replace"))
