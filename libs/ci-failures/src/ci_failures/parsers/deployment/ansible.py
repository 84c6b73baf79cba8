r"""Ansible's tasks that failed on a host, in its default form, in YAML, and in one line for each host.

TASK [web : Start nginx] *******************************************************
fatal: [db-1]: FAILED! => {"changed": false, "msg": "Could not find the requested service nginx: host"}
...ignoring

PLAY RECAP *********************************************************************
db-1                       : ok=3    changed=1    unreachable=0    failed=1    skipped=0    rescued=0    ignored=1

Neither what is ignored is a failure, nor what a block rescues: the recap of the host counts it apart.
"""

import re
from collections.abc import Iterable
from typing import ClassVar

from attrs import evolve

from ci_failures.model import MOST_FAILURES, MOST_TEXT, Failure, Line, Parser

TASK = re.compile(r"(?:TASK|RUNNING HANDLER|HANDLER) \[(.{1,400})\] \*{3,}")
FATAL = re.compile(
    r"(?:fatal|failed): \[([^\]]{1,200})\](?::| \(item=.{0,1000}?\)(?: =>)?) ?(?:(FAILED|UNREACHABLE)! )?(=>|\{)"
)
ONE_LINE = re.compile(r"(?:(\S{1,200}) \| )?(?:FAILED|UNREACHABLE)! => ?")
"""The host is absent where it has the form of a container of Compose, whose name is removed from the line."""
RECAP = re.compile(r"(\S{1,200}) +: ok=\d+ +changed=\d+ +unreachable=(\d+) +failed=(\d+)\b")
IGNORED = "...ignoring"
SAID = re.compile(r'"msg": "((?:[^"\\]|\\.){1,4000})')
BELOW = re.compile(r"  (?:msg|stderr): (\S.*)$")
MOST_BELOW = 40


class Ansible(Parser):
    """Parser of tasks that failed; each is named by the task and the host."""

    tool: ClassVar[str] = "ansible"
    wakes: ClassVar[tuple[str, ...]] = (
        *("\nTASK [", "\nRUNNING HANDLER [", "FAILED! => ", "UNREACHABLE! => ", "\nfailed: ["),
        *(IGNORED, " unreachable="),
    )

    def __init__(self) -> None:
        self._task = ""
        self._open: dict[str, list[Failure]] = {}
        self._found: dict[str, Failure] = {}
        self._host = self._last = ""
        self._below = self._count = 0

    def read(self, line: Line) -> bool:
        """Read the name of a task, a failure of it, what is below, or the recap of a host."""
        text = line.text.rstrip()
        if task := TASK.match(text):
            self._task, self._host = task[1], ""
        elif text.startswith(IGNORED):
            self._drop_last()
        elif failed := FATAL.match(text):
            self._add(failed[1], text[failed.end() :], line.number, is_sure=True)
        elif failed := ONE_LINE.match(text):
            self._add(failed[1] or "", text[failed.end() :], line.number, is_sure=False)
        elif recap := RECAP.match(text):
            self._close(recap[1], is_failed=recap[2] != "0" or recap[3] != "0")
        elif self._host:
            self._more(text)
        return bool(self._host)

    def _add(self, host: str, data: str, number: int, *, is_sure: bool) -> None:
        """Record a failure, of which it is not yet known whether it is rescued."""
        said = SAID.search(data)
        message = said[1].replace("\\n", "\n").replace('\\"', '"')[:MOST_TEXT] if said else ""
        task = self._task if is_sure else ""
        name = f"{task or message or 'task'} [{host}]".removesuffix(" []")
        one = Failure(
            tool=self.tool, kind="compile", name=name[:MOST_TEXT], message=message, place=host, log_line=number,
            confidence="high" if is_sure else "medium",
        )  # fmt: skip
        if self._count < MOST_FAILURES:
            self._open.setdefault(host, []).append(one)
            self._count += 1
        self._last = host
        self._host, self._below = ("", 0) if message else (host, MOST_BELOW)

    def _more(self, text: str) -> None:
        """Read a line below a failure in the form of YAML."""
        self._below -= 1
        kept = self._open.get(self._host)
        if kept and (said := BELOW.match(text)):
            kept[-1] = evolve(kept[-1], message=said[1])
            self._host = ""
        elif self._below <= 0 or not text.startswith(" "):
            self._host = ""

    def _drop_last(self) -> None:
        """Leave out the failure above, which the playbook ignores."""
        if kept := self._open.get(self._last):
            kept.pop()
        self._last = ""

    def _close(self, host: str, *, is_failed: bool) -> None:
        """Keep the failures of a host if its recap counts any."""
        for one in self._open.pop(host, ()):
            if is_failed:
                self._found.setdefault(one.name, one)

    def finish(self) -> Iterable[Failure]:
        """Return the failures; a playbook that ends without a recap rescued none."""
        for host in list(self._open):
            self._close(host, is_failed=True)
        return self._found.values()
