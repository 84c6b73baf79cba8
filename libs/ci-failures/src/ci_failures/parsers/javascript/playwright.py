# ruff: noqa: RUF001, RUF002 -- the signs are those that the tool prints
"""Playwright's runner 1.30 to 1.65: a block for each failure, and lists at the end.

      1) [chromium] › tests/auth.spec.ts:7:5 › Auth › login › rejects ─────

        Error: expect(received).toEqual(expected)
    …
      1 failed
        [chromium] › tests/auth.spec.ts:7:5 › Auth › login › rejects ─────
      1 flaky
        …
      5 passed (33.2s)

The lists decide; a block may also name the step that failed. The reporter for GitHub prints both as annotations.
A run that was cut off has no lists. Then the rows of the list reporter decide, and if there are none, the blocks:

      ✘   22 [chromium] › tests/auth.spec.ts:7:5 › Auth › login › rejects (retry #1) (25.1s)
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from attrs import define, evolve, field

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.javascript.failed import Failed
from ci_failures.parsers.javascript.packages import packages
from ci_failures.parsers.javascript.stacks import frame
from ci_failures.parsers.text_helpers import MOST_LINES, command, each_once, join_message, relative

RUNNING = re.compile(r"^Running \d+ tests? using \d+ workers?")
BLOCK = re.compile(r"^  (\d{1,5})\) (.*)$")
RULES = " ─="
ID = re.compile(r"^(?:\[[^\]]{1,80}\] › )?([^\s:][^:]{0,400}):(\d{1,6}):\d{1,5} › \S")
SECTION = re.compile(r"^  (\d{1,6}) (failed|flaky|interrupted|skipped|did not run|passed)\b")
ROW = re.compile(
    r"^  (?:(✘|x)|✓|ok) {1,8}\d{1,6} (\S.{1,1000}?)(?: \(retry #(\d{1,4})\))? \(\d{1,9}(?:\.\d{1,3})?(?:ms|[smhd])\)$"
)
"""A finished attempt of a test; the numbers of steps contain a dot. On Windows the signs are `x` and `ok`."""
SIGNS = frozenset("✓✘xo")
RETRY = re.compile(r"^    Retry #(\d+) ─")
CODE = re.compile(r"^\s*(?:>\s*)?\d+ \||^\s+\|")
RAW = re.compile(r"^::(?:error|notice)(?: [^:]{0,4000}?)?::(.*)$")
COOKED = ("##[error]", "##[notice]")
MARKS = ("##[", "::")
BEGINNINGS = frozenset(" R-")
"""The first characters of lines that matter outside of blocks and lists, beside those of errors."""
HEAD = re.compile(r"^(?:[A-Z]\w*)?Error: ([^\s:][^:]{0,400}\.[cm]?[jt]sx?: )?(.{1,1000}?)(?: \(\d+:\d+\))?$")
AT = re.compile(r"^   at (\S[^:]{0,400}):(\d{1,7})$")
STACK = re.compile(r"^- (/\S{1,500})$")
UNREAD = re.compile(r"^(?:Error: No tests found|  \d+ errors? (?:was|were) not a part of any test)")
NEAR = 13
"""Lines at most from an error to its file."""


@define
class PlaywrightBlock:
    """The block of one failure."""

    log_line: int
    message: list[str] = field(factory=list)
    place: tuple[str, int] | None = None
    attempts: int = 1


@define
class PlaywrightRow:
    """The last attempt of a test in the rows of the list reporter."""

    log_line: int
    attempts: int
    passed: bool


class Playwright(Parser):
    """Parser of Playwright's test runner; an error outside of tests is read back from the place below it."""

    tool: ClassVar[str] = "playwright"
    wakes: ClassVar[tuple[str, ...]] = (
        " tests using ",
        " test using 1 worker",
        " ──────",
        "🎭 Playwright",
        "Error: No tests found",
        "not a part of any test",
        "\n   at ",
        "\n  ✘ ",
    )
    before: ClassVar[int] = NEAR

    def __init__(self) -> None:
        self._failed = Failed()
        self._counted: int | None = None
        self._head: Failure | None = None
        self._unread: list[Failure] = []
        self._whole: dict[str, str] = {}
        """Whole paths by their ends.

        Old versions print paths relative to the folder of the tests, and frames have the rest.
        """
        self._begin(running=False)

    def _begin(self, *, running: bool) -> None:
        self._running = running
        self._blocks: dict[str, PlaywrightBlock] = {}
        self._rows: dict[str, PlaywrightRow] = {}
        """The tests that failed at least once."""
        self._open: PlaywrightBlock | None = None
        self._section = ""
        self._lists: dict[str, list[tuple[str, int]]] = {}
        self._complete: list[tuple[str, int]] = []
        self._number = 0

    def read(self, line: Line) -> bool:
        """Read a line; those of a run are wanted up to the end of its lists."""
        number, text = line
        if self._head and number - self._head.log_line > NEAR:
            self._head = None
        if text[:1] in {"#", ":"} and text.startswith(MARKS):
            for part in _unescape_annotation(text):
                self._take(part, number)
        elif self._open is not None or self._section or text[:1] in BEGINNINGS or "rror" in text:
            self._take(text, number)
        return self._running or self._open is not None or self._section != ""

    def _take(self, text: str, number: int) -> None:
        numbered = text.startswith("  ") and text[2:3].isdigit()
        if text.startswith("Running ") and RUNNING.match(text):
            self._commit()
            self._begin(running=True)
        elif numbered and (section := SECTION.match(text)):
            self._list(section[1], section[2])
        elif numbered and (block := BLOCK.match(text.rstrip(RULES))) and ID.match(block[2]):
            self._section = ""
            if len(self._lists.get("failed", ())) < self._number:  # blocks precede the lists, which a test printed
                self._lists, self._number = {}, 0
            self._open = self._blocks.get(block[2]) or PlaywrightBlock(number)
            if len(self._blocks) < MOST_FAILURES:
                self._blocks[block[2]] = self._open
        elif text[2:3] in SIGNS and (row := ROW.match(text)) and ID.match(row[2]):
            self._read_row(row, number)
        elif self._section:
            self._item(text, number)
        elif self._open is not None:
            self._body(text, self._open)
        elif self._head or "rror" in text:
            self._loose(text, number)

    def _read_row(self, row: re.Match[str], number: int) -> None:
        """Record an attempt that failed, or a retry that passed; rows precede the lists, so a test printed those."""
        sign, name, retry = row.groups()
        self._running, self._open, self._section = True, None, ""
        self._lists, self._number = {}, 0
        known = self._rows.get(name)
        if sign and (known or len(self._rows) < MOST_FAILURES):
            first = known.log_line if known else number
            self._rows[name] = PlaywrightRow(first, int(retry or 0) + 1, passed=False)
        elif not sign and retry and known:
            self._rows[name] = PlaywrightRow(known.log_line, int(retry) + 1, passed=True)

    def _loose(self, text: str, number: int) -> None:
        """Read an error outside of any test: that of a file that could not be loaded."""
        if "test" in text and UNREAD.match(text):
            for one in self._unread:
                self._failed.add(one)
            self._unread = []
        elif "Error: " in text and text[:1].isupper() and (head := HEAD.match(text)):
            file = relative(head[1][:-2]) if head[1] else ""
            self._head = Failure(
                tool="playwright", kind="compile", name=file, message=head[2], file=file, selector=file, log_line=number
            )
        elif self._head and (stack := STACK.match(text)):
            self._head = evolve(self._head, file=self._head.file or relative(stack[1]))
        elif self._head and (at := AT.match(text)):
            file = self._head.file if self._head.file.endswith(at[1]) else relative(at[1])
            self._unread.append(evolve(self._head, name=file, file=file, selector=file, line=int(at[2])))
            self._head = None

    def _list(self, count: str, name: str) -> None:
        """Begin a list; similar output before it does not count, unless it is whole: GitHub cuts long annotations."""
        known = self._lists.get("failed", [])
        if name == "failed":
            self._complete = known if len(known) == int(count) else []
        if name == "failed" or (self._lists and not self._section):  # lists follow each other without a gap
            self._lists, self._number = {}, 0
        self._section, self._open = name, None
        if name == "failed":
            self._number = int(count)
        self._lists[name] = []
        if name == "passed":
            self._running, self._section = False, ""

    def _item(self, text: str, number: int) -> None:
        name = text.strip(RULES)
        if text.startswith("    ") and ID.match(name):
            if len(self._lists[self._section]) < MOST_FAILURES:
                self._lists[self._section].append((name, number))
        else:
            self._section = ""

    def _body(self, text: str, block: PlaywrightBlock) -> None:
        if "Retry #" in text and (retry := RETRY.match(text)):
            block.attempts = int(retry[1]) + 1
        elif block.attempts > 1 or block.place:
            return
        elif place := frame(text):
            block.place = place
        elif "Error Context: " not in text and len(block.message) < MOST_LINES and not _is_code(text):
            block.message.append(text)

    def _commit(self) -> None:
        """Record what failed in a run; without its lists, what its rows report, or its blocks."""
        failed = self._lists.get("failed")
        if failed is not None and len(failed) < self._number and self._complete:
            failed = self._complete
        if not self._lists:
            self._commit_rows()
            for name, block in () if self._rows else self._blocks.items():
                self._keep(name, block.log_line, confidence=False)
            return
        for name, number in failed or ():
            self._keep(name, number, confidence=len(failed or ()) == self._number)
        for name, number in self._lists.get("flaky", ()):
            self._keep(name, number, flaky=True, confidence=True)
        is_cut = failed is not None and self._running  # what passed would follow
        self._counted = (self._counted or 0) + (self._number if failed or is_cut else 0)

    def _commit_rows(self) -> None:
        """Record the tests whose last attempt failed, or passed after others.

        Where tests are retried, one whose first attempt failed and has no other is expected to fail, or did not end.
        """
        is_retried = any(row.attempts > 1 for row in self._rows.values())
        for name, row in self._rows.items():
            if row.attempts > 1 or not is_retried:
                self._keep(name, row.log_line, flaky=row.passed, confidence=False, attempts=row.attempts)

    def _keep(self, name: str, number: int, *, confidence: bool, flaky: bool = False, attempts: int = 1) -> None:
        if not (found := ID.match(name)):
            return
        block = self._blocks.get(name) or next(
            (one for told, one in self._blocks.items() if told.startswith(f"{name} › ")),
            PlaywrightBlock(number, attempts=attempts),
        )
        path = relative(found[1])
        if block.place and block.place[0].endswith(f"/{path}"):
            self._whole[path] = block.place[0]
        self._failed.add(
            Failure(
                tool="playwright",
                name=name,
                message=join_message(block.message),
                file=path,
                line=int(found[2]),
                selector=f"{path}:{found[2]}",
                log_line=block.log_line,
                attempts=block.attempts,
                flaky=flaky,
                confidence="high" if confidence else "medium",
            )
        )

    def finish(self) -> Iterable[Failure]:
        """Return what failed; an error outside of a run, as in a global set-up, only if nothing else failed."""
        self._commit()
        self._begin(running=False)
        for one in () if len(self._failed) or self._counted is not None else self._unread:
            self._failed.add(evolve(one, confidence="medium"))
        told = self._failed.with_confidence(self._counted)
        return [evolve(one, file=self._whole.get(one.file, one.file)) for one in told]

    def total(self) -> int | None:
        """Return the total above the lists."""
        return self._failed.adjust_total(self._counted)

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that runs everything on the lines of these."""
        return command("npx", "playwright", "test", *each_once(one.selector for one in failures))


def _is_code(text: str) -> bool:
    """Check whether a line is one of the source around a failure."""
    return "|" in text and CODE.match(text) is not None


def _unescape_annotation(text: str) -> Iterator[str]:
    """Return the lines of an annotation, which escapes the ends of lines."""
    if text.startswith(COOKED):
        text = text.partition("]")[2]
    elif text.startswith("::") and (raw := RAW.match(text)):
        text = raw[1].replace("%25", "%")
        yield from text.split("%0A")
        return
    yield text


PlaywrightInPackages = packages(Playwright)
