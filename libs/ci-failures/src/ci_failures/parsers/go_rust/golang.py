"""What the parsers of Go's tools share: messages of tests, places in stacks, and commands that run tests again."""

import re
from collections.abc import Iterable, Sequence
from textwrap import dedent

from attrs import evolve

from ci_failures.model import Failure, Parser
from ci_failures.parsers.text_helpers import command, each_once, join_message, relative

ENTRY = re.compile(r"^( +|\t+)([^\s:][^:]*\.go):(\d+): ?(.*)$")
"""The output of `t.Error` and its like: the place, and the first line of the message."""
TESTING = "testing.go"
"""Go's own message, for a test and all its parents, that a race was detected."""
GLUED = re.compile(r"^(.*\S) {4,}([\w.-]+\.go):(\d+): (.*)$")
"""The same behind output of a test without an end of line."""
CONVEY = re.compile(r"^ +\* (/\S+\.go) *$")
"""GoConvey's line for a failed assertion; the line number follows below."""
PANICKED = "test panicked: "
"""Testify's message for a panic in a suite's test, before the stack."""
FRAME = re.compile(r"^\t(\S.*\.go):(\d+)(?: \+0x[0-9a-f]+)?$")
TEST_IN_FRAME = re.compile(r"^(?:created by )?([^\s()]*[^\s().])\.((?:Test|Fuzz|Benchmark|Example)[^\s().\[]*)")
NOT_OURS = ("/pkg/mod/", "/vendor/", "/usr/local/go/", "/usr/lib/go", "/hostedtoolcache/go/", "/libexec/src/")
HOSTS = ("github.com/", "gitlab.com/", "bitbucket.org/", "codeberg.org/", "gitea.com/")
SPECIAL, ESCAPED = re.compile(r"([][\\.+*?()|{}^$])"), r"\\\1"
VERSION = re.compile(r"^v\d+$")
CODE_HOST = re.compile(r"(?:git|gitlab|gitea|bitbucket|code|scm|source|stash)\b[^/]*\.|golang\.org$")
"""The beginning of hosts whose modules have an owner or a group before their name, too."""
ENTRIES_KEPT, LINES_KEPT, MOST_PACKAGES = 5, 25, 10_000
MODULE_WITH_OWNER = 3


class GoParser(Parser):
    """Base of the parsers of Go's tools."""

    tool = "go"

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return the command for tests of one package; anything else is compiled or vetted again."""
        places = each_once(one.place for one in failures) or ("./...",)
        if places[0].startswith("//"):
            return _bazel(places, each_once(one.selector for one in failures))
        tests = each_once(one.selector for one in failures)
        if not tests:
            if all(one.kind == "lint" for one in failures):
                return command("go", "vet", *places)
            none = ("-run", "^$") if any(one.kind != "test" for one in failures) else ()  # only build them
            return command("go", "test", *places, *none)
        found = ["-run", "|".join(tests)]
        if any(test.startswith("^Benchmark") for test in tests):
            found += ["-bench", "|".join(test for test in tests if test.startswith("^Benchmark"))]
        return command("go", "test", *places, *found, "-count=1")


def _bazel(targets: Sequence[str], tests: Sequence[str]) -> str:
    """Return the command for tests of Bazel's targets; its filter is that of `go test`."""
    chosen = (f"--test_filter={'|'.join(tests)}",) if tests else ()
    return command("bazel", "test", *targets, *chosen, "--test_output=errors")


def selector(test: str) -> str:
    r"""Return the pattern for `-run` that matches one test: `^TestA$/^a\+b$`."""
    parts = (part if part.isidentifier() else SPECIAL.sub(ESCAPED, part) for part in test.split("/"))
    return "/".join([f"^{part}$" for part in parts])


def without_parents(names: Iterable[str]) -> set[str]:
    """Return the names without those that are parents of others."""
    every = set(names)
    parents = {name[:at] for name in every for at in range(len(name)) if name[at] == "/"}
    return every - parents


def parse_output(lines: Sequence[str]) -> tuple[str, str, int | None, bool]:
    """Parse the output of a test.

    Returns:
        The message, the file, the line, and whether the test itself printed a message.
    """
    entries = list(_entries(lines))
    if not entries:
        return _parse_other_forms(lines)
    spoken = [_assertion(*entry) for entry in entries]
    asserted = [one for entry, one in zip(entries, spoken, strict=True) if _is_testify(entry[2])]
    chosen = asserted or spoken[-ENTRIES_KEPT:]
    message = "\n".join(text for text, _, _ in chosen if text)
    _, file, line = asserted[0] if asserted else spoken[-1]
    spoke = any(entry[0] != TESTING for entry in entries)
    place = ("", None) if file == TESTING else (file, line)
    return join_message(message.split("\n")[:LINES_KEPT]), *place, spoke


def _entries(lines: Sequence[str]) -> Iterable[tuple[str, int, list[str]]]:
    """Split the output of a test at the least indented places: deeper lines continue a message."""
    found = [(at, match) for at, line in enumerate(lines) if ".go:" in line and (match := ENTRY.match(line))]
    spaced = [entry for entry in found if entry[1][1][0] == " "]
    found = spaced or found  # old versions of Go, or the test itself, indent by tabs
    least = min((len(match[1]) for _, match in found), default=0)
    begins = [(at, match) for at, match in found if len(match[1]) == least]
    for number, (at, match) in enumerate(begins):
        end = begins[number + 1][0] if number + 1 < len(begins) else len(lines)
        yield match[2], int(match[3]), [match[4], *_below(lines[at + 1 : end], least)]


def _parse_other_forms(lines: Sequence[str]) -> tuple[str, str, int | None, bool]:
    """Parse output of a test in other forms than Go's."""
    for at, line in enumerate(lines):
        if ".go:" in line and (glued := GLUED.match(line)):
            said = join_message([glued[4], *_dedent(_below(lines[at + 1 :], 4))][:LINES_KEPT])
            return said, relative(glued[2]), int(glued[3]), True
        number = re.match(r" +Line (\d+):", lines[at + 1]) if at + 1 < len(lines) else None
        if number and (convey := CONVEY.match(line)):
            said = join_message(text.strip() for text in lines[at + 2 : at + 2 + LINES_KEPT] if text.strip())
            return said, relative(convey[1]), int(number[1]), True
    return join_message([line for line in lines if line.strip()][-LINES_KEPT:]), "", None, False


def _below(lines: Sequence[str], least: int) -> list[str]:
    """Return the lines that continue a message: those deeper than its place, or blank."""
    kept: list[str] = []
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip(" \t")) <= least:
            break
        kept.append(line)
    return kept


def _is_testify(lines: Sequence[str]) -> bool:
    return not lines[0].strip() and any("Error Trace:" in line for line in lines[1:4])


def _assertion(file: str, line: int, lines: list[str]) -> tuple[str, str, int]:
    """Return the message of an entry and its place; of a testify assertion, its `Error:` and `Messages:`."""
    if lines[0].startswith(PANICKED) and any("testify" in text for text in lines):
        place = place_in_stack(dedent("\n".join(lines[1:])).split("\n"))
        return lines[0], place[0] or relative(file), place[1] or line
    if not _is_testify(lines):
        return join_message([lines[0], *_dedent(lines[1:])]), relative(file), line
    field = ""
    kept: list[str] = []
    for text in lines[1:]:
        label, _, rest = text.strip().partition(":")
        if label in {"Error Trace", "Error", "Test", "Messages"}:
            field = label
        else:
            rest = text.strip()
        if field == "Error Trace" and not kept and (found := re.match(r"\s*(\S+\.go):(\d+)$", rest)):
            if "/" in found[1] or "\\" in found[1]:
                file, line = found[1], int(found[2])
            field = "traced"
        elif field in {"Error", "Messages"} and rest.strip():
            kept.append(rest.strip())
    return "\n".join(kept), relative(file), line


def _dedent(lines: Sequence[str]) -> list[str]:
    return join_message(lines).split("\n") if lines else []


def place_in_stack(lines: Sequence[str], test: str = "") -> tuple[str, int | None]:
    """Return the first place of a stack outside of Go and libraries; with a test, only a place in its code."""
    begin = next((at for at, line in enumerate(lines) if line.startswith("panic(")), 0)
    for at in range(begin + 1, len(lines)):
        found = FRAME.match(lines[at])
        if not found or any(part in found[1] for part in NOT_OURS) or found[1].startswith("_testmain"):
            continue
        if not test or f".{test}" in lines[at - 1]:
            return relative(found[1]), int(found[2])
    return "", None


def tests_in_stack(lines: Sequence[str], package: str) -> list[str]:
    """Return the names of the tests whose code is in a stack, each once."""
    found = (TEST_IN_FRAME.match(line) for line in lines if not line.startswith("\t"))
    names = [match[2] for match in found if match and match[1].removesuffix("_test") == (package or match[1])]
    return list(dict.fromkeys(names))


def module_length(parts: Sequence[str]) -> int:
    """Return how many parts of a package's path are its module, as modules are commonly named.

    `shop/cart`, `example.com/shop/cart`, `git.example.com/team/shop/cart`: a log of one folder has no other clue.
    """
    if "." not in parts[0]:
        return 1
    return MODULE_WITH_OWNER if CODE_HOST.match(parts[0]) else MODULE_WITH_OWNER - 1


class Packages:
    """The packages that a log names, which show in which folder of the repository each of them is."""

    def __init__(self) -> None:
        self._seen: dict[str, None] = {}
        self._folders: dict[str, str] = {}

    def __bool__(self) -> bool:
        return bool(self._seen)

    def add(self, package: str) -> None:
        """Record a package's import path."""
        if len(self._seen) < MOST_PACKAGES:
            self._seen[package] = None

    def each_once(self, failures: Sequence[Failure]) -> list[Failure]:
        """Return each failure once, with the data of all its occurrences, and with the folder of its file.

        A package of which a test failed is told only if it says more: a test may have printed the line of its end.
        """
        for one in failures:
            self._learn(one)
        once: dict[str, Failure] = {}
        for one in failures:
            before = once.get(one.name)
            if before:
                best = one if before.line is None else before
                once[one.name] = evolve(best, log_line=before.log_line, attempts=before.attempts + 1)
            else:
                once[one.name] = one
        tested = {one.place for one in once.values() if one.selector}
        told = (one for one in once.values() if one.selector or one.message or one.place not in tested)
        return [self.add_folder(one) for one in told]

    def _learn(self, failure: Failure) -> None:
        """Record a package's folder from a failure whose file has its whole path."""
        folder, _, _ = failure.file.rpartition("/")
        if folder and not folder.startswith("/") and failure.place.endswith(f"/{folder}"):
            self._folders[failure.place] = folder

    def full(self, short: str) -> str:
        """Return the import path of a package that is named relative to its module.

        Empty if the log does not show it.
        """
        if short == ".":
            shared = "/".join(self._common_prefix())
            return shared if shared in self._seen else ""
        ending = [name for name in self._seen if name == short or name.endswith(f"/{short}")]
        if len(ending) != 1:
            return ""
        self._folders[ending[0]] = short
        return ending[0]

    def add_folder(self, failure: Failure) -> Failure:
        """Return a failure with its package's folder before a bare file name, as far as the log shows it."""
        if not failure.file or "/" in failure.file or not failure.place:
            return failure
        folder = self._folders.get(failure.place) or self._folder(failure.place)
        return evolve(failure, file=f"{folder}/{failure.file}" if folder else failure.file)

    def _folder(self, package: str) -> str:
        """Return the certain end of a package's folder: below the module, or below all packages."""
        parts = package.split("/")
        if package.startswith("//"):
            return package[2:].partition(":")[0]
        if package.startswith("."):
            return package.removeprefix("./").strip(".")
        if package.startswith(HOSTS):
            below = parts[MODULE_WITH_OWNER:]
            return "/".join(below[1:] if below and VERSION.match(below[0]) else below)
        return "/".join(parts[min(len(self._common_prefix()), module_length(parts)) :])

    def _common_prefix(self) -> list[str]:
        every = [name.split("/") for name in self._seen if not name.startswith(HOSTS)]
        if not every:
            return []
        first, last = min(every), max(every)
        pairs = zip(first, last, strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(first), len(last)))
        return first[:same]
