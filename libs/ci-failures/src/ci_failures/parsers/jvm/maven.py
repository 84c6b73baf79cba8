"""The prefix of Maven's lines: a level, and on some machines the time before it.

GitHub's pages show `[ERROR] text` as `Error:  text`, and logs are copied from there. Its runner adds `##[error]` to
lines that a problem matcher recognizes, as that of javac's errors.
"""

ERRORS = ("[ERROR] ", "##[error] ", "##[error]", "Error:  ")
PRINTED = ("[ERROR] ", "[WARNING] ", "[INFO] ", "##[error] ", "##[warning] ", "##[error]", "##[warning]")
PLAIN = PRINTED[:3]
SHOWN = ("Error:  ", "Warning:  ")
WITHIN = 48
"""Characters within which the level is."""


def parted_level(text: str) -> tuple[str, str]:
    """Split a line into its level and the text behind it; an empty level for a line without one."""
    at = text.find("[", 0, WITHIN)
    if at == 0 and text.startswith(PLAIN) and text.find("[", 1, WITHIN + 3) < 0:  # most lines with a level
        end = text.index(" ") + 1
        return text[:end], text[end:]
    for level in SHOWN if text[:1] in {"E", "W"} else ():
        if text.startswith(level):
            return level, text[len(level) :]
    for level in PRINTED if at >= 0 else ():
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
