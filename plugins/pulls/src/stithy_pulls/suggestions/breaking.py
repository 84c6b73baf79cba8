"""Whether a change breaks its users, as far as commits say it or definitions show it."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.code.touching import Code
from stithy_pulls.diffs.names import role_of
from stithy_pulls.facts.gathering import said_of

MARK = re.compile(r"^[a-z]+(?:\([^)\n]*\))?!: ", re.IGNORECASE)
FOOTER = re.compile(r"^BREAKING[ -]CHANGE: *(.*)", re.MULTILINE)
MOST = 20


@frozen(kw_only=True)
class Breaking:
    """A break.

    Args:
        said_by: commit, where the authors say it, or definition.
        evidence: What they say, or what became of which definition.
        path: Of the definition.
        certain: Whether it is one: a new signature may still fit its callers, and what moved may still be found.
    """

    said_by: str
    evidence: str
    path: str | None = None
    certain: bool


def breaks(messages: Sequence[str], code: Maybe[Code]) -> list[Breaking]:
    """Find all breaks, the certain ones first.

    Args:
        messages: Of the commits, and the pull request's title.
        code: The definitions that are touched.
    """
    found = [*_said(messages), *(_shown(code) if isinstance(code, Code) else ())]
    return sorted(found, key=lambda one: not one.certain)


def verdict(found: Sequence[Breaking], code: Maybe[Code], unread_commits: str) -> Maybe[bool]:
    """Say whether anything breaks: true only where something certainly does, false only where all was looked at.

    Args:
        found: The breaks.
        code: The definitions that are touched.
        unread_commits: Why not all commits were read; empty where they were.
    """
    if any(one.certain for one in found):
        return True
    if found:
        what = f"{len(found)} public definitions changed or moved: whether a caller breaks is not known"
        return Unknown(what, "Look at breaking_changes.")
    if isinstance(code, Unknown):
        return Unknown(f"no commit says so, and definitions were not compared: {code.reason}", code.remedy)
    if code.unread:
        return Unknown(f"no commit says so, and {len(code.unread)} files were not compared", "Look at their diffs.")
    return Unknown(f"not all commits were read: {unread_commits}") if unread_commits else False


def _said(messages: Sequence[str]) -> Iterator[Breaking]:
    for message in messages:
        footer = FOOTER.search(message)
        if footer or MARK.match(message):
            evidence = excerpt(footer[0] if footer else message.partition("\n")[0])
            yield Breaking(said_by="commit", evidence=evidence, certain=True)


def _shown(code: Code) -> Iterator[Breaking]:
    added = {one.symbol.name for one in code.touched if one.what == "added"}
    for one in code.touched:
        if one.breaks and role_of(one.path) == "source":
            moved = one.symbol.name in added
            said = f"{said_of(one)[0]}{', and one of that name is elsewhere' if moved else ''}"
            certain = one.what == "removed" and not moved
            yield Breaking(said_by="definition", evidence=said, path=one.path, certain=certain)
