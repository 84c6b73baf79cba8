"""Code owners in sections, as GitLab reads them: https://docs.gitlab.com/user/project/codeowners/reference/.

The last line that matches counts within each section, and the sections add up. Comments are whole lines: an account
that is named behind a `#` is an owner.
"""

import re

from attrs import evolve

from stithy_pulls.diffs.path_patterns import parse_anywhere_glob
from stithy_pulls.owners.code_owners import WORD, CodeOwners, OwnerRule, OwnerSection

HEADING = re.compile(r"(?P<optional>\^?)\[(?P<name>[^\]]+)\](?:\[(?P<count>\d{1,3})\])?(?:\s+(?P<owners>.*))?")
OWNER = re.compile(r"@@\w+|@[\w.-]+(?:/[\w.-]+)*|[^\s@]+@[^\s@]+")
"""A role, an account or group, or a mail address."""


def parse_section_rules(path: str, text: str) -> CodeOwners:
    """Parse a file with sections.

    Args:
        path: The path of the file.
        text: Its content.
    """
    sections: dict[str, OwnerSection] = {}
    rules: list[OwnerRule] = []
    errors: list[str] = []
    key = ""
    defaults: tuple[str, ...] = ()
    for number, line in enumerate(map(str.strip, text.split("\n")), 1):
        if not line or line.startswith("#"):
            continue
        if (heading := HEADING.fullmatch(line)) is not None:
            key, defaults = heading["name"].strip().lower(), _list_owners(heading["owners"] or "")
            sections[key] = _merge_heading(sections.get(key), heading)
        elif words := WORD.findall(line.removeprefix("!")):
            owners = () if line.startswith("!") else _list_owners(" ".join(words[1:])) or defaults
            fit = parse_anywhere_glob(words[0])
            rules.append(OwnerRule(number, fit, owners, section=key, excludes=line.startswith("!")))
        else:
            errors.append(f"line {number}: missing pattern")
    return CodeOwners(path, tuple(rules), tuple(errors), sections=sections)


def _merge_heading(known: OwnerSection | None, heading: re.Match[str]) -> OwnerSection:
    """Combine sections of one name: it is optional only if all are, and the largest number of approvals counts."""
    optional, approvals = bool(heading["optional"]), int(heading["count"] or 1)
    if known is None:
        return OwnerSection(heading["name"].strip(), optional=optional, approvals=approvals)
    return evolve(known, optional=known.optional and optional, approvals=max(known.approvals, approvals))


def _list_owners(text: str) -> tuple[str, ...]:
    """Return the owners of a line; a role keeps its signs, since no account has such a name."""
    found = [word for word in text.split() if OWNER.fullmatch(word)]
    return tuple(word if word.startswith("@@") else word.removeprefix("@") for word in found)
