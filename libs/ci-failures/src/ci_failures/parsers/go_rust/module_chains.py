"""Modules that the go command cannot load, below the packages and modules that lead to them."""

import re
from collections.abc import Iterable

from attrs import evolve

from ci_failures.model import MOST_FAILURES, Failure, Line, describe_cut
from ci_failures.parsers.go_rust.golang import GoParser
from ci_failures.parsers.text_helpers import join_message

LINK = re.compile(r"(?:go: |\t)?(?=\S*[./])[\w.~/+@-]{1,500} (?:imports|requires|tested by)$")
"""A package or a module that leads to the one on the next line; before Go 1.18, the first one has no prefix."""
END = re.compile(r"\t(?=[\w~/+-]*[./])([\w.~/+-]{1,500}(?:@[\w.+-]{1,200})?): (\S.*)$")
LONGEST_CHAIN, MOST_DETAILS = 50, 8


class ModuleChains(GoParser):
    """Parser of chains, as `go mod tidy` and builds print them; each ends with a module and what is wrong with it."""

    wakes = (" imports\n", " requires\n", " tested by\n")
    first_line = r"(?:go: )?[\w.~/+@-]+ (?:imports|requires|tested by)$"

    def __init__(self) -> None:
        self._found: dict[str, Failure] = {}
        self._chain: list[str] = []
        self._number = 0
        self._last = ""
        self._cut = False

    def read(self, line: Line) -> bool:
        """Read a line: the beginning of a chain, or one that continues it."""
        text = line.text.rstrip()
        if LINK.match(text):
            if not text.startswith("\t"):
                self._chain, self._number = [], line.number
            elif not self._chain:
                return False
            if len(self._chain) < LONGEST_CHAIN:
                self._chain.append(text)
            return True
        if self._chain and (end := END.match(text)):
            self._add(end)
            self._chain = []
            return bool(self._last)
        self._chain = []
        return self._detail(text)

    def _detail(self, text: str) -> bool:
        """Read a line below a message that ends with a colon; return whether more may follow."""
        one = self._found.get(self._last)
        if one is None or not text.startswith("\t") or one.message.count("\n") >= LONGEST_CHAIN + MOST_DETAILS:
            self._last = ""
            return False
        self._found[self._last] = evolve(one, message=join_message([one.message, text.strip()]))
        return True

    def _add(self, end: re.Match[str]) -> None:
        self._last = ""
        name = f"module {end[1]}"
        self._cut = self._cut or len(self._found) >= MOST_FAILURES
        if self._cut or name in self._found:
            return
        self._found[name] = Failure(
            tool="go",
            kind="dependency",
            name=name,
            message=join_message([end[0].strip(), *(text.strip() for text in self._chain)]),
            log_line=self._number,
        )
        self._last = name if end[2].endswith(":") else ""

    def finish(self) -> Iterable[Failure]:
        """Return each module once."""
        return list(self._found.values())

    def gap(self) -> str:
        """Return that modules beyond the bound were left out."""
        return describe_cut(self.tool) if self._cut else ""
