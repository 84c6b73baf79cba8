"""Dialects of RSpec, minitest, PHPUnit and Pest, and ExUnit."""

import re

from ci_failures.parsers.scripting.php import canonical, pattern
from ci_failures.results.dialects.case import Case, DialectCase, first_place
from ci_failures.results.xml import Element

RUBY = re.compile(r"^[ \t]*(?:# )?(\S{1,300}\.rb):(\d{1,7})(?::in|[ \t]*$|\])", re.MULTILINE)
BRACKET = re.compile(r"\[(\S{1,300}\.rb):(\d{1,7})\]")
PHP = re.compile(r"^(\S{1,300}\.php):(\d{1,7})$", re.MULTILINE)
PROVIDER = re.compile(r"The data provider specified for (\S{1,600}+) is invalid")


def parse_case(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of Ruby, PHP or Elixir."""
    text = wrong.text or ""
    if case.root.name.startswith("rspec") and case.file.endswith(".rb"):
        file, line = first_place(text, RUBY)
        return DialectCase(tool="rspec", name=f"{case.file} {case.name}", file=file or case.file, line=line)
    if "lineno" in case.attributes and case.file.endswith(".rb"):
        file, line = first_place(text, BRACKET)
        return DialectCase(
            tool="minitest", name=f"{case.of}#{case.name}", file=file or case.file, line=line or case.line
        )
    if "class" in case.attributes and case.file.endswith(".php"):
        return _phpunit(case, text)
    if (found := PROVIDER.search(text)) and "::" in found[1]:
        return DialectCase(tool="phpunit", name=found[1])
    if case.of.startswith("Elixir."):
        return DialectCase(tool="exunit", name=f'{case.of.removeprefix("Elixir.")} "{case.name}"')
    return None


def _phpunit(case: Case, text: str) -> DialectCase:
    file, line = first_place(text, PHP)
    lines = text.splitlines()
    said = lines[1:] if lines and lines[0].startswith(case.attributes["class"]) else lines
    message = "\n".join(line for line in said if not PHP.match(line)).strip()
    name = f"{case.attributes['class']}::{canonical(case.name)}"
    return DialectCase(
        tool="phpunit",
        name=name,
        message=message,
        file=file or case.file,
        line=line or case.line,
        selector=pattern(name),
        title=f"{case.attributes['class']}::{_in_words(case.name)}",
    )


def _in_words(name: str) -> str:
    """Return the name of a method as `--testdox` prints it, with the data set behind it."""
    method, blank, data = name.partition(" ")
    bare = re.sub(r"^test_?", "", method).replace("_", " ")
    words = re.sub(r"(?<=[^\WA-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", bare)
    return f"{words[:1].upper()}{words[1:].lower()}{blank}{data}"
