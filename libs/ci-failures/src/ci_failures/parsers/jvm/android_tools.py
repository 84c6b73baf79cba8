"""The tools of Android's plugin for Gradle: AAPT, R8, D8, and the merger of manifests.

    ERROR: /repo/app/src/main/res/layout/main.xml:12: AAPT: error: resource color/brand not found.
    ERROR: com.example.app-main-42:/values/strings.xml:3:5-4:16: AAPT: error: not well-formed (invalid token).
    ERROR: /repo/app/proguard-rules.pro:31:1-16: R8: Unknown option "-fullvisibility"
    /repo/app/src/main/AndroidManifest.xml:5:5-20 Error:
    <tab>Attribute application@label value=(Shop) from AndroidManifest.xml:5:5-20
    <tab>is also present at [com.example:lib:1.0] AndroidManifest.xml:9:9-20 value=(Lib).

Gradle repeats them below what went wrong, and in the trace of the exception.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.jvm.compile_errors import Compiler, Errors, Place

POSITION = r"(?::(?P<line>\d{1,7})(?::(?P<column>\d{1,7}))?(?:-\d{1,7}(?::\d{1,7})?)?)?"
PATH = r"(?P<file>(?:[A-Za-z]:[\\/]|(?:[\w.-]{1,200}:)?/)[^:]{1,400}?)"
TOOL = re.compile(
    rf"[\s>]{{0,20}}(?:ERROR: ?)?(?:{PATH}{POSITION}: )?(?P<tool>AAPT|R8|D8): (?P<error>error: )?(?P<text>\S.*)$"
)
"""An error; R8 and D8 print it with `ERROR`, AAPT of old plugins with `error` alone."""
MANIFEST = re.compile(rf"[\s>]{{0,20}}(?:\[[^\]]{{1,200}}\] )?{PATH}{POSITION} Error:$")
RESOURCE = re.compile(
    rf"[\s>]{{0,20}}Resource compilation failed \(Failed to compile resource file: {PATH}: \.? ?Cause: "
    r"(?P<text>.{1,400}?)(?:\[row,col\]:\[(?P<line>\d{1,7}),(?P<column>\d{1,7})\].*)?$"
)
AFTER = ("is also present at ", "Suggestion: ", "Message: ")
TASK = re.compile(r"Execution failed for task '(:[^']{1,300})'")


class AndroidTools(Compiler):
    """Parser of errors, each once."""

    tool: ClassVar[str] = "android"
    wakes: ClassVar[tuple[str, ...]] = (
        " AAPT: ", " R8: ", " D8: ", " Error:\n", "Failed to compile resource file: ",
        "Execution failed for task",
    )  # fmt: skip
    first_line: ClassVar[str] = (
        r".*(?:AAPT|R8|D8): |.*AndroidManifest\.xml\S* Error:\s*$|.*Failed to compile resource file: "
        r"|Execution failed for task ':"
    )

    def __init__(self) -> None:
        self._errors = Errors(self.tool, AFTER)
        self._manifest: Place | None = None
        self._again = ""
        """The command for errors below what went wrong, which are indented; the task is told before them."""

    def read(self, line: Line) -> bool:
        """Read an error, or a line below that of a manifest."""
        text = line.text.rstrip()
        manifest, self._manifest = self._manifest, None
        if manifest and text[:1].isspace():
            return self._errors.begin(manifest, text.strip(), line.number)
        again = self._again if text[:1] in {" ", ">"} else ""
        if text.endswith(" Error:") and (found := MANIFEST.match(text)):
            self._manifest = _place(found)
            return True
        if (found := TOOL.match(text)) and (found["error"] or "ERROR:" in text[: found.start("tool")]):
            said = f"{found['tool']}: {found['text']}"
            if found["file"]:
                self._errors.begin(_place(found), said, line.number, again)
            else:
                self._errors.nowhere(said, line.number, again)
        elif found := RESOURCE.match(text):
            return self._errors.begin(_place(found), found["text"].strip().removesuffix(" at"), line.number, again)
        elif task := TASK.match(text):
            self._again = f"./gradlew {task[1]}"
            self._errors.rerun(self._again)
        else:
            return text[:1].isspace() and self._errors.take(text)
        return False

    def finish(self) -> Iterable[Failure]:
        """Return the errors."""
        return self._errors.failures()


def _place(found: re.Match[str]) -> Place:
    """Return the place of an error; a path may be that of a resource below the name of its source set."""
    file = found["file"]
    if file[1:2] != ":" and ":/" in file:
        file = file.partition(":/")[2]
    return Place(file, int(found["line"] or 0), int(found["column"] or 0))
