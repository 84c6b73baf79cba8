"""Dialects of Python: pytest, unittest by unittest-xml-reporting, and Avocado."""

import re

from ci_failures.results.dialects.case import Case, DialectCase, last_place
from ci_failures.results.xml import Element

PLACE = re.compile(r"^([^\s:][^:\n]{0,300}\.py):(\d{1,7}): ", re.MULTILINE)
FRAME = re.compile(r"^[ \t]*File \"([^\"\n]{1,300})\", line (\d{1,7})", re.MULTILINE)
AVOCADO = re.compile(r"(\S+\.py):(\w+)\.\w+(?:;\S+)?")
"""A test of Avocado, whose class is the class of the case."""
STAMPED = re.compile(r"-\d{14}$")
BANNER = re.compile(r"^(?:failed on (?:setup|teardown) with \")(.*?)\"?$", re.DOTALL)


def parse_case(case: Case, wrong: Element) -> DialectCase | None:
    """Parse a case of Python."""
    if case.root.name in {"pytest", "pytest tests"} or case.suite.name == "pytest":
        return _pytest(case, wrong)
    if STAMPED.search(case.suite.name) and case.of:
        file, line = last_place(wrong.text or "", FRAME)
        name = f"{case.of}.{case.name}"
        return DialectCase(tool="unittest", name=name, file=file, line=line, selector=name.partition(" ")[0])
    of_avocado = AVOCADO.fullmatch(case.name)
    if of_avocado and of_avocado[2] == case.of:
        return DialectCase(tool="avocado", name=case.name, file=of_avocado[1], selector=case.name)
    return None


def _pytest(case: Case, wrong: Element) -> DialectCase:
    file, line = last_place(wrong.text or "", PLACE)
    if wrong.attributes.get("message") == "collection failure" and not case.of:
        path = case.file or f"{case.name.replace('.', '/')}.py"
        message = _collected(wrong.text or "")
        return DialectCase(tool="pytest", kind="compile", name=path, file=file or path, line=line, message=message)
    said = BANNER.match(wrong.attributes.get("message", ""))
    node = _node(case)
    return DialectCase(
        tool="pytest", name=node, message=said[1] if said else "", file=file or node.split("::")[0], line=line,
        selector=node,
    )  # fmt: skip


def _node(case: Case) -> str:
    """Return a node id: the file if it is present, otherwise the dotted name up to what looks like a class."""
    parts = case.of.split(".")
    if case.file:
        module = case.file.removesuffix(".py").replace("/", ".")
        rest = case.of.removeprefix(module).strip(".") if case.of.startswith(module) else ""
        return "::".join([case.file, *(rest.split(".") if rest else ()), case.name])
    classes = next((number for number, part in enumerate(parts) if part[:1].isupper() and number), len(parts))
    path = f"{'/'.join(parts[:classes])}.py"
    return "::".join([path, *parts[classes:], case.name])


def _collected(text: str) -> str:
    """Return the error of a module that could not be collected."""
    lines = [line[2:].strip() for line in text.splitlines() if line.startswith("E ")]
    return "\n".join(lines) or text
