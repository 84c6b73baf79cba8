"""What Maven puts before lines: a level, and on some machines the time before it.

GitHub's pages show `[ERROR] text` as `Error:  text`, and logs are copied from there. Its runner puts `##[error]` before
lines that a problem matcher knows, as that of javac's errors.
"""

ERRORS = ("[ERROR] ", "##[error] ", "##[error]", "Error:  ")
PRINTED = ("[ERROR] ", "[WARNING] ", "[INFO] ", "##[error] ", "##[warning] ", "##[error]", "##[warning]")
SHOWN = ("Error:  ", "Warning:  ")
WITHIN = 48
"""Characters in which a level stands."""


def parted_level(text: str) -> tuple[str, str]:
    """Give the level and what stands behind it; an empty level where there is none."""
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
    """Give what stands behind the level; the text itself where there is none."""
    return parted_level(text)[1]


def is_error(level: str) -> bool:
    """Say whether a level is that of errors."""
    return level in ERRORS
