"""What the start of the command imports, and what is known of parsers before they are imported."""

import subprocess
import sys
from pathlib import Path

import pytest

from ci_failures.parsers import first_lines, literals
from ci_failures.parsers.__main__ import format_first_lines, format_literals

LOG = Path(__file__).parent / "logs" / "pytest" / "9-plain.log"
NOT_NEEDED = ("click", "json", "logging", "gzip", "zipfile", "tempfile", "xml", "importlib.metadata", "pathlib")
"""Modules that take a tenth of the time of a small log or more, and that other files or errors need."""


OF_OTHERS = ("python.robot", "python.traceback_list", "platforms.dart", "linters.python_tools", "javascript.eslint")
"""Parsers whose literals the log contains, but no line that they have to read."""


def run(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True)


def test_the_literals_are_those_of_the_classes():
    """Otherwise `python -m ci_failures.parsers` was not run after a change."""
    assert Path(literals.__file__).read_text(encoding="utf-8") == format_literals()
    assert Path(first_lines.__file__).read_text(encoding="utf-8") == format_first_lines()


def test_a_log_imports_no_more_than_it_needs():
    code = f"import sys; sys.path += {sys.path!r}; from ci_failures import __main__\n"
    code += "try: __main__.main()\nfinally: print(*sys.modules, file=sys.stderr)"
    modules = set(run("-S", "-c", code, str(LOG)).stderr.split())
    assert "ci_failures.parsers.python.pytest" in modules
    assert modules & {*NOT_NEEDED, "ci_failures.parsers.jvm.surefire", "ci_failures.results.junit"} == set()
    assert modules.isdisjoint(f"ci_failures.parsers.{name}" for name in OF_OTHERS)


@pytest.mark.parametrize(("words", "code"), [([], 2), (["--no-such-option"], 2), (["--help"], 0)])
def test_the_command_line_is_explained(words, code):
    ran = run("-m", "ci_failures", *words)
    assert (ran.returncode, "Usage: ci-failures" in ran.stdout + ran.stderr) == (code, True)


def test_who_stops_reading_gets_no_traceback():
    command = f"{sys.executable} -m ci_failures {LOG} | true"
    assert subprocess.run(["sh", "-c", command], capture_output=True, text=True).stderr == ""
