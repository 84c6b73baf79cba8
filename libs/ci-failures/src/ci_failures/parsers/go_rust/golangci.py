"""`golangci-lint` 1 and 2, as text, tabs and annotations."""

import re
from collections.abc import Iterable, Sequence

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import command, each_once, relative, strip_mark

TEXT = re.compile(r"^(\S[^:]*\.go|\S*go\.mod):(\d+)(?::(\d+))?: (.+) \(([a-z]\w+)\)$")
TABS = re.compile(r"^(\S[^:]*\.go|\S*go\.mod):(\d+)(?::(\d+))? +([a-z]\w+) +(\S.*)$")
ANNOTATION = re.compile(r"^::(?:error|warning) file=([^,:]+),line=(\d+)(?:,col=(\d+))?::(.+) \(([a-z]\w+)\)$")
PLACELESS = re.compile(r"^(\S.*) \(([a-z]\w+)\)$")
"""An annotation as GitHub stores it in a log: without its place."""
PACKAGE = re.compile(r"^(?:\S[^:]*\.go:1: )?: # \S+")
"""What is above the compiler's errors of a package; without its place as an annotation."""
COMPILED = re.compile(r"^(\S[^:]*\.go):(\d+):(\d+): (.+?)(?: \(typecheck\))?$")
TOTAL = re.compile(r"^(\d+) issues?:$")
OF_ONE = re.compile(r"^\* ([a-z]\w+): \d+$")
NAMES = """
    asasalint asciicheck bidichk bodyclose canonicalheader containedctx contextcheck copyloopvar cyclop decorder
    deadcode depguard dogsled dupl dupword durationcheck embeddedstructfieldcheck err113 errcheck errchkjson
    errname errorlint execinquery exhaustive exhaustivestruct exhaustruct exportloopref exptostd fatcontext
    forbidigo forcetypeassert funcorder funlen gci ginkgolinter gocheckcompilerdirectives gochecknoglobals
    gochecknoinits gochecksumtype gocognit goconst gocritic gocyclo godoclint godot godox goerr113 gofmt gofumpt
    goheader goimports golines golint gomnd gomoddirectives gomodguard goprintffuncname gosec gosimple
    gosmopolitan govet grouper iface ifshort importas inamedparam ineffassign interfacebloat interfacer intrange
    iotamixing ireturn lll loggercheck logrlint maintidx makezero maligned megacheck mirror misspell mnd
    modernize musttag nakedret nestif nilerr nilnesserr nilnil nlreturn noctx noinlineerr nolintlint
    nonamedreturns nosnakecase nosprintfhostport paralleltest perfsprint prealloc predeclared promlinter
    protogetter reassign recvcheck revive rowserrcheck scopelint sloglint spancheck sqlclosecheck staticcheck
    structcheck stylecheck swaggo tagalign tagliatelle tenv testableexamples testifylint testpackage thelper
    tparallel typecheck unconvert unparam unqueryvet unused usestdlibvars usetesting varcheck varnamelen vet
    wastedassign whitespace wrapcheck wsl wsl_v5 zerologlint
"""
LINTERS = frozenset(NAMES.split())
"""Linters that golangci-lint includes or included; others count if its summary names them."""
MOST_LINES = 3_000
LONGEST_MESSAGE = 30
"""Lines of a message of which only the last one names the linter, as gocritic's of signatures."""


class GolangciLint(Parser):
    """Parser of issues: a place, a message, and the linter."""

    tool = "golangci-lint"
    wakes = (
        *(form.format(name) for name in sorted(LINTERS) for form in ("({})", "  {}  ")),
        *(": : # ", "]: # ", " issues:", " issue:", "golangci-lint run"),
    )
    before = LONGEST_MESSAGE

    def __init__(self) -> None:
        self._found: dict[str, tuple[Failure, str]] = {}
        self._linters = set(LINTERS)
        self._compiling = False
        self._head: tuple[int, re.Match[str]] | None = None
        self._total: int | None = None
        self._runs = 0

    def wants_before(self, text: str) -> bool:
        """Return whether a line names a linter behind a message that began above it."""
        return text.endswith(")") and ".go:" not in text

    def look_back(self, lines: Sequence[Line]) -> None:
        """Find the last place above, unless its own line names the linter."""
        heads = ((line.number, COMPILED.match(_strip(line.text))) for line in reversed(lines))
        number, head = next(((number, found) for number, found in heads if found), (0, None))
        self._head = (number, head) if head and not TEXT.match(head[0]) else None

    def read(self, line: Line) -> bool:
        """Read a line; awake while it is known to run, within errors of the compiler, and in the summary."""
        number, whole = line
        text = _strip(whole)
        head, self._head = self._head, None
        if self._compiling:
            self._compiling = self._read_compiler_error(number, text)
            return self._compiling
        if text.startswith("* ") and (one := OF_ONE.match(text)):
            self._linters.add(one[1])
            return True
        if text.endswith(":") and (total := TOTAL.match(text)):
            self._total = int(total[1]) + (self._total or 0)
            self._runs = 0
            return True
        if ": # " in text and PACKAGE.match(text):
            self._compiling = True
            return True
        if text.endswith(")") and (found := TEXT.match(text) or ANNOTATION.match(text)):
            self._keep(number, (found[1], found[2], found[3]), found[5], found[4])
        elif head and (found := PLACELESS.match(text)) and found[2] in LINTERS:
            self._keep(head[0], (head[1][1], head[1][2], head[1][3]), found[2], head[1][4])
        elif text != whole and (found := PLACELESS.match(text)) and found[2] in LINTERS:
            self._keep(number, None, found[2], found[1])
        elif ".go:" in text and "  " in text and (found := TABS.match(text)):
            self._keep(number, (found[1], found[2], found[3]), found[4], found[5])
        elif "golangci-lint run" in text:
            self._runs = MOST_LINES
        self._runs = max(0, self._runs - 1)
        return self._runs > 0

    def _read_compiler_error(self, number: int, text: str) -> bool:
        """Read an error of the compiler, and return whether more may follow."""
        found = COMPILED.match(text)
        if found:
            self._keep(number, (found[1], found[2], found[3]), "typecheck", found[4])
        return bool(found) and not text.endswith(" (typecheck)")

    def _keep(self, number: int, place: tuple[str, str, str | None] | None, linter: str, message: str) -> None:
        file = relative(place[0]) if place else ""
        where = ":".join(part for part in (file, *place[1:]) if part) if place else message
        name = f"{linter} {where}"
        if len(self._found) < MOST_FAILURES:
            failure = Failure(
                tool=self.tool,
                kind="compile" if linter == "typecheck" else "lint",
                name=name,
                message=message,
                file=file,
                line=int(place[1]) if place else None,
                log_line=number,
                confidence="high" if place else "medium",
            )
            self._found.setdefault(name, (failure, linter))

    def finish(self) -> Iterable[Failure]:
        """Return the issues of known linters, and of those that the summary names."""
        return [one for one, linter in self._found.values() if linter in self._linters]

    def total(self) -> int | None:
        """Return its total; it counts a package that does not compile as one."""
        return None if any(linter == "typecheck" for _, linter in self._found.values()) else self._total

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return a command for the packages of the issues: golangci-lint accepts files of one package only."""
        if not all(one.file for one in failures):
            return command("golangci-lint", "run")
        folders = each_once(f"./{one.file.rpartition('/')[0]}".rstrip("/") for one in failures)
        return command("golangci-lint", "run", *folders)


def _strip(text: str) -> str:
    return strip_mark(text).removeprefix("##[warning]")
