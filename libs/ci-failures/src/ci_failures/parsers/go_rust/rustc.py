"""Errors of rustc, and lints of rustc and clippy that are errors."""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.go_rust.rust_failures import after_banner
from ci_failures.parsers.text_helpers import command, relative, strip_mark

HEAD = re.compile(r"^error(?:\[(E\d{4})\])?: (.+)$")
PLACE = re.compile(r"^ *--> (\S.*\.rs):(\d+):(\d+)$")
LINT = re.compile(r"`(?:-[DF] |#!?\[(?:deny|forbid)\()((?:clippy::|rustdoc::)?[a-z][\w-]+)\)?\]?`")
IMPLIED = frozenset({"warnings", "clippy::all", "clippy::pedantic", "clippy::restriction", "unused"})
CLIPPY = re.compile(r"rust-clippy/(?:\S+/)?index\.html#/?(\w+)")
LINKING = re.compile(r"^error: (?:linking with `.*` failed|failed to run custom build command for `)")
SHORT = re.compile(r"^(\S[^:]*\.rs):(\d+):(\d+): error(?:\[(E\d{4})\])?: (.+)$")
COULD_NOT = re.compile(r"^error: could not compile `([^`]+)`")
HELP = re.compile(r"(?:^|[\^-] )help: (?!for further information)(.+?):?$")
TESTS_END = (
    *("test result: ", "error: test run failed", "   Compiling ", "    Checking ", "    Finished ", "   Doc-tests "),
    "error: could not compile",
)
BEGINS = ("error", "##[error]", "   Compiling ", "    Checking ", "    Finished ", "   Doc-tests ")
"""What a line begins with that matters before one that wakes the parser."""
RUNNING = re.compile(r"^running \d+ tests?$")
NEXTEST = ("--- STDOUT: ", "--- STDERR: ", "--- TRY ")
"""What older versions of nextest print before the output of a test."""
QUOTED = re.compile(r"`[^`]*`")
OF_PACKAGE = re.compile(r"(?:package `[^`]+` is missing `.+` metadata|multiple versions for dependency `[^`]+`: )")
"""What lints of `clippy::cargo` print, which are about a manifest and have no place."""
CARGO_LINTS = (": package `", ": multiple versions for dependency `")
NOT_OURS = ("/rustc/", "/.cargo/registry/", "/.cargo/git/")
WHERE = re.compile(r" \((?=[^()\\/]*[\\/])[^()]*+\)(?=`)")
NOISE = ("rust-clippy", "to override `")
MOST_LINES, MOST_BELOW, LOOK_BACK = 40, 200, 8


class Rustc(Parser):
    """Parser of errors from their first line to the blank line below; output of tests is ignored."""

    tool = "rustc"
    wakes = (
        *(
            "--> ",
            ": error[E",
            ": error: ",
            "error: could not compile",
            "error: linking with",
            "error: failed to run custom",
        ),
        *(f"\nerror{lint}" for lint in CARGO_LINTS),
        *("\nrunning ", "]running ", "test result: ", *NEXTEST, "error: test run failed"),
    )
    first_line: ClassVar[str] = (
        r".*\.rs:|(?:##\[error\])?error|.*running \d+ tests?$|.*test result: |.*--- (?:STDOUT: |STDERR: |TRY )"
    )
    before = LOOK_BACK

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._rules: dict[str, str] = {}
        self._head: tuple[int, re.Match[str]] | None = None
        self._lines: list[str] = []
        self._place: re.Match[str] | None = None
        self._banner: tuple[Failure, list[str]] | None = None
        self._in_tests = False
        self._read = 0
        self._unbuilt: Failure | None = None

    def read(self, line: Line) -> bool:
        """Read a line; awake within an error."""
        number, text = line.number, strip_mark(line.text)
        if number <= self._read:  # the lines before one that wakes may have been read before
            return self._head is not None
        self._read = number
        if self._tests(text):
            return False
        if self._banner and (not text or (text.startswith((" ", "Caused by:")) and not text.startswith(TESTS_END))):
            if len(self._banner[1]) < MOST_BELOW:
                self._banner[1].append(text)
            return True
        if text.startswith("error"):
            self._end()
            self._begin(number, text)
        elif not text.strip() or text.startswith("warning"):
            self._end()
        elif self._head:
            self._place = self._place or PLACE.match(text)
            if len(self._lines) < MOST_LINES:
                self._lines.append(text)
        elif ".rs:" in text and (short := SHORT.match(text)):
            self._keep(_short(number, short))
        return self._head is not None or self._banner is not None

    def look_back(self, lines: Sequence[Line]) -> None:
        """Read the lines from one on that begins an error, or the end of tests."""
        awake = False
        for line in lines:
            if awake or line.text.startswith(BEGINS):
                awake = self.read(line)

    def _tests(self, text: str) -> bool:
        """Check whether a line belongs to tests; their output is ignored until they end."""
        if (text.startswith("running ") and RUNNING.match(text)) or text.startswith(NEXTEST):
            self._end()
            self._in_tests = True
        elif text.startswith(TESTS_END):
            self._in_tests = False
        return self._in_tests

    def _begin(self, number: int, text: str) -> None:
        if LINKING.match(text):
            name = WHERE.sub("", text[7:200])
            self._banner = Failure(tool="rustc", kind="compile", name=name, message=text, log_line=number), []
        elif found := COULD_NOT.match(text):
            self._could_not(number, text, found[1])
        elif head := HEAD.match(text):
            self._head, self._lines, self._place = (number, head), [], None

    def _could_not(self, number: int, text: str, crate: str) -> None:
        self._unbuilt = self._unbuilt or Failure(
            tool="rustc", kind="compile", name=f"could not compile {crate}", message=text, log_line=number, place=crate
        )
        for name, one in self._found.items():
            if one.kind == "compile" and not one.place:
                self._found[name] = evolve(one, place=crate)

    def _keep(self, failure: Failure) -> None:
        if len(self._found) < MOST_FAILURES:
            self._found.setdefault(failure.name, failure)

    def _end(self) -> None:
        """End an error: one with a place is the compiler's; other failures have a banner."""
        if self._banner:
            failure, lines = self._banner
            self._keep(after_banner(failure, lines))
            self._banner = None
        if self._head and self._place:
            number, head = self._head
            self._keep(self._failure(number, head, self._place))
        elif self._head and OF_PACKAGE.match(self._head[1][2]):
            self._keep(self._lint_of_package(*self._head))
        self._head = None

    def _lint_of_package(self, number: int, head: re.Match[str]) -> Failure:
        """Return a lint about a manifest: its message distinguishes it."""
        rule = self._lint(head[2])
        name = f"{rule} {head[2]}".strip()
        return Failure(tool="clippy", kind="lint", name=name, message=head[0], log_line=number)

    def _failure(self, number: int, head: re.Match[str], place: re.Match[str]) -> Failure:
        file, line, column = relative(place[1]), place[2], place[3]
        rule = head[1] or self._lint(head[2])
        is_clippy = rule.startswith("clippy::")
        kind: Kind = "lint" if rule and not head[1] else "compile"
        ours = not any(part in file for part in NOT_OURS)
        return Failure(
            tool="clippy" if is_clippy else "rustc",
            kind=kind,
            name=f"{rule} {file}:{line}:{column}".strip(),
            message="\n".join([head[0], *_notes(self._lines)]),
            file=file if ours else "",
            line=int(line) if ours else None,
            log_line=number,
            suggested_fix=next((found[1] for text in self._lines if (found := HELP.search(text))), ""),
        )

    def _lint(self, message: str) -> str:
        """Return the lint of an error: its notes name it, but only the first time."""
        key = QUOTED.sub("`", message)
        for text in self._lines:
            names = [name.replace("-", "_") for name in LINT.findall(text)]
            linked = CLIPPY.search(text)
            chosen = [f"clippy::{linked[1]}"] if linked else [name for name in names if name not in IMPLIED]
            if chosen:
                self._rules[key] = chosen[0]
                return chosen[0]
        rule = _marked_lint(self._lines) or self._rules.get(key, "")
        if len(self._rules) < MOST_FAILURES:
            self._rules[key] = rule
        return rule

    def finish(self) -> Iterable[Failure]:
        """Return the errors; that a crate was not compiled is an error only if the log has no other."""
        self._end()
        if not self._found and self._unbuilt:
            return [evolve(self._unbuilt, confidence="medium")]
        return [one for one in self._found.values() if one.tool == self.tool]

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command that checks everything: nothing smaller is certain to be compiled with the same features."""
        if any(one.kind == "lint" for one in failures):
            return command("cargo", "clippy", "--workspace", "--all-targets", "--", "-D", "warnings")
        return command("cargo", "check", "--workspace", "--all-targets")


class Clippy(Rustc):
    """Parser of the same output, which returns clippy's lints."""

    tool = "clippy"
    reads_with = Rustc

    def finish(self) -> Iterable[Failure]:
        """Return the lints of clippy."""
        return [one for one in super().finish() if one.tool == self.tool]


def _short(number: int, found: re.Match[str]) -> Failure:
    """Return an error that is a single line; for a lint it does not name which."""
    file, rule = relative(found[1]), found[4] or ""
    return Failure(
        tool="rustc",
        kind="compile",
        name=f"{rule} {file}:{found[2]}:{found[3]}".strip(),
        message=f"error[{rule}]: {found[5]}" if rule else f"error: {found[5]}",
        file=file,
        line=int(found[2]),
        log_line=number,
    )


def _marked_lint(lines: Sequence[str]) -> str:
    """Return the lint that is marked below `the lint level is defined here`."""
    begin = next((at for at, line in enumerate(lines) if line.endswith("the lint level is defined here")), len(lines))
    for source, marks in zip(lines[begin:], lines[begin + 1 :], strict=False):
        if ("deny(" in source or "forbid(" in source) and "^" in marks:
            return source[marks.index("^") : marks.rindex("^") + 1]
    return ""


def _notes(lines: Sequence[str]) -> list[str]:
    """Return the text below an error: what is marked in the source, and notes."""
    said = []
    for text in lines:
        marked = re.search(r"\|.*?(?:\^+|-+)\s+(.*\w.*)$", text)
        if marked:
            said.append(marked[1].lstrip("^-~ |"))
        elif text.lstrip().startswith(("= note: ", "= help: ")) and not any(word in text for word in NOISE):
            said.append(text.strip().removeprefix("= "))
    return said[:6]
