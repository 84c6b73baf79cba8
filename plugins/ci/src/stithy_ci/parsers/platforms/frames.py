"""What the parsers of .NET share: places in stacks, and names."""

import re

from stithy_ci.parsers.common import relative

FRAME = re.compile(r"^\s*at (.{1,600}?)(?:\(.{0,600}\))? in (.{1,400}?):(?:line )?(\d{1,7})\s*$")
REVERSED = re.compile(r"^\s*(\S.{0,400}?)\((\d{1,7}),\d{1,7}\): at (.{1,600})$")
BUILT = "/_/"
"""What stands in the place of the repository where builds are deterministic, in those of libraries, too."""


def frame(text: str) -> tuple[str, str, int] | None:
    """Give method, file and line of a frame that lies in the repository; None for any other line."""
    if found := FRAME.match(text):
        method, path, line = found[1], found[2], found[3]
    elif found := REVERSED.match(text):
        method, path, line = found[3].partition("(")[0], found[1], found[2]
    else:
        return None
    file = relative(path).removeprefix(BUILT)
    return None if file.startswith(("/", "..")) or file[1:3] in {":\\", ":/"} else (method, file, int(line))


def full_name(name: str, method: str) -> str:
    """Give a test's name with its class: adapters of NUnit and MSTest print the method alone."""
    bare = name.partition("(")[0]
    return method + name[len(bare) :] if "." not in bare and method.endswith(f".{bare}") else name
