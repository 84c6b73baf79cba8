"""Write tests/logs/nose: runs nose on the sample beside this file.

The truth is nose's XML report of the same run.
"""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))

from pypi import CI, keep, project, run, venv

# (version of Python, name of the case, arguments)
CASES = [
    ("2.7", "plain", ""),
    ("2.7", "verbose", "-v"),
    ("2.7", "described", "-v tests/test_described.py"),
    ("2.7", "passes", "tests/test_functions.py:test_total"),
    ("3.6", "plain", ""),
    ("3.8", "stop", "-x --nologcapture tests/test_functions.py"),
]


def failed(report):
    """Give what failed by nose's report; in it only the traceback tells where a set-up or a failed import was."""
    for case in ET.parse(report).iter("testcase"):
        told = case.find("failure") if case.find("error") is None else case.find("error")
        if told is None:
            continue
        classname, name = case.get("classname"), case.get("name")
        frames = re.findall(rf'File "{re.escape(str(report.parent))}/(.+?)", line (\d+)', told.text)
        module = frames[0][0].removesuffix(".py").replace("/", ".")
        row = {"tool": "nose", "kind": "test", "name": f"{classname}.{name}", "file": frames[-1][0]}
        if suite := re.match(r"<nose\.suite[. ]ContextSuite context=(\w+)>", row["name"]):
            row["name"] = f"{module}.{suite[1]}"
        elif classname == "nose.failure.Failure":
            row |= {"kind": "compile", "name": module}
        yield row | {"line": int(frames[-1][1])}


def make(version, case, arguments):
    """Run nose once, and keep its log and truth."""
    programs = venv(f"nose-{version}", version, "nose==1.3.7")
    folder = project("nose", f"nose-{version}-{case}")
    report = folder / "report.xml"
    command = ("-m", "nose", "--exe", "--with-xunit", f"--xunit-file={report}", *arguments.split())
    log = run(folder, programs / "python", *command, env=CI)
    keep(f"nose/{version}-{case}", log, folder, "XML report of nose 1.3.7", failed(report))


if __name__ == "__main__":
    for one in CASES:
        if not sys.argv[1:] or f"{one[0]}-{one[1]}" in sys.argv[1:]:
            make(*one)
