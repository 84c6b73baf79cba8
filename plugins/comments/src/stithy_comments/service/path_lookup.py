"""Resolve a path to its forge and to the pull request or issue on it."""

import re
from collections.abc import Mapping

from stithy_core.spi import Context, Forge, InvalidArguments, IssueRef, NotFound, RepositoryRef

ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
NAME = re.compile(r"[A-Za-z0-9._-]{1,100}")
NUMBER = re.compile(r"[1-9][0-9]{0,9}")
GITHUB = "github"
"""The alias of the forge for `/repos/…`; without a forge of this alias, github.com."""


async def resolve_path(ctx: Context, parameters: Mapping[str, str]) -> tuple[Forge, IssueRef]:
    """Return the forge and the reference that a path names; each part is checked before any request to the forge.

    Raises:
        InvalidArguments: A part of the path is invalid.
        NotFound: No forge has that alias.
        Refused: The settings do not allow the repository.
    """
    owner, repo = (_check_part(parameters, part, NAME) for part in ("owner", "repo"))
    number = int(_check_part(parameters, "number", NUMBER))
    alias = _check_part(parameters, "alias", ALIAS) if "alias" in parameters else ""
    try:
        forge, repository = await _repository(ctx, alias, f"{owner}/{repo}")
    except InvalidArguments as error:
        raise NotFound(error.message, suggestion=error.suggestion) from error
    return forge, IssueRef(repository, number)


async def _repository(ctx: Context, alias: str, name: str) -> tuple[Forge, RepositoryRef]:
    try:
        return await ctx.repository(f"{alias or GITHUB}:{name}")
    except InvalidArguments:
        if alias:
            raise
        return await ctx.repository(f"https://github.com/{name}")  # no forge has the alias github


def _check_part(parameters: Mapping[str, str], part: str, form: re.Pattern[str]) -> str:
    given = parameters[part]
    if form.fullmatch(given) and given not in (".", ".."):
        return given
    row = {"path": part, "given": given[:80], "allowed": form.pattern}
    remedy = f"Correct {part} in the path."
    message = f"invalid {part} {given[:80]!r}; expected {form.pattern}"
    raise InvalidArguments(message, suggestion=remedy, details={"errors": [row]})
