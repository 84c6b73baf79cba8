"""Runs clojure.test on the sample, with the truth of its JUnit report.

Needs Debian's clojure.
"""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from pypi import CI, keep, project, run

JARS = ":".join(f"/usr/share/java/{name}.jar" for name in ("clojure", "spec.alpha", "core.specs.alpha"))
SPACES = "'till.core-test 'till.other-test"
REPORT = f"(clojure.test.junit/with-junit-output (clojure.test/run-tests {SPACES}))"


def clojure(folder, code):
    code = f"(require 'clojure.test 'clojure.test.junit {SPACES}) {code}"
    return run(folder, "java", "-cp", f"{JARS}:test", "clojure.main", "-e", code, env=CI)


def truth(folder):
    text = clojure(folder, REPORT)
    report = ET.fromstring(text[text.index("<?xml") :].rpartition("</testsuites>")[0] + "</testsuites>")
    for suite in report.iter("testsuite"):
        for one in suite.iter("testcase"):
            if one.find("failure") is not None or one.find("error") is not None:
                name = f"{one.get('classname')}/{one.get('name')}"
                yield {"tool": "clojure.test", "kind": "test", "name": name}


if __name__ == "__main__":
    folder = project("clojure", "clojure")
    told = "the JUnit report of Clojure 1.11, a second run"
    keep("clojure.test/plain", clojure(folder, f"(clojure.test/run-tests {SPACES})"), folder, told, truth(folder))
