"""Inspection of a kind's names: what cannot work is found without a server."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from stithy_core.spi import ForgeNames, NamedPlace, RepositoryRef, Segments
from stithy_core.spi.overrides import OverrideFault

_MARK = re.compile(r"[!#$&*+~^]")


def find_name_faults(names: ForgeNames) -> Iterator[OverrideFault]:
    """Iterate over what of a kind's names cannot work: each fault has its cause and its remedy.

    Args:
        names: The `names` of a `ForgeKind`.
    """
    owner = type(names).__name__
    if not _MARK.fullmatch(names.mark):
        yield OverrideFault(f"{owner}.mark is {names.mark!r}", "write one of the characters ! # $ & * + ~ ^")
    repository = names.parse_name(tuple(names.form.split("/")))
    if repository is None or str(repository) != names.form:
        cause = f"{owner}.form {names.form!r} is parsed by {owner}.parse_name as {_show(repository)}"
        yield OverrideFault(cause, "write the name of a repository that parse_name accepts")
        return
    path = names.format_repository_path(repository)
    yield from _check_path(names, "repository", path, NamedPlace(repository=repository))
    path = names.format_pull_request_path(names.create_pull_request_ref(repository, 7))
    yield from _check_path(names, "pull_request", path, NamedPlace(repository=repository, pull_request=7))


def _check_path(names: ForgeNames, what: str, path: str, expected: NamedPlace) -> Iterator[OverrideFault]:
    """Check that a formatted path is parsed as what it was formatted from."""
    segments: Segments = tuple(map(unquote, path.split("/")))
    found = names.parse_path(segments)
    if found != expected:
        owner = type(names).__name__
        cause = f"{owner}.format_{what}_path writes {path!r}, and {owner}.parse_path parses it as {found}"
        yield OverrideFault(cause, f"change both so that parse_path reads what format_{what}_path writes")


def _show(repository: RepositoryRef | None) -> str:
    return "no name" if repository is None else repr(str(repository))
