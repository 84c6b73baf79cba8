"""Processes that were killed, mostly for lack of memory; one entry for a log, the most certain."""

from collections.abc import Iterable
from typing import ClassVar

from ci_failures.model import Failure, Line
from ci_failures.parsers.single_line_parser import Sign, SignParser, literals

SHUT_DOWN = "The runner has received a shutdown signal"
CRASHED = "Crashed tests:"
"""Lines with classes in Surefire's output, which its own parser reads."""
SIGNS = (
    Sign(
        wakes="JavaScript heap out of memory",
        kind="out_of_memory",
        tool="node",
        rule="JavaScript heap out of memory",
        form=r"^(?:FATAL ERROR: .{1,200} |<--- .*)?(?:Allocation failed - )?JavaScript heap out of memory",
    ),
    Sign(
        wakes="Allowed memory size of ",
        kind="out_of_memory",
        tool="php",
        rule="memory limit reached",
        form=r"^.{0,80}?(?:PHP )?Fatal error: +Allowed memory size of \d+ bytes exhausted",
    ),
    Sign(
        wakes="java.lang.OutOfMemoryError",
        kind="out_of_memory",
        tool="java",
        rule="java.lang.OutOfMemoryError",
        form=r"^(?:Exception in thread \".{1,200}\" |\[ERROR\] |Terminating due to |# )?java\.lang\.OutOfMemoryError:"
        r" (?P<what>.{1,200}?)"
        r"(?: -> \[Help 1\])?$",
    ),
    Sign(
        wakes="insufficient memory for the Java Runtime Environment",
        kind="out_of_memory",
        tool="java",
        rule="the Java Runtime Environment has not enough memory",
        form=r"^# There is insufficient memory for the Java Runtime Environment to continue\.$",
    ),
    Sign(
        wakes="Expiring Daemon because JVM heap space is exhausted",
        kind="out_of_memory",
        tool="gradle",
        rule="the heap of Gradle's daemon is exhausted",
        form=r"^Expiring Daemon because JVM heap space is exhausted",
    ),
    Sign(
        wakes="terminated program",
        kind="out_of_memory",
        tool="gcc",
        rule="the compiler was killed:",
        form=r"^\S{1,200}: fatal error: Killed signal terminated program (?P<what>\S+)$",
    ),
    Sign(
        wakes="internal compiler error: Killed",
        kind="out_of_memory",
        tool="gcc",
        rule="the compiler was killed:",
        form=r"^\S{1,200}: internal compiler error: Killed \((?:signal terminated )?program (?P<what>[^)]{1,100})\)",
    ),
    Sign(
        wakes="memory exhausted: Cannot allocate memory",
        kind="out_of_memory",
        tool="gcc",
        rule="virtual memory exhausted",
        form=r"^virtual memory exhausted: Cannot allocate memory$",
    ),
    Sign(
        wakes="fatal error: runtime: out of memory",
        kind="out_of_memory",
        tool="go",
        rule="runtime: out of memory",
        form=r"^fatal error: runtime: out of memory$",
    ),
    Sign(
        wakes="ERR_WORKER_OUT_OF_MEMORY",
        kind="out_of_memory",
        tool="node",
        rule="a worker is out of memory",
        form=r"^\s*(?:Error|RangeError) \[ERR_WORKER_OUT_OF_MEMORY\]: ",
    ),
    Sign(
        wakes="disappeared unexpectedly (it may have been killed",
        kind="out_of_memory",
        tool="gradle",
        rule="Gradle's daemon was killed",
        confidence="medium",
        form=r"^(?:> )?Gradle build daemon disappeared unexpectedly \(it may have been killed",
    ),
    Sign(
        wakes="terminated with signal 9",
        kind="out_of_memory",
        tool="gcc",
        rule="the linker was killed:",
        form=r"^collect2: (?:fatal )?error: (?P<what>\S+) terminated with signal 9",
    ),
    Sign(
        wakes="Out of memory: Killed process",
        kind="out_of_memory",
        rule="the kernel killed",
        form=r"(?:^|\] |: )Out of memory: Killed process \d+ \((?P<what>[^)]{1,100})\)",
    ),
    Sign(
        wakes="SIGKILL",
        kind="out_of_memory",
        tool="cargo",
        rule="killed:",
        confidence="medium",
        form=r"^\s*+(?:process didn't exit successfully: |Caused by: |error: .{1,300}: )?`?(?P<what>[^`]{1,300})`?"
        r" \(signal: 9, SIGKILL: kill\)$",
    ),
    Sign(
        wakes="signal: killed",
        kind="out_of_memory",
        tool="go",
        rule="killed:",
        confidence="medium",
        form=r"^(?:FAIL\t|go build |go: )?(?P<what>[^\s:]{0,300})(?:: \S{1,300}/(?:compile|link|asm|cgo|vet))?:?"
        r" ?signal: killed$",
    ),
    Sign(
        wakes="Killed",
        kind="out_of_memory",
        rule="killed:",
        confidence="medium",
        form=r"^(?:\S{1,300}: line \d+: +\d+ Killed +(?:\(core dumped\) +)?(?P<what>.{1,200}?)|Killed)$",
    ),
    Sign(
        wakes="exit code: 137",
        kind="out_of_memory",
        tool="docker",
        rule="killed: exit code 137",
        confidence="medium",
        form=r"did not complete successfully: exit code: 137$",
    ),
    Sign(
        wakes="exit code 137",
        kind="out_of_memory",
        rule="killed: exit code 137",
        confidence="medium",
        form=r"^(?:##\[error\]|::error::|Error: )?(?:Process completed with|.{0,100}exited with|.{0,200}failed with)"
        r" exit code 137\.?$",
    ),
    Sign(
        wakes="The forked VM terminated without",
        kind="out_of_memory",
        tool="surefire",
        confidence="low",
        rule="the forked VM terminated",
        form=r"The forked VM terminated without (?:properly )?saying (?:properly )?goodbye",
    ),
)
TRUST = ("high", "medium", "low")


class Memory(SignParser):
    """Parser of the traces of killed processes, also in the output of their parents."""

    tool: ClassVar[str] = "memory"
    wakes: ClassVar[tuple[str, ...]] = (*literals(SIGNS), SHUT_DOWN, CRASHED)
    signs = SIGNS

    def __init__(self) -> None:
        super().__init__()
        self._shut_down = self._named = False

    def read(self, line: Line) -> bool:
        """Read a line for signs, and for the shutdown of the whole machine."""
        self._shut_down |= SHUT_DOWN in line.text
        self._named |= CRASHED in line.text
        return super().read(line)

    def finish(self) -> Iterable[Failure]:
        """Return the most certain failure; the shutdown of a machine killed everything on it."""
        told = (one for one in super().finish() if one.tool != "surefire" or not self._named)
        found = sorted(told, key=lambda one: TRUST.index(one.confidence))
        return [one for one in found[:1] if not self._shut_down or one.confidence == "high"]
