r"""Builds of container images that fail: BuildKit, Docker's classic builder, Buildah and Podman, Kaniko.

#8 [build 4/4] RUN npm test                                                          BuildKit
#8 0.512 whatever the step prints
#8 ERROR: process "/bin/sh -c npm test" did not complete successfully: exit code: 1
------
 > [build 4/4] RUN npm test:
0.512 whatever the step prints
------
Dockerfile:4
--------------------
   4 | >>> RUN npm test
--------------------
ERROR: failed to solve: process "/bin/sh -c npm test" did not complete successfully: exit code: 1

Step 4/6 : RUN npm test                                                              the classic builder
The command '/bin/sh -c npm test' returned a non-zero code: 1

STEP 4/6: RUN npm test                                                               Buildah
Error: building at STEP "RUN npm test": exit status 1

What a known tool reports within the failing step replaces the failure of the step.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import ClassVar

from ci_failures.model import MOST_FAILURES, Failure, Line, Parser
from ci_failures.parsers.text_helpers import join_message, relative

VERTEX = re.compile(r"#(\d{1,6}) \[(?:[^\]\n]{1,100} )?\d{1,4}/\d{1,4}\] ")
FAILED = re.compile(r"#(\d{1,6}) ERROR: (.+)$")
HEADER = re.compile(r" > \[(.{1,100})\](?: (.*?))?:$")
RULE = re.compile(r"-{6,30}$")
PLACE = re.compile(r"((?:[\w@.+-]+/)*[\w@.+-]{1,100}):(\d{1,6})$")
STEP = re.compile(r"(?:\[\d+/\d+\] )?S(?:tep|TEP) \d+/\d+ ?: (.*)$")
SOLVED = re.compile(r"(?:.{0,100}?: )?failed to (?:build: failed to )?solve(?: with frontend \S+)?: (.+)$")
OLD = re.compile(r"(executor failed running \[.*\]: exit code: \d+|failed to compute cache key: .+)$")
CLASSIC = re.compile(r"(?:.{0,40}: )?(The command '.*' returned a non-zero code: [1-9]\d*|(?:COPY|ADD) failed: .+)$")
PARSED = re.compile(r"(?:.{0,100}: )?([Dd]ockerfile parse error (?:on )?line (\d+): (.+))$")
AT_STEP = re.compile(r'(?:Error: |error )?(?:error )?building at STEP "(.*?)": (.+)$')
KANIKO = re.compile(r"error building image: error building stage: (failed to execute command: .+)$")
LAST = ("failed", "ockerfile parse error ", "building at STEP", "returned a non-zero code", "error building image")
"""A part of each last line of a build."""
OWN = re.compile(r" ---> |Sending build context to |Removing intermediate container |(?:\[\d+/\d+\] )?S(?:tep|TEP) \d")
"""What builders print themselves between the lines of a step."""
MOST_STEPS = 1_000
SHOWN = 12
"""Lines of a step's output that are kept."""
NAMED = 120


class ImageBuilds(Parser):
    """Parser of failing steps; what is printed in the range of one is covered by it."""

    tool: ClassVar[str] = "docker"
    wakes: ClassVar[tuple[str, ...]] = (
        "] RUN ",
        "\nStep ",
        "STEP ",
        "executor failed running [",
        "failed to solve",
        "failed to compute cache key: ",
        " did not complete successfully: exit code: ",
        "' returned a non-zero code: ",
        "\nCOPY failed: ",
        "\nADD failed: ",
        "ockerfile parse error ",
        "\nerror building image: ",
    )
    before: ClassVar[int] = SHOWN

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._covered: dict[str, tuple[int, int]] = {}
        self._begins: dict[str, int] = {}
        self._errors: set[str] = set()
        self._past: deque[str] = deque(maxlen=SHOWN)
        self._clear()

    def _clear(self) -> None:
        self._begun = 0
        self._step = ""
        self._file, self._place = "", 0
        self._output: list[str] | None = None
        self._rules = 0
        self._open = False

    def wants_before(self, text: str) -> bool:
        """Return whether a line may tell that a step failed, which is said behind its output."""
        return not (VERTEX.match(text) or STEP.match(text))

    def read(self, line: Line) -> bool:
        """Read the beginning of a step, a line about one that failed, or the last line of the build."""
        text = line.text.rstrip()
        if _may_begin_step(text) and self._begins_step(text, line.number):
            pass
        elif not (any(map(text.__contains__, LAST)) and self._ends(text, line.number)) and self._open:
            self._read_block(text)
        self._past.append(text)
        return self._open

    def _begins_step(self, text: str, number: int) -> bool:
        """Read the beginning of a step, or its error; return whether a line is one."""
        if (step := VERTEX.match(text)) and len(self._begins) < MOST_STEPS:
            self._begins.setdefault(step[1], number)
        elif step := STEP.match(text):
            self._clear()
            self._past.clear()
            self._step, self._begun = step[1], number
        elif failed := FAILED.match(text):
            self._clear()
            self._begun, self._open = self._begins.get(failed[1], number), True
        else:
            return False
        return True

    def _read_block(self, text: str) -> None:
        """Read a line between the error of a step and the end of the build: its title, its output, its place."""
        if header := HEADER.match(text):
            self._step, self._output = header[2] or f"[{header[1]}]", []
        elif RULE.match(text):
            self._rules += 1
            self._output = self._output or None
            self._open = self._rules <= len(("before", "after", "source", "end"))
        elif self._output is not None and self._rules == 1:
            self._output = [*self._output, text][-SHOWN:]
        elif place := PLACE.match(text):
            self._file, self._place = relative(place[1]), int(place[2])

    def _ends(self, text: str, number: int) -> bool:
        """Record the failure of a build if a line is its last one."""
        if parsed := PARSED.match(text):
            self._place = self._place or int(parsed[2])
            self._add("dockerfile parse error", parsed[1], [], number)
        elif at := AT_STEP.match(text):
            self._add(at[1], at[2], self._past, number)
        elif found := CLASSIC.match(text) or KANIKO.match(text):
            self._add(self._step, found[1], self._past, number)
        elif found := SOLVED.match(text) or OLD.match(text):
            if self._step or found[1] not in self._errors:  # actions repeat the last line of a build
                self._add(self._step, found[1], self._output or [], number)
            if len(self._errors) < MOST_STEPS:
                self._errors.add(found[1])
        else:
            return False
        return True

    def _add(self, step: str, error: str, output: Iterable[str], number: int) -> None:
        step = " ".join(step.split()) or error
        short = step if len(step) <= NAMED else f"{step[:NAMED]}…"
        place = f" {self._file}:{self._place}" if self._file else f" line {self._place}" if self._place else ""
        name, begun = f"{short}{place}", self._begun or number
        kept = [line for line in map(str.rstrip, output) if line and not OWN.match(line)]
        if name not in self._found and len(self._found) < MOST_FAILURES:
            self._found[name] = Failure(
                tool=self.tool,
                kind="compile",
                name=name,
                message=join_message([error, *kept]),
                file=self._file,
                line=self._place if self._file else None,
                log_line=number,
            )
            self._covered[name] = begun, number
        self._past.clear()
        self._clear()

    def finish(self) -> Iterable[Failure]:
        """Return the steps that failed."""
        return list(self._found.values())

    def covers(self) -> Mapping[str, tuple[int, int]]:
        """Return the lines of the steps, which may tell more."""
        return self._covered


def _may_begin_step(text: str) -> bool:
    """Check whether a line may begin a step or tell its error, without the patterns: few lines of a build do."""
    if text[:1] == "#":
        return "[" in text[:9] or " ERROR: " in text[:16]
    return text[:1] in {"S", "["}
