"""What sbt itself adds to what test frameworks print: levels before lines, and the classes in which tests failed."""

from ci_failures.model import Line

LEVELS = ("[info] ", "[error] ", "[warn] ")
HEADINGS = ("Failed tests:", "Error during tests:")
MOST_CLASSES = 10_000


def level_of(text: str) -> str:
    """Give the level that sbt put before a line; empty for none. Some put the time before it."""
    at = text.find("[", 0, 40)
    while 0 <= at < 40:  # noqa: PLR2004 -- a time has fewer characters
        for level in LEVELS:
            if text.startswith(level, at):
                return text[: at + len(level)]
        at = text.find("[", at + 1, 40)
    return ""


class FailedClasses:
    """Reads the list of classes in which tests failed, with their packages.

    Attributes:
        listing: Whether the line before was of it.
        names: The classes.
    """

    def __init__(self) -> None:
        self.listing = False
        self.names: list[str] = []

    def read(self, line: Line) -> bool:
        """Take a line, and say whether it is of the list."""
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
        """Give a class with its package, where just one of the list has its name."""
        found = [name for name in dict.fromkeys(self.names) if name == of or name.endswith(f".{of}")]
        return found[0] if len(found) == 1 else of

    def knows(self, of: str) -> bool:
        """Say whether a class is of the list; without a list all are."""
        return not self.names or of in self.names
