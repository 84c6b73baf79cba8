"""Packages that could not be installed, as package managers, systems and runners report it."""

from typing import ClassVar

from ci_failures.parsers.infrastructure import bundles, compiled, containers, interpreted
from ci_failures.parsers.single_line_parser import AFTER, Sign, SignParser, literals

SYSTEM = (
    Sign(
        wakes="E: Unable to locate package",
        kind="dependency",
        tool="apt",
        rule="not found:",
        form=r"^E: Unable to locate package (?P<what>\S+)$",
    ),
    Sign(
        wakes="has no installation candidate",
        kind="dependency",
        tool="apt",
        rule="no candidate:",
        form=r"^E: Package '(?P<what>[^']{1,100})' has no installation candidate",
    ),
    Sign(
        wakes="E: Failed to fetch ",
        kind="dependency",
        tool="apt",
        rule="not fetched:",
        form=r"^E: Failed to fetch (?P<what>\S{1,300})  ",
    ),
    Sign(
        wakes="' was not found",
        kind="dependency",
        tool="apt",
        rule="no such version:",
        form=r"^E: Version '(?P<what>[^']{1,100}' for '[^']{1,100})' was not found$",
    ),
    Sign(
        wakes="The following packages have unmet dependencies:",
        kind="dependency",
        tool="apt",
        rule="unmet dependencies",
        form=r"^The following packages have unmet dependencies:$",
        more=10,
        follows=r"^ ",
    ),
    Sign(
        wakes="ould not resolve host: ",
        kind="dependency",
        rule="no such host:",
        form=r"^(?:fatal: unable to access '.{1,300}': |curl: \(6\) )Could not resolve host: (?P<what>\S{1,200})$",
    ),
    Sign(
        wakes="' is not recognized as ",
        kind="dependency",
        tool="powershell",
        rule="command not found:",
        form=r"^(?:.{0,200}: )?The term '(?P<what>[^']{1,200})' is not recognized as (?:the|a) name of a cmdlet,",
    ),
    Sign(
        wakes="nable to resolve action",
        kind="dependency",
        rule="action not found:",
        form=AFTER + r"Unable to resolve action `?(?P<what>[^`,\s]{1,200})`?",
    ),
    Sign(
        wakes="Can't find 'action.yml'",
        kind="dependency",
        rule="action not found:",
        form=AFTER
        + r"Can't find 'action\.yml', 'action\.yaml' or 'Dockerfile' (?:under|for action) '(?P<what>[^']{1,300})'",
    ),
)


class Dependencies(SignParser):
    """Parser of the errors of package managers and runners."""

    tool: ClassVar[str] = "dependencies"
    signs = (*interpreted.SIGNS, *bundles.SIGNS, *compiled.SIGNS, *containers.SIGNS, *SYSTEM)
    wakes: ClassVar[tuple[str, ...]] = literals(signs)
    first_line: ClassVar[str] = r"(?!go: (?:downloading|extracting|finding) )"
