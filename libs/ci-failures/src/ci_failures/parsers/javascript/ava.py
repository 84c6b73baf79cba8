# ruff: noqa: RUF001, RUF002 -- the signs are those that the tool prints
"""AVA 3 to 8: a line for each test, and at the end the details of the failed ones.

      ✘ [fail]: auth › login rejects with a message
      ─

      auth › login rejects

      test/auth.mjs:5
    …
      ─

      1 test failed

The line contains more than the title; the title is the part that the end repeats. `[expected fail]` is not a failure.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

BAD = re.compile(r"^  [✘✖] (?:\[(?:fail|unexpected pass)\]: )?(\S(?:.*[^ ])?) *$")
FILE = re.compile(r"^(\S+) exited with a non-zero exit code: \d+$|^No tests found in (\S+?)(?:,.*)?$")
PLACE = re.compile(r"^  ([^\s:]+\.[cm]?[jt]sx?):(\d+)$")
COUNT = re.compile(r"^  (\d+) (?:tests?|hooks?) failed$")
CODE = re.compile(r"^ +\d+: ")
RULE = "  ─"
JOINT = " › "


class Ava(Parser):
    """Parser of AVA's output."""

    tool: ClassVar[str] = "ava"
    wakes: ClassVar[tuple[str, ...]] = (
        *("  ✘ ", "  ✖ ", RULE),
        *(" test failed\n", " tests failed\n", " hook failed\n", " hooks failed\n"),
    )
    first_line: ClassVar[str] = r"  [✘✖] \S"

    def __init__(self) -> None:
        self._failed = Failed()
        self._bad: dict[str, int] = {}
        self._titles: list[str] = []
        self._files: dict[str, int] = {}
        self._told = False
        self._over = False
        self._blank = 0
        self._title = ""
        self._place: tuple[str, int] | None = None
        self._message: list[str] = []
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; between the rules at the end, every line is wanted."""
        text = line.text.rstrip()
        if text == RULE:
            self._end()
            self._over = self._told
            if self._over:  # of this run; another one may follow
                self._files |= {bad: number for bad, number in self._bad.items() if FILE.match(bad)}
                self._bad.clear()
            self._told, self._blank = not self._told and bool(self._bad), 2
            self._titles = sorted(self._bad)
        elif self._told:
            self._tell(text)
        elif self._over and (count := COUNT.match(text)):
            self._counted = (self._counted or 0) + int(count[1])
        elif (bad := BAD.match(text)) and len(self._bad) < MOST_FAILURES:
            self._bad.setdefault(bad[1], line.number)
        return self._told

    def _tell(self, text: str) -> None:
        if not text:
            self._blank += 1
            return
        title = text[2:]
        if self._blank >= 2 and text[:2] == "  " and title[:1] != " " and self._find_line(title):  # noqa: PLR2004
            self._end()
            self._title = title
        elif self._title:
            self._body(text)
        self._blank = 0

    def _body(self, text: str) -> None:
        if placed := PLACE.match(text):
            self._place = self._place or (relative(placed[1]), int(placed[2]))
        elif place := frame(text):
            self._place = self._place or place
        elif len(self._message) < MOST_LINES and not CODE.match(text) and not text.lstrip().startswith(("at ", "› ")):
            self._message += [""] if self._blank and self._message else []
            self._message.append(text)

    def _find_line(self, title: str) -> int:
        """Return the number of the line that first had a title, alone or before a message; 0 if none has it."""
        after = bisect_left(self._titles, f"{title} ")
        found = next((bad for bad in self._titles[after : after + 1] if bad.startswith(f"{title} ")), "")
        return self._bad.get(title) or self._bad.get(found, 0)

    def _end(self) -> None:
        if not self._title:
            return
        file, line = self._place or ("", None)
        self._failed.add(
            Failure(
                tool="ava",
                name=self._title,
                message=join_message(self._message),
                file=file,
                line=line,
                selector=self._title,
                log_line=self._find_line(self._title),
            )
        )
        self._title, self._place, self._message = "", None, []

    def finish(self) -> Iterable[Failure]:
        """Return what failed, also files that ended with an error or had no tests."""
        self._end()
        told = list(self._failed.with_confidence(self.total()))
        files = ((FILE.match(bad), number) for bad, number in (self._files | self._bad).items())
        for found, number in files:
            if found:
                name = relative(found[1] or found[2])
                told.append(
                    Failure(tool="ava", name=name, message=found[0], file=name, log_line=number, confidence="medium")
                )
        return told

    def total(self) -> int | None:
        """Return AVA's total."""
        counted = self._failed.adjust_total(self._counted)
        files = sum(FILE.match(bad) is not None for bad in self._files | self._bad)  # which AVA does not count
        return counted + files if counted is not None and (files or len(self._failed)) else None

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs these: AVA matches titles without the file, which its lines have as a prefix."""
        titles = [_without_file(one.selector, one.file) for one in failures if one.selector]
        known = [file for file in (_file_of(one) for one in failures) if file is not None]
        tests = [word for title in titles for word in ("--match", title)]
        return command("npx", "ava", *tests, *each_once(known))


def _list_prefix(title: str, file: str) -> Sequence[str]:
    """Return the names before a title that are those of its file and of the folders around it."""
    *folders, name = (part for part in PurePath(file).parts if part != "__tests__") if file else ("",)
    stem = PurePath(name.replace(".spec.", ".").replace(".test.", ".").replace("test-", "", 1)).stem
    parts, words = [*folders, stem], title.split(JOINT)
    matches = (parts[at:] for at in range(len(parts)) if parts[at:] == words[: len(parts) - at])
    return next(matches, ()) if len(words) > 1 else ()


def _without_file(title: str, file: str) -> str:
    """Return the pattern of a title; where its file is not known, it may have anything before its last part."""
    if JOINT not in title:
        return title
    prefix = _list_prefix(title, file)
    return JOINT.join(title.split(JOINT)[len(prefix) :]) if prefix else f"*{title.rpartition(JOINT)[2]}"


def _file_of(one: Failure) -> str | None:
    """Return the file of a failure; None if only a stack tells one, which may be another."""
    return one.file if not one.selector or _list_prefix(one.selector, one.file) else None


AvaInPackages = packages(Ava)
