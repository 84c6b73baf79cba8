"""Bazel's targets that failed, as its summary lists them; what a framework reports in a target's output replaces it.

==================== Test output for //shop:till_test:
[  FAILED  ] Till.Adds (0 ms)
================================================================================
//shop:cart_test                                                         PASSED in 0.1s
//shop:till_test                                                         FAILED in 3 out of 3 in 0.6s
  /home/ci/.cache/bazel/_bazel_ci/7d/execroot/_main/bazel-out/k8-fastbuild/testlogs/shop/till_test/test.log

Executed 2 out of 2 tests: 1 test passes and 1 fails locally.
"""

import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Kind, Line, Parser
from ci_failures.parsers.native.ctest import INNER, INNER_FORMS, OTHERS
from ci_failures.parsers.text_helpers import command, each_once

TARGET = r"(?P<target>(?:@{0,2}[\w.~+-]{1,200})?//[^\s:]{0,400}:[^\s]{1,300})"
ENDED = re.compile(rf"{TARGET} +(?P<what>FAILED|TIMEOUT|FLAKY, failed) in (?P<rest>.{{1,100}})$")
AT_ONCE = re.compile(rf"(?P<what>FAIL|TIMEOUT): {TARGET} \((?:see |Summary|shard )")
OUTPUT = re.compile(rf"=+ Test output for {TARGET}:$")
SUMMARY = re.compile(r"Executed \d+ out of \d+ tests?: (.+)$")
COUNT = re.compile(r"(\d{1,9}) fails? (?:locally|remotely)")
RULE = "=" * 80
"""The end of the output of a target."""


class Bazel(Parser):
    """Parser of the summary; of what Bazel prints while tests run only where a log has no summary."""

    tool: ClassVar[str] = "bazel"
    wakes: ClassVar[tuple[str, ...]] = (
        *(" FAILED in ", " TIMEOUT in ", " FLAKY, failed in ", "\nFAIL: //", "\nFAIL: @", "\nTIMEOUT: //"),
        *("= Test output for ", "\nExecuted "),
    )
    first_line: ClassVar[str] = r"[@/]\S*//?\S+ +(?:FAIL|TIME|FLAKY)|(?:FAIL|TIMEOUT): [@/]|=+ Test|Executed \d+ out"

    def __init__(self) -> None:
        self._ended: dict[str, Failure] = {}
        self._at_once: dict[str, Failure] = {}
        self._inside: set[str] = set()
        self._output = ""
        self._counted: int | None = None

    def read(self, line: Line) -> bool:
        """Read a line; awake within the output of a target."""
        text = line.text.rstrip()
        if self._output:
            is_reported = INNER.search(text) or OTHERS.search(text) or INNER_FORMS.match(text)
            if is_reported and len(self._inside) < MOST_FAILURES:
                self._inside.add(self._output)
            self._output = "" if text == RULE else self._output
        elif shown := OUTPUT.match(text):
            self._output = shown["target"]
        elif (found := ENDED.match(text)) and len(self._ended) < MOST_FAILURES:
            self._ended.setdefault(found["target"], self._failure(found, f"{found['what']} in {found['rest']}", line))
        elif (found := AT_ONCE.match(text)) and len(self._at_once) < MOST_FAILURES:
            self._at_once.setdefault(found["target"], self._failure(found, found["what"], line))
        elif summary := SUMMARY.match(text):
            self._counted = (self._counted or 0) + sum(map(int, COUNT.findall(summary[1])))
        return bool(self._output)

    def _failure(self, found: re.Match[str], message: str, line: Line) -> Failure:
        kind: Kind = "timeout" if found["what"] == "TIMEOUT" else "test"
        return Failure(
            tool=self.tool, kind=kind, name=found["target"], message=message, selector=found["target"],
            log_line=line.number, flaky=found["what"].startswith("FLAKY"),
        )  # fmt: skip

    def finish(self) -> Iterable[Failure]:
        """Return each target once, unless a framework reports what failed in it."""
        found = self._ended or {name: evolve(one, confidence="medium") for name, one in self._at_once.items()}
        return [one for name, one in found.items() if name not in self._inside]

    def total(self) -> int | None:
        """Return how many targets failed, as Bazel counts them, without those whose framework reports what failed."""
        return None if self._counted is None else self._counted - len(self._inside & set(self._ended))

    @classmethod
    def rerun(cls, failures: Sequence[Failure]) -> str:
        """Return one command for all targets."""
        return command("bazel", "test", *each_once(one.selector for one in failures))
