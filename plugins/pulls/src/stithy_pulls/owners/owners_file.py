"""Read the file of code owners, in the form that the forge gives it."""

import anyio.to_thread

from stithy_core.spi import OwnersFile
from stithy_pulls.git.git_repository import GitRepository
from stithy_pulls.git.path_history import list_objects_at
from stithy_pulls.owners.code_owners import CodeOwners, parse_expression_rules, parse_glob_rules
from stithy_pulls.owners.owner_sections import parse_section_rules

MOST_BYTES = 3_000_000
"""GitHub ignores larger files."""


async def read_code_owners(repository: GitRepository, file: OwnersFile, commit: str) -> CodeOwners:
    """Read the first existing file of code owners.

    Args:
        repository: A repository with the commit.
        file: Where the forge looks for the file, and which dialect it has.
        commit: The commit to read it from.
    """
    objects = await list_objects_at(repository, commit, file.places)
    path = next((place for place in file.places if place in objects), "")
    content = (await repository.read_objects([objects[path]])).get(objects[path]) if path else b""
    if content is None:
        return CodeOwners(path, errors=("cannot read the file",))
    if len(content) > MOST_BYTES:
        return CodeOwners(path, errors=(f"the file is larger than {MOST_BYTES:,} bytes and is ignored",))
    read = parse_expression_rules if file.expressions else parse_section_rules if file.sections else parse_glob_rules
    return await anyio.to_thread.run_sync(read, path, content.decode(errors="replace"))
