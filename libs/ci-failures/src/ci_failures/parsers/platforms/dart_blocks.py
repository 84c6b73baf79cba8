"""The block of one failed test of Dart or Flutter: its own lines, and the boxes of Flutter's framework."""

import re

from attrs import define, field

from ci_failures.model import Failure
from ci_failures.parsers.text_helpers import join_message, relative

SUITE = re.compile(r"^(?:\[[\w ,]{1,40}\] )?((?:\S{0,400}/)?\S{1,200}\.dart): (.+)$")
LOADING = re.compile(r"^(?:\[[\w ,]{1,40}\] )?loading (\S{1,400}\.dart)$")
FRAME = re.compile(r"^\s*(?:#\d+ .{1,300}\()?(?:file://)?(\S{1,400}?\.dart)(?: |:)(\d{1,7}):\d{1,7}\)?(?:\s|$)")
CAUGHT = re.compile(r"^\s*(?:file://)?(\S{1,400}_test\.dart) line (\d{1,7})$")
COMPILED = re.compile(r"(?:^|\s)(\S{1,400}\.dart):(\d{1,7}):\d{1,7}: Error: (.*)$")
AGAIN = re.compile(r"^\s*(?:Test failed\. See exception logs above\.|The test description was: .*|)$")
STACK = ("When the exception was thrown, this was the stack", "This was caught by the test expectation")
FOREIGN = ("package:", "dart:", "/", "org-dartlang")
FLUTTER = "flutter\t"
"""Prefix of the selector of a test that only Flutter's own command runs."""
ABSOLUTE = re.compile(r"^(?:/|[A-Za-z]:[\\/])")
"""The path of a suite as Flutter prints it; Dart prints it as it was passed."""
MOST_LINES = 60


def place(text: str) -> tuple[str, int] | None:
    """Return file and line of a frame in the repository."""
    found = (FRAME.match(text) or CAUGHT.match(text)) if ".dart" in text else None
    file = relative(found[1]) if found else ""
    return (file, int(found[2])) if found and file and not file.startswith(FOREIGN) else None


def better(known: tuple[str, int] | None, found: tuple[str, int] | None) -> tuple[str, int] | None:
    """Return the first place in a test, or otherwise the first place."""
    return found if found and (known is None or not known[0].endswith("_test.dart")) else known


@define
class Box:
    """An error that Flutter's framework caught while a test ran; of several boxes, the first has the cause."""

    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    closed: bool = False
    number: int = 0
    stacked: bool = False

    def begin(self) -> None:
        """Begin a box."""
        self.number, self.closed, self.stacked = self.number + 1, False, False

    def take(self, text: str) -> None:
        """Read a line of the message or of the stack."""
        if text.startswith("════"):
            self.closed = True
        elif text.startswith(("The relevant error-causing widget was", "The test description was:", *STACK)):
            self.stacked = True
        elif self.stacked:
            self.place = better(self.place, place(text))
        elif self.number == 1 and len(self.lines) < MOST_LINES and not text.startswith("The following "):
            self.lines.append(text)


@define
class DartBlock:
    """The message and the place of one failed test."""

    name: str
    number: int
    lines: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    framed: bool = False
    flutter: bool = False

    def take(self, text: str) -> None:
        """Read a line of the message or of the stack."""
        if found := place(text):
            self.framed = True
            self.place = better(self.place, found)
        elif text.lstrip().startswith(("package:", "dart:", "#0 ")):
            self.framed = True
        elif not self.framed and len(self.lines) < MOST_LINES:
            self.lines.append(text)

    def add_box(self, box: Box) -> None:
        """Add a box: the test's own message only reports that it failed."""
        self.flutter, self.place = True, better(self.place, box.place)
        if all(AGAIN.match(line) for line in self.lines):
            self.lines = box.lines

    def failure(self) -> Failure:
        """Create a failure of the block."""
        loading, suite = LOADING.match(self.name), SUITE.match(self.name)
        if loading:
            return self._load_failure(loading[1])
        file, line = self.place or ("", None)
        own = relative(suite[1]) if suite else file if file.endswith("_test.dart") else ""
        title = suite[2] if suite else self.name
        mark = FLUTTER if self.flutter or (suite and ABSOLUTE.match(suite[1])) else ""
        return Failure(
            tool="dart",
            name=f"{own}: {title}" if own else title,
            message=join_message(self.lines),
            file=file or own,
            line=line,
            selector=f"{mark}{title}",
            log_line=self.number,
        )

    def _load_failure(self, path: str) -> Failure:
        """Create a failure of a file that could not be loaded: its compiler may have printed the place."""
        own = relative(path)
        errors = (COMPILED.search(line) for line in self.lines)
        found = next((one for one in errors if one), None)
        file, line = (relative(found[1]), int(found[2])) if found else self.place or (own, None)
        return Failure(
            tool="dart",
            kind="compile",
            name=own,
            message=found[3] if found else join_message(self.lines),
            file=file,
            line=line,
            selector=f"{FLUTTER if ABSOLUTE.match(path) else ''}{own}",
            log_line=self.number,
        )
