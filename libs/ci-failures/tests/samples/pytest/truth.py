# ruff: noqa: PTH109, PTH110, PTH118, PTH123, UP028, FURB188
# It runs on Python 2.7 as well.
"""A plugin of pytest that writes what failed, from pytest's own reports; it runs on every Python since 2.7."""

import json
import os
import re

import pytest

FAILED = {}
ROOT = os.environ.get("TRUTH_ROOT", os.getcwd())
STYLE = os.environ.get("TRUTH_STYLE", "blocks")


def of_the_project(path):
    """Give a path relative to the root of the repository, if it is in there."""
    path = os.path.normpath(os.path.join(os.getcwd(), str(path)))
    inside = path.startswith(ROOT + os.sep) and "site-packages" not in path and os.path.exists(path)
    return os.path.relpath(path, ROOT) if inside else None


def entries(longrepr):
    """Give the entries of all tracebacks, the innermost first; what was raised last comes before its causes."""
    chain = getattr(longrepr, "chain", None) or [(getattr(longrepr, "reprtraceback", None), None, None)]
    for traceback, _, _ in reversed(chain):
        for entry in reversed(getattr(traceback, "reprentries", [])):
            yield entry


def places(longrepr, when):
    """Give all places that the log can tell, the innermost first."""
    if hasattr(longrepr, "firstlineno") and STYLE != "none":  # no fixture of that name
        yield longrepr.filename, longrepr.firstlineno + 1
    elif STYLE == "crash" and when == "call" and getattr(longrepr, "reprcrash", None):
        yield longrepr.reprcrash.path, longrepr.reprcrash.lineno
    elif STYLE in ("blocks", "native"):
        for entry in entries(longrepr):
            spot = getattr(entry, "reprfileloc", None)
            if spot is not None:
                yield spot.path, spot.lineno
            elif STYLE == "native":
                for path, line in reversed(re.findall(r'File "(.+?)", line (\d+)', "".join(entry.lines))):
                    yield path, int(line)
        for spot, _ in getattr(longrepr, "reprlocation_lines", []):  # of doctests
            yield spot.path, spot.lineno


def note(report, kind):
    node = report.nodeid.replace("::()::", "::")
    name = node[: -len("@disk")] if node.endswith("@disk") else node
    row = FAILED.setdefault(name, {"tool": "pytest", "kind": kind, "name": name})
    if row.get("line"):
        return
    for path, line in places(report.longrepr, getattr(report, "when", None)):
        if of_the_project(path):
            row.update(file=of_the_project(path), line=line)
            return
    words = kind == "compile" or (hasattr(report, "node") and not hasattr(report.longrepr, "reprcrash"))
    if not words:  # of a module that cannot be imported, and of what xdist passes on, there are no more than words
        row["file"] = of_the_project(name.split("::")[0])


def pytest_runtest_logreport(report):
    if report.outcome == "failed":
        note(report, "test")


def pytest_collectreport(report):
    if report.failed:
        note(report, "compile")


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests():
    outcome = yield
    error = getattr(outcome, "exception", None) or (outcome.excinfo or [None, None])[1]
    if error is not None:
        name = of_the_project(getattr(error, "path", None) or error.args[0])
        FAILED[name] = {"tool": "pytest", "kind": "compile", "name": name}
        write()


def pytest_internalerror(excinfo):
    """Write where pytest itself failed: in the last file of the project."""
    inside = [(of_the_project(entry.path), entry.lineno + 1) for entry in excinfo.traceback]
    file, line = [place for place in inside if place[0]][-1]
    name = "INTERNALERROR " + file + ":" + str(line)
    FAILED[name] = {"tool": "pytest", "kind": "compile", "name": name, "file": file, "line": line}
    write()


def pytest_runtest_logstart(nodeid):
    """Write that a test fails before it may take all of pytest with it."""
    if STYLE == "death":
        FAILED[nodeid] = {"tool": "pytest", "kind": "test", "name": nodeid}
        write()


def pytest_runtest_logfinish(nodeid):
    if STYLE == "death":
        del FAILED[nodeid]


def pytest_sessionfinish(session):
    if not hasattr(session.config, "workerinput") and not hasattr(session.config, "slaveinput"):
        write()


def write():
    with open(os.environ["TRUTH"], "wb") as out:
        out.write(json.dumps(sorted(FAILED.values(), key=lambda row: row["name"])).encode("ascii"))
