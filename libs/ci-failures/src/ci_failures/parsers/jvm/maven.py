"""The prefix of Maven's lines: a level, and on some machines the time before it.

GitHub's pages show `[ERROR] text` as `Error:  text`, and logs are copied from there. Its runner adds `##[error]` to
lines that a problem matcher recognizes, as that of javac's errors.
"""

ERRORS = ("[ERROR] ", "##[error] ", "##[error]", "Error:  ")
PRINTED = ("[ERROR] ", "[WARNING] ", "[INFO] ", "##[error] ", "##[warning] ", "##[error]", "##[warning]")
SHOWN = ("Error:  ", "Warning:  ")
WITHIN = 48
"""Characters within which the level is."""


def parted_level(text: str) -> tuple[str, str]:
    """Split a line into its level and the text behind it; an empty level for a line without one."""
    for level in SHOWN:
        if text.startswith(level):
            return level, text[len(level) :]
    if "[" in text[:WITHIN]:
        for level in PRINTED:
            at = text.find(level, 0, WITHIN + len(level))
            if at >= 0:
                return level, text[at + len(level) :]
    return "", text


def without_level(text: str) -> str:
    """Return the text behind the level; the text itself for a line without one."""
    return parted_level(text)[1]


def is_error(level: str) -> bool:
    """Check whether a level is that of errors."""
    return level in ERRORS
