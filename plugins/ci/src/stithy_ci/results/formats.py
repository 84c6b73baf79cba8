"""Which format a file has: told by how it begins, never by its name."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import cast

from stithy_ci.results.tally import Tally
from stithy_ci.results.text import Text

ROOT = re.compile(r"<(?!\?|!)(?:\w+:)?([A-Za-z-]+)")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
ROOTS = {
    "testsuites": "junit",
    "testsuite": "junit",
    "TestRun": "trx",
    "test-run": "nunit",
    "test-results": "nunit",
    "assemblies": "xunit.net",
    "assembly": "xunit.net",
}
MODULES = {
    "junit": "junit",
    "trx": "trx",
    "nunit": "nunit",
    "xunit.net": "xunit_net",
    "ctrf": "ctrf",
    "tap": "as_log",
    "go-json": "as_log",
    "libtest-json": "libtest_json",
}
GO = re.compile(r"^\{\"(?:Time\":\"[^\"]{1,60}\",\"Action|Action|ImportPath)\":\"", re.MULTILINE)
LIBTEST = re.compile(r"^\{ ?\"type\": ?\"(?:suite|test)\", ?\"event\": ?\"", re.MULTILINE)
TAP = re.compile(r"\A(?:TAP version 1[2-4]|1\.\.\d{1,9}(?:\s|$)|(?:not )?ok 1\b|(?:# .*\n)+(?:1\.\.\d|(?:not )?ok \d))")


def form_of(head: str) -> str:
    """Give the format of a file that begins so; empty where it is none that is known."""
    start = head.lstrip("\ufeff \t\r\n")
    if start.startswith("<"):
        found = ROOT.search(COMMENT.sub("", start))
        return ROOTS.get(found[1], "") if found else ""
    if GO.search(head) and start.startswith("{"):
        return "go-json"
    if LIBTEST.search(head) and start.startswith("{"):
        return "libtest-json"
    if start.startswith("{"):
        return "ctrf" if '"results"' in head and ('"tool"' in head or '"reportFormat"' in head) else ""
    return "tap" if TAP.match(start) else ""


def reader_of(form: str) -> Callable[[Text, Tally], None]:
    """Give what reads a format."""
    module = import_module(f"stithy_ci.results.{MODULES[form]}")
    return cast("Callable[[Text, Tally], None]", module.read)
