"""Linters each of whose findings is a line with its place, its rule and its text.

a.md:6: recieve ==> receive
Dockerfile:4 DL4000 error: MAINTAINER is deprecated
src/bad.py:2: unused import 'json' (90% confidence)
src/bad.cc:2:  Missing space before {  [whitespace/braces] [5]
"""

import re
from typing import ClassVar

from ci_failures.model import Kind, Line
from ci_failures.parsers.scripting.linting import Linter

PATH = r"(?P<file>[^\s:][^:]{0,400})"
PYTHON_PATH = r"(?P<file>[^\s:][^:]{0,400}\.pyi?)"
AT = r":(?P<line>\d{1,7}):(?P<column>\d{1,7})"


class LineLinter(Linter):
    """Parser of lines of one form; subclasses have the form and the total."""

    form: ClassVar[re.Pattern[str]]
    """Its groups are `file`, `line`, `column`, `rule` and `text`; a text without a rule is one."""

    count: ClassVar[re.Pattern[str] | None] = None
    """The form of the tool's total, whose first group is a number."""

    syntax: ClassVar[frozenset[str]] = frozenset()
    """Rules by which a file cannot be parsed."""

    def read(self, line: Line) -> bool:
        """Read a line with a finding, or the total."""
        text = line.text.rstrip()
        if found := self.form.match(text):
            groups = found.groupdict()
            rule = groups.get("rule") or groups["text"]
            kind: Kind = "compile" if rule in self.syntax else "lint"
            self.find(
                rule, groups["file"], int(groups["line"]), groups["text"], line.number,
                column=int(groups.get("column") or 0), kind=kind,
            )  # fmt: skip
        elif self.count and (total := self.count.match(text)):
            self.add_total(int(total[1]))
        return False


class Codespell(LineLinter):
    """Parser of the words that codespell would correct."""

    tool: ClassVar[str] = "codespell"
    again: ClassVar[tuple[str, ...]] = ("codespell",)
    wakes: ClassVar[tuple[str, ...]] = (" ==> ",)
    first_line: ClassVar[str] = r"[^\s:][^:]*:\d+: \S+ ==> "
    form: ClassVar[re.Pattern[str]] = re.compile(PATH + r":(?P<line>\d{1,7}): (?P<rule>\S{1,80}) ==> (?P<text>\S.*)$")


class Cspell(LineLinter):
    """Parser of the words that cspell does not know."""

    tool: ClassVar[str] = "cspell"
    again: ClassVar[tuple[str, ...]] = ("npx", "cspell")
    wakes: ClassVar[tuple[str, ...]] = (" - Unknown word (", " - Forbidden word (", "CSpell: Files checked: ")
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + AT + r" +- (?P<text>(?:Unknown|Forbidden) word \((?P<rule>[^)]{1,200})\).*)$"
    )
    count: ClassVar[re.Pattern[str] | None] = re.compile(
        r"CSpell: Files checked: [\d,]+(?: \(.*\))?, Issues found: (\d+) in"
    )


class TyposLines(LineLinter):
    """Parser of the brief form of typos; `Typos` reads the long one."""

    tool: ClassVar[str] = "typos"
    again: ClassVar[tuple[str, ...]] = ("typos",)
    wakes: ClassVar[tuple[str, ...]] = ("` should be `", "` -> `")
    first_line: ClassVar[str] = r"[^\s:][^:]*:\d+:\d+: |error: `"
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + AT + r": (?:error: )?(?P<text>`(?P<rule>[^`]{1,80})` (?:should be|->) `.*)$"
    )


class TyLines(LineLinter):
    """Parser of the concise form of ty's errors; `Ty` reads the long one."""

    tool: ClassVar[str] = "ty"
    again: ClassVar[tuple[str, ...]] = ("ty", "check")
    wakes: ClassVar[tuple[str, ...]] = (": error[",)
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.(?:pyi?|ipynb))"
        + AT
        + r": error\[(?P<rule>[a-z]+-[a-z-]{1,80})\] (?P<text>\S.*)$"
    )
    syntax: ClassVar[frozenset[str]] = frozenset({"invalid-syntax"})


class Hadolint(LineLinter):
    """Parser of hadolint's findings, of which only those of the level `style` fail no run by default."""

    tool: ClassVar[str] = "hadolint"
    again: ClassVar[tuple[str, ...]] = ("hadolint",)
    wakes: ClassVar[tuple[str, ...]] = tuple(f" {rule}" for rule in ("DL1", "DL3", "DL4", "SC1", "SC2", "SC3"))
    first_line: ClassVar[str] = r"[^\s:][^:]*:\d+ (?:DL|SC)\d{4} "
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + r":(?P<line>\d{1,7}) (?P<rule>(?:DL|SC)\d{4}) (?:error|warning|info): (?P<text>\S.*)$"
    )
    syntax: ClassVar[frozenset[str]] = frozenset({"DL1000"})


class Vulture(LineLinter):
    """Parser of the code that vulture finds to be unused."""

    tool: ClassVar[str] = "vulture"
    again: ClassVar[tuple[str, ...]] = ("vulture",)
    wakes: ClassVar[tuple[str, ...]] = ("% confidence)",)
    form: ClassVar[re.Pattern[str]] = re.compile(
        PYTHON_PATH + r":(?P<line>\d{1,7}): (?P<text>(?P<rule>unused [a-z]+ '[^']{1,200}'|unreachable code|"
        r"unsatisfiable '[a-z]+' condition).* \(\d{1,3}% confidence(?:, \d+ lines?)?\))$"
    )


class Pyflakes(LineLinter):
    """Parser of pyflakes, whose messages have no rules: flake8 prints the same with a code before them."""

    tool: ClassVar[str] = "pyflakes"
    again: ClassVar[tuple[str, ...]] = ("pyflakes",)
    wakes: ClassVar[tuple[str, ...]] = (
        " imported but unused", ": undefined name '", " is assigned to but never used", ": redefinition of unused ",
        ": f-string is missing placeholders", ": 'from ", ": invalid syntax",
    )  # fmt: skip
    first_line: ClassVar[str] = r".*\.pyi?:\d+:\d+:? (?!(?:[A-Z]{1,4}\d|error|SyntaxError|note|\[))"
    form: ClassVar[re.Pattern[str]] = re.compile(
        PYTHON_PATH + AT + r":? (?P<text>(?P<rule>'[^']{1,200}' imported but unused|undefined name '[^']{1,200}'"
        r"|local variable '[^']{1,200}' is assigned to but never used|redefinition of unused '[^']{1,200}'"
        r"|f-string is missing placeholders|'from [^']{1,200}' used; unable to detect undefined names|invalid syntax)"
        r".*)$"
    )
    syntax: ClassVar[frozenset[str]] = frozenset({"invalid syntax"})


class Cpplint(LineLinter):
    """Parser of cpplint."""

    tool: ClassVar[str] = "cpplint"
    again: ClassVar[tuple[str, ...]] = ("cpplint",)
    wakes: ClassVar[tuple[str, ...]] = ("] [1]\n", "] [2]\n", "] [3]\n", "] [4]\n", "] [5]\n", "\nTotal errors found: ")
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + r":(?P<line>\d{1,7}):  (?P<text>\S.*?)  \[(?P<rule>[a-z_]{1,40}/[\w+/-]{1,80})\] \[[1-5]\]$"
    )
    count: ClassVar[re.Pattern[str] | None] = re.compile(r"Total errors found: (\d+)$")


class Doc8(LineLinter):
    """Parser of doc8."""

    tool: ClassVar[str] = "doc8"
    again: ClassVar[tuple[str, ...]] = ("doc8",)
    wakes: ClassVar[tuple[str, ...]] = (": D0", "Total accumulated errors = ")
    first_line: ClassVar[str] = r".*:\d+: D00\d |Total acc"
    form: ClassVar[re.Pattern[str]] = re.compile(PATH + r":(?P<line>\d{1,7}): (?P<rule>D00\d) (?P<text>.*)$")
    count: ClassVar[re.Pattern[str] | None] = re.compile(r"Total accumulated errors = (\d+)$")


class Rstcheck(LineLinter):
    """Parser of rstcheck."""

    tool: ClassVar[str] = "rstcheck"
    again: ClassVar[tuple[str, ...]] = ("rstcheck",)
    wakes: ClassVar[tuple[str, ...]] = (": (INFO/1) ", ": (WARNING/2) ", ": (ERROR/3) ", ": (SEVERE/4) ")
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + r":(?P<line>\d{1,7}): \((?P<rule>INFO|WARNING|ERROR|SEVERE)/[1-4]\) (?P<text>\S.*)$"
    )


class Pymarkdown(LineLinter):
    """Parser of PyMarkdown."""

    tool: ClassVar[str] = "pymarkdown"
    again: ClassVar[tuple[str, ...]] = ("pymarkdown", "scan")
    wakes: ClassVar[tuple[str, ...]] = (": MD0", ": PML")
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + AT + r": (?P<rule>(?:MD|PML)\d{3}): (?P<text>\S.*) \([a-z][\w, -]{2,120}\)$"
    )


class Jshint(LineLinter):
    """Parser of JSHint, which names rules only if it is asked to."""

    tool: ClassVar[str] = "jshint"
    again: ClassVar[tuple[str, ...]] = ("npx", "jshint")
    wakes: ClassVar[tuple[str, ...]] = (".js: line ", ".html: line ", " errors\n", " error\n")
    first_line: ClassVar[str] = r"[^:]*\.(?:js|html): line \d+, col \d"
    count: ClassVar[re.Pattern[str] | None] = re.compile(r"(\d{1,7}) errors?$")
    form: ClassVar[re.Pattern[str]] = re.compile(
        PATH + r": line (?P<line>\d{1,7}), col (?P<column>\d{1,7}), (?!(?i:error|warning) - )"
        r"(?P<text>\S.*?)(?: \((?P<rule>[EWI]\d{3})\))?$"
    )


class Htmlhint(LineLinter):
    """Parser of the compact and the unix form of HTMLHint."""

    tool: ClassVar[str] = "htmlhint"
    again: ClassVar[tuple[str, ...]] = ("npx", "htmlhint")
    wakes: ClassVar[tuple[str, ...]] = (", error - ", " [error/")
    first_line: ClassVar[str] = r".*\.(?:html?|xhtml|vue|svelte)[:(]"
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.(?:html?|xhtml|vue|svelte)):(?: line )?(?P<line>\d{1,7})(?:, col |:)"
        r"(?P<column>\d{1,7})(?:, error - |: )(?P<text>\S.*) (?:\(|\[error/)(?P<rule>[a-z][\w-]{2,80})[)\]]$"
    )


class StylelintLines(LineLinter):
    """Parser of the compact and the unix form of Stylelint."""

    tool: ClassVar[str] = "stylelint"
    again: ClassVar[tuple[str, ...]] = ("npx", "stylelint")
    wakes: ClassVar[tuple[str, ...]] = (", error - ", ") [error]\n")
    first_line: ClassVar[str] = r".*\.(?:css|s[ac]ss|less|vue|svelte):"
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.(?:css|s[ac]ss|less|vue|svelte)):(?: line )?(?P<line>\d{1,7})(?:, col |:)"
        r"(?P<column>\d{1,7})(?:, error - |: )(?P<text>\S.*?) \((?P<rule>[a-z@][\w@/-]{2,100})\)(?: \[error\])?$"
    )


class AnsibleLint(LineLinter):
    """Parser of the short form of ansible-lint; `AnsibleLintBlocks` reads the other one."""

    tool: ClassVar[str] = "ansible-lint"
    again: ClassVar[tuple[str, ...]] = ("ansible-lint",)
    wakes: ClassVar[tuple[str, ...]] = tuple(f".{end}:{digit}" for end in ("yml", "yaml") for digit in "123456789")
    first_line: ClassVar[str] = r"[^\s:][^:]*\.ya?ml:\d+(?::\d+)?: [a-z][a-z-]+(?:\[[\w-]+\])?(?:\[/\])?: "
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"(?P<file>[^\s:][^:]{0,400}\.ya?ml):(?P<line>\d{1,7})(?::(?P<column>\d{1,7}))?: "
        r"(?P<rule>[a-z][a-z-]{1,60}(?:\[[\w-]{1,60}\])?)(?:\[/\])?: (?P<text>[A-Z].*)$"
    )


class TslintLines(LineLinter):
    """Parser of the forms `prose` and `verbose` of TSLint, of which the first names no rules."""

    tool: ClassVar[str] = "tslint"
    again: ClassVar[tuple[str, ...]] = ("npx", "tslint")
    wakes: ClassVar[tuple[str, ...]] = ("\nERROR: ",)
    first_line: ClassVar[str] = r"ERROR: (?:\([\w-]+\) )?\S.*\.[jt]sx?(?::\d|\[\d)"
    form: ClassVar[re.Pattern[str]] = re.compile(
        r"ERROR: (?:\((?P<rule>[\w-]{1,80})\) )?(?P<file>[^\s:\[][^:\[]{0,400}\.[jt]sx?)(?::|\[)(?P<line>\d{1,7})"
        r"(?::|, )(?P<column>\d{1,7})(?: - |\]: )(?P<text>\S.*)$"
    )
