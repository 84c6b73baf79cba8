"""Run behave, Robot Framework and runners of unittest's tests on the sample, and keep their logs with the truth.

The truth is their own result file, and for the runners of unittest's tests what unittest alone says.
Usage: make.py [NAME …]. Needs Python 3.11 or newer.
"""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from pypi import keep, project, run, venv

RESULTS = Path(__file__).parents[2] / "results"
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"
RUNNERS = {
    "stestr": ("stestr", "stestr", ["run", "--serial"]),
    "zope.testrunner": ("zope.testrunner", "zope-testrunner", ["--path", ".", "--tests-pattern", "^test_till$"]),
    "trial": ("twisted", "trial", ["tests.test_till"]),
    "green": ("green", "green", ["tests"]),
    "unittest": ("testtools", "python", ["-m", "testtools.run", "tests.test_till"]),
}


def runner(tool):
    package, program, words = RUNNERS[tool]
    folder, bin_ = project("pypi_runners", "runners"), venv(package, VERSION, package)
    path = {"PATH": f"{bin_}:/usr/bin:/bin", "PYTHONPATH": str(folder)}
    truth = json.loads(run(folder, bin_ / "python", "truth.py", folder, env=path).splitlines()[-1])
    rows = [{"tool": tool, "kind": "test"} | row for row in truth]
    log = run(folder, bin_ / program, *words, env=path)
    name = f"{'testtools' if tool == 'unittest' else tool}/plain"
    keep(name, log, folder, f"unittest of Python {VERSION}, a second run", rows)
    if tool == "stestr":
        keep_streams(folder, bin_, path, rows)


def keep_streams(folder, bin_, path, rows):
    """Keep stestr's own stream, which is of version 2, and the same one in version 1."""
    stream = subprocess.run(
        (bin_ / "stestr", "last", "--subunit"), cwd=folder, env=path, capture_output=True, check=False
    )
    older = subprocess.run((bin_ / "subunit-2to1",), input=stream.stdout, env=path, capture_output=True, check=True)
    truth = json.dumps({"failures": [row | {"tool": "subunit"} for row in rows]}, indent=1) + "\n"
    for version, content in {2: stream.stdout, 1: older.stdout}.items():
        file = RESULTS / "stestr" / f"{version}.subunit"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.with_suffix(".truth.json").write_text(truth, encoding="utf-8")


def behave():
    folder, bin_ = project("pypi_runners", "runners"), venv("behave", VERSION, "behave")
    for form in ("pretty", "plain", "progress"):
        log = run(folder, bin_ / "behave", "-f", form)
        run(folder, bin_ / "behave", "-f", "json", "-o", "result.json")
        rows = []
        for feature in json.loads((folder / "result.json").read_text(encoding="utf-8")):
            for one in feature["elements"]:
                if one["type"] == "scenario" and one["status"] not in {"passed", "skipped"}:
                    file, _, line = one["location"].rpartition(":")
                    name = f"{one['location']} {one['name']}"
                    rows.append({"tool": "behave", "kind": "test", "name": name, "file": file, "line": int(line)})
        keep(f"behave/{form}", log, folder, "behave's JSON, a second run", rows)


def robot():
    folder, bin_ = project("pypi_runners", "runners"), venv("robotframework", VERSION, "robotframework")
    log = run(folder, bin_ / "robot", "--output", "result.xml", "robot")
    rows = [
        {"tool": "robot", "kind": "test", "name": name}
        for name, test in _tests(ET.parse(folder / "result.xml").getroot(), "")
        if test.find("status").get("status") == "FAIL"
    ]
    keep("robot/console", log, folder, "Robot's output.xml, same run", rows)


def ward():
    folder, bin_ = project("pypi_runners/ward", "ward"), venv("ward", VERSION, "ward")
    for form, words in {"plain": (), "dots": ("--test-output-style", "dots-module")}.items():
        log = run(folder, bin_ / "ward", "--hook-module", "hooks", "--path", "tests", *words, env={"PYTHONPATH": "."})
        failed = json.loads((folder / "failed.json").read_text(encoding="utf-8"))
        rows = [
            {"tool": "ward", "kind": "test", "name": f"{file} > {title}", "file": file, "line": line}
            for file, title, line in failed
        ]
        keep(f"ward/{form}", log, folder, "a hook of ward, same run", rows)


def _tests(element, outer):
    for suite in element.findall("suite"):
        name = f"{outer}.{suite.get('name')}".lstrip(".")
        yield from ((f"{name}.{test.get('name')}", test) for test in suite.findall("test"))
        yield from _tests(suite, name)


if __name__ == "__main__":
    wanted = sys.argv[1:] or [*RUNNERS, "behave", "robot", "ward"]
    for tool in wanted:
        {"behave": behave, "robot": robot, "ward": ward}.get(tool, lambda tool=tool: runner(tool))()
