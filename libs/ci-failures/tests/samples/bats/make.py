"""Runs bats on the sample, with the truth of its JUnit report, a second run. Needs npm, which brings bats."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run

PLACE = re.compile(r"in test file \S+, line (\d+)\)")


def truth(report):
    for case in ET.fromstring(report[report.index("<") :]).iter("testcase"):
        failure = case.find("failure")
        if failure is not None:
            file = case.get("classname").removeprefix("./")
            place = {"file": file, "line": int(PLACE.search(failure.text)[1])}
            yield {"tool": "bats", "kind": "test", "name": f"{file} > {case.get('name')}"} | place


def case(name, *options, version="1.13", env=CI, width=0):
    folder = project("bats", f"bats{version}", f"bats@{version}")
    bats = ("bash", "node_modules/bats/bin/bats")
    log = run(folder, *bats, *options, "adds.bats", "other.bats", env=env, width=width)
    folder = project("bats", "bats1.13", "bats@1.13")  # old ones write no report
    report = run(folder, *bats, "--formatter", "junit", "adds.bats", "other.bats", env=CI)
    keep(f"bats/{name}", log, folder, "the JUnit report of bats 1.13, a second run", truth(report))


if __name__ == "__main__":
    case("1.13-tap", "--tap")
    case("1.13-pretty", "--pretty", env=CI | {"TERM": "xterm"})
    case("1.13-tap13-timing", "--formatter", "tap13", "--timing")
    case("1.13-terminal", env={"TERM": "xterm"}, width=80)
    case("1.2-tap", "--tap", version="1.2")
    case("1.5-trace", "--tap", "--trace", version="1.5")
