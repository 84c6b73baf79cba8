"""Errors of Go's compiler, its package loader, and `go vet`: before tests, and by themselves."""

import re
from collections.abc import Iterable

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, describe_cut
from ci_failures.parsers.go_rust.golang import GoParser
from ci_failures.parsers.text_helpers import relative, strip_mark

HEADER = re.compile(r"^# (\[)?([\w.\-~/+]+)(?: \[[\w.\-~/+]+\])?\]?$")
PLACE = re.compile(r"^(vet: )?(\S[^:]*\.go):(\d+):(?:(\d+):)? (.+)$")
NOT_BUILT = re.compile(r"^FAIL\t(\S+) \[(build|setup) failed\]$")
LOST = ("no required module provides package", "missing go.sum entry", "cannot find module providing package")
NOT_FOUND = re.compile(r"package \S+ is not in |cannot find package |import cycle not allowed|expected .+, found ")
"""Messages about imports and syntax, some of which have no header."""
GO_GET = re.compile(r"^\t(go (?:get|mod) \S.*)$")
VETTED = re.compile(
    r"(?:\S+ format %\S+ (?:has arg|reads arg|has unknown|uses)|\S+ call (?:has|needs|possible)"
    r"|(?:literal|assignment|range var|return|call of \S+) copies lock|\S+ passes lock by value"
    r"|struct field tag |composite literal uses unkeyed|self-assignment of |result of \S+ call not used"
    r"|unreachable code$|loop variable \S+ captured|method \S+ should have signature|test \S+ refers to"
    r"|the cancel function (?:returned|is not used))"
)
"""Messages of `go vet` at places that it prints without the package."""
ERRORS = "=== Errors"
"""The line of gotestsum above errors of all packages, which it prints without their headers since Go 1.24."""
LINTER = re.compile(r" \([a-z]\w+\)$")
HEADERS = (
    *(".test]", "# command-line-arguments", "# github.com/", "# gitlab.com/", "# k8s.io/", "# golang.org/", "# go."),
    *("# example.com/", "# gopkg.in/", "# internal/", "# cmd/"),
)
SAID = (
    *("undefined: ", "imported and not used", "declared and not used", "declared but not used", "cannot use "),
    *("imported but not used", "arguments in call to", "missing return", "redeclared in this block", "syntax error: "),
    *(" found 'EOF'", ", found '", "no required module provides", "is not in std", "is not in GOROOT", "vet: "),
    *("missing go.sum entry", "no field or method", "invalid operation: ", "could not import", "undeclared name"),
    *(
        "is not a type",
        "is not an expression",
        "mismatched types",
        "cannot find module providing",
        "does not implement",
    ),
    *(
        "not enough return values",
        "too many return values",
        "assignment mismatch",
        "cannot assign",
        "cannot find package",
    ),
    *("not exported by package", "import cycle not allowed", "build constraints exclude", "no new variables"),
)
VET_SAYS = (
    *(" format %", "copies lock", "passes lock by value", "struct field tag ", "unkeyed fields", "self-assignment of "),
    *("unreachable code", "captured by func literal", "should have signature", "the cancel function", " call has "),
    *(" call needs ", " call not used", " refers to unknown"),
)
MOST_MESSAGE = 8
STOPPED = "too many errors"
"""The compiler's last line for a package, after ten errors."""
PATIENCE = 50
"""Lines of others, such as tests that run meanwhile, in which errors of the last package are expected to go on."""


class GoBuild(GoParser):
    """Parser of errors below `# package`, which the compiler prints, and below `# [package]`, which vet prints."""

    wakes = (*HEADERS, *SAID, *VET_SAYS, STOPPED, " [build failed]", " [setup failed]", ERRORS)
    before = 12

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._unbuilt: dict[str, Failure] = {}
        self._package, self._vets, self._below, self._lists_all = "", False, False, False
        self._last = ""
        self._asleep_since = self._expects_until = 0
        self._stopped = self._cut = False

    def read(self, line: Line) -> bool:
        """Read a line; awake below a header."""
        if line.number <= self._asleep_since:
            return False
        wanted = self._take(line.number, strip_mark(line.text))  # added by the matcher of setup-go
        wanted = wanted or line.number < self._expects_until
        if not wanted:
            self._asleep_since = line.number
        return wanted

    def _take(self, number: int, text: str) -> bool:
        if text.startswith("# ") and (header := HEADER.match(text)):
            self._package, self._vets, self._below, self._last = header[2], bool(header[1]), True, ""
            self._expects_until = number + PATIENCE
            return True
        if text == ERRORS or (self._lists_all and text.startswith("DONE ")):
            self._package, self._vets, self._last, self._lists_all = "", False, "", text == ERRORS
            return self._lists_all
        if ".go:" in text and (place := PLACE.match(text)):
            return self._read_place(number, place)
        if text.startswith("\t"):
            return self._more(text)
        if "\t" in text and (not_built := NOT_BUILT.match(text)):
            path, what = not_built[1], not_built[2]
            said = f"{what} failed"
            one = Failure(tool="go", kind="compile", name=path, message=said, place=path, log_line=number)
            self._cut = self._cut or len(self._unbuilt) >= MOST_FAILURES
            if len(self._unbuilt) < MOST_FAILURES:
                self._unbuilt.setdefault(path, one)
        self._last = ""
        self._below = self._below and text.startswith(("vet: ", "note: ", "too many errors"))
        return self._below or self._lists_all

    def _read_place(self, number: int, place: re.Match[str]) -> bool:
        vetted = VETTED.match(place[5])
        alone = place[1] or place[5].startswith(LOST) or NOT_FOUND.match(place[5]) or (self._lists_all and not vetted)
        if place[5] == STOPPED:
            self._stopped, self._expects_until = True, 0
            return self._below or self._lists_all
        below = self._below or self._goes_on(number, place)
        bare = not below and not alone
        if bare and (not vetted or LINTER.search(place[5])):
            return self._lists_all
        file = relative(place[2])
        kind: Kind = "dependency" if place[5].startswith(LOST) else "compile"
        if bare or (self._vets and not place[1]):
            kind = "lint"
        if below:
            self._expects_until = number + PATIENCE
        where = ":".join(part for part in (file, place[3], place[4]) if part)
        self._keep(
            Failure(
                tool="go",
                kind=kind,
                name=f"vet {where}" if kind == "lint" else where,
                message=place[5],
                file="" if file.startswith("/") else file,
                line=None if file.startswith("/") else int(place[3]),
                place=self._package,
                log_line=number,
                confidence="medium" if bare else "high",
            )
        )
        return not bare or self._lists_all

    def _goes_on(self, number: int, place: re.Match[str]) -> bool:
        """Return whether an error behind other output is one of the last package: tests print while others compile."""
        likely = number <= self._expects_until or any(said in place[5] for said in SAID)
        if not (likely and self._package and place[4]) or LINTER.search(place[5]):
            return False
        folder = place[2].replace("../", "").removeprefix("./").rpartition("/")[0]
        return f"/{self._package}".endswith(f"/{folder}") if folder else place[2].startswith("./")

    def _keep(self, failure: Failure) -> None:
        self._last = failure.name
        self._cut = self._cut or len(self._found) >= MOST_FAILURES
        if len(self._found) < MOST_FAILURES:
            self._found.setdefault(failure.name, failure)

    def _more(self, text: str) -> bool:
        """Read a line that continues an error; some contain advice."""
        one = self._found.get(self._last)
        if one and one.message.count("\n") < MOST_MESSAGE:
            remedy = GO_GET.match(text)
            fix = remedy[1] if remedy and one.kind == "dependency" else one.suggested_fix
            self._found[self._last] = evolve(one, message=f"{one.message}\n{text.rstrip()}", suggested_fix=fix)
        return self._below or bool(one)

    def finish(self) -> Iterable[Failure]:
        """Return the errors; that a package was not built is an error only if the log has no other."""
        return list(self._found.values()) or list(self._unbuilt.values())

    def gap(self) -> str:
        """Return that errors beyond the bound were left out, or that the compiler itself left errors out."""
        if self._cut:
            return describe_cut(self.tool)
        return "Go's compiler stopped at 'too many errors', and left the other errors of a package out" * self._stopped
