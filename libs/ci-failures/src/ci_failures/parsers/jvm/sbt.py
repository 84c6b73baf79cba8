"""sbt's own additions to the output of test frameworks: levels before lines, and the list of failed classes."""

from ci_failures.model import Line

LEVELS = ("[info] ", "[error] ", "[warn] ")
HEADINGS = ("Failed tests:", "Error during tests:")
MOST_CLASSES = 10_000


def level_of(text: str) -> str:
    """Return the level that sbt added to a line; empty for none. Some runners print the time before it."""
    at = text.find("[", 0, 40)
    while 0 <= at < 40:  # noqa: PLR2004 -- a time has fewer characters
        for level in LEVELS:
            if text.startswith(level, at):
                return text[: at + len(level)]
        at = text.find("[", at + 1, 40)
    return ""


class FailedClasses:
    """The list of classes in which tests failed, with their packages.

    Attributes:
        listing: Whether the line before belonged to the list.
        names: The classes.
    """

    def __init__(self) -> None:
        self.listing = False
        self.names: list[str] = []

    def read(self, line: Line) -> bool:
        """Read a line, and return whether it belongs to the list."""
        if not self.listing and not line.text.endswith(HEADINGS):
            return False
        level = level_of(line.text)
        bare = line.text[len(level) :]
        if level.endswith("[error] ") and bare.startswith(HEADINGS):
            self.listing = True
            return True
        self.listing = self.listing and level.endswith("[error] ") and bare.startswith("\t")
        if self.listing and len(self.names) < MOST_CLASSES:
            self.names.append(bare.strip())
        return self.listing

    def whole(self, of: str) -> str:
        """Return a class with its package, if exactly one class of the list has its name."""
        found = [name for name in dict.fromkeys(self.names) if name == of or name.endswith(f".{of}")]
        return found[0] if len(found) == 1 else of

    def knows(self, of: str) -> bool:
        """Check whether a class is in the list; without a list, all are."""
        return not self.names or of in self.names
