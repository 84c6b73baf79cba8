# ruff: noqa: PTH109, PTH118, PTH123
# It runs on Python 2.7 as well.
"""Makes unittest write what failed, from its own results, beside what it prints; it runs on Python 2.7 as well."""

import json
import os
import unittest

ROOT = os.environ["TRUTH_ROOT"]
TOOL = os.environ["TRUTH_TOOL"]
FAILED = {}


def place(error):
    """Give the last place in the project, of the exception that is printed last."""
    spots, trace = {}, error[2]
    while trace is not None:
        path = os.path.normpath(os.path.join(os.getcwd(), trace.tb_frame.f_code.co_filename))
        if path.startswith(ROOT + os.sep):
            spots = {"file": os.path.relpath(path, ROOT), "line": trace.tb_lineno}
        trace = trace.tb_next
    return spots


def note(test, error):
    test = getattr(test, "test_case", test)
    row = {"tool": TOOL, "kind": "test", "name": test.id()}
    if type(test).__name__ in {"_FailedTest", "ModuleImportFailure"}:
        row.update(kind="compile", name=str(test).partition(" ")[0])
    elif " (" in row["name"]:  # setUpClass (tests.test_setup.TestClass)
        what, _, where = row["name"].partition(" (")
        row["name"] = where[:-1] + "." + what
    row.update(place(error) if error and row["kind"] == "test" else {})
    FAILED.setdefault(row["name"], row)
    with open(os.environ["TRUTH"], "wb") as out:
        out.write(json.dumps(list(FAILED.values())).encode("ascii"))


def noting(method):
    """Make a result note what it is told of; `addUnexpectedSuccess` is told of no error."""

    def told(self, test, *errors):
        if not errors or errors[-1] is not None:
            note(test, errors[-1] if errors else None)
        return method(self, test, *errors)

    return told


for name in ("addError", "addFailure", "addSubTest", "addUnexpectedSuccess"):
    if hasattr(unittest.TextTestResult, name):
        setattr(unittest.TextTestResult, name, noting(getattr(unittest.TextTestResult, name)))
