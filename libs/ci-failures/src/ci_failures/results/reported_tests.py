"""Tests of a report that a forge collected from result files.

Most such reports are made of JUnit XML, and keep what it says of a test: so a test is read as a case of it.
"""

from attrs import evolve

from ci_failures.model import MOST_TEXT, Failure
from ci_failures.results.dialects import GENERIC, create_failure
from ci_failures.results.dialects.case import Case, Suite
from ci_failures.results.xml import Element


def read_reported_test(
    name: str,
    *,
    class_name: str = "",
    suite: str = "",
    file: str = "",
    message: str = "",
    stack_trace: str = "",
) -> Failure:
    """Return a failed test of a report.

    Its name is that of its tool if the report shows the tool; else it is the class and the name, as reported.

    Args:
        name: Its own name.
        class_name: Its class, module or file, as the tool wrote it.
        suite: The name of its suite.
        file: Its source file, as the tool wrote it.
        message: The assertion or the error.
        stack_trace: The stack trace, which may begin with the message.
    """
    wrong = Element("failure", {"message": message}, stack_trace)
    case = Case({"name": name, "classname": class_name, "file": file}, (Suite({"name": suite}),), wrong=[wrong])
    found = create_failure(case, wrong)
    repeats = found.tool == GENERIC and class_name and name.startswith(class_name)  # some tools write both names twice
    return evolve(found, name=name if repeats else found.name, message=found.message[:MOST_TEXT])
