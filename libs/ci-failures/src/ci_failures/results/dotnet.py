"""What the result files of .NET share: names with their class, and places in stacks."""

import re

from ci_failures.parsers.text_helpers import relative

PLACE = re.compile(r" in (.{1,400}?):(?:line )?(\d{1,7})[ \t\r]*$", re.MULTILINE)


def place(stack: str) -> tuple[str, int | None]:
    """Return file and line of the first frame that has them."""
    found = PLACE.search(stack)
    return (relative(found[1]), int(found[2])) if found else ("", None)


def qualified(of: str, name: str) -> str:
    """Return a name with its class, which some adapters omit."""
    return name if not of or name.startswith(f"{of}.") else f"{of}.{name}"
