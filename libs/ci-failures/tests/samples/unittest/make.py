"""Write tests/logs/unittest: runs unittest of several versions of Python on the sample beside this file.

The truth is what unittest's own results say in the same run (sitecustomize.py).
"""

import json
import shlex
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))

from pypi import CI, SAMPLES, TRUTH, keep, project, run, venv

UNTOLD = {"2.7-discover", "3.6-discover", "3.10-discover", "3.13-xmlrunner"}
"""Runs that do not name a test that was expected to fail; it is left out there."""
# (version of Python, name of the case, arguments, folder to run in)
CASES = [
    ("3.13", "discover", "-m unittest", "."),
    ("3.13", "verbose", "-m unittest discover -v", "."),
    ("3.13", "buffered", "-m unittest -b", "."),
    ("3.13", "quiet", "-m unittest -q tests.test_shop", "."),
    ("3.13", "first-only", "-m unittest -f tests.test_setup tests.test_shop", "."),
    ("3.13", "locals", "-m unittest --locals tests.test_shop.TestShares tests.test_setup", "."),
    ("3.13", "main", "main.py", "."),
    ("3.13", "in-a-folder", "-m unittest discover -s tests -t tests -p test_setup.py", "."),
    ("3.13", "place", "-m unittest tests.test_setup tests.test_modules", "backend"),
    ("3.13", "xmlrunner", "-m xmlrunner tests.test_shop", "."),
    ("3.13", "passes", "-m unittest tests.test_fine -v", "."),
    ("3.11", "verbose", "-m unittest -v", "."),
    ("3.10", "discover", "-m unittest", "."),
    ("3.8", "verbose", "-m unittest -v", "."),
    ("3.6", "discover", "-m unittest discover", "."),
    ("2.7", "discover", "-m unittest discover", "."),
    ("2.7", "verbose", "-m unittest discover -v", "."),
]


def make(version, case, arguments, inner):
    """Run unittest once, and keep its log and truth."""
    programs = venv(f"python-{version}", version, *(["unittest-xml-reporting"] if version == "3.13" else []))
    folder = project("unittest", f"unittest-{version}-{case}", inner)
    TRUTH.unlink(missing_ok=True)
    told = {"TRUTH": TRUTH, "TRUTH_ROOT": folder, "TRUTH_TOOL": "unittest", "PYTHONPATH": SAMPLES / "unittest"}
    untold = {"UNTOLD": "1"} if f"{version}-{case}" in UNTOLD else {}
    env = CI | untold | {name: str(value) for name, value in told.items()} | {"PYTHONIOENCODING": "utf-8"}
    log = run(folder / inner, programs / "python", *shlex.split(arguments), env=env)
    failed = json.loads(TRUTH.read_text()) if TRUTH.exists() else list(reported(folder / inner))
    keep(f"unittest/{version}-{case}", log, folder, f"results of unittest of Python {version}", failed)


def reported(folder):
    """Give what failed as the reports of xmlrunner have it; it has results of its own."""
    for report in sorted(folder.glob("TEST-*.xml")):
        for case in ET.parse(report).iter("testcase"):
            if any(case.find(what) is not None for what in ("failure", "error")):
                name = case.get("name").partition(" ")[0]
                yield {"tool": "unittest", "kind": "test", "name": f"{case.get('classname')}.{name}"}


if __name__ == "__main__":
    for one in CASES:
        if not sys.argv[1:] or f"{one[0]}-{one[1]}" in sys.argv[1:]:
            make(*one)
