"""Make the logs of TestNG's own runner: `python make.py [CASE…]`; Maven and a JDK must be there.

The tests are those of Surefire's samples. The truth is taken from testng-results.xml of the same run.
"""

import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
SOURCES = HERE.parent / "surefire" / "ng"
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import keep, libraries, place_in, run, scrubbed  # noqa: E402

CASES = {"7.5.1-verbose": ("7.5.1", "2"), "7.5.1-loud": ("7.5.1", "10"), "6.14.3-verbose": ("6.14.3", "2")}


def failed(path):
    """Give class, name with what it was called with, and trace of what failed."""
    for of in ET.parse(path).getroot().iter("class"):
        for method in of.iter("test-method"):
            if method.get("status") == "FAIL":
                values = [(one.text or "").strip() for one in method.iter("value")]
                quoted = ", ".join(f'"{value}"' for value in values)
                called = f"({quoted})" if values else ""
                yield (
                    of.get("name"),
                    f"{method.get('name')}{called}",
                    method.findtext("exception/full-stacktrace") or "",
                )


def make(case):
    """Make one log."""
    version, verbosity = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        jars = libraries(folder / "libs", f"org.testng:testng:{version}", "org.slf4j:slf4j-nop:1.7.36")
        path = ":".join([*map(str, jars), str(folder / "out")])
        run(["javac", "-cp", path, "-d", str(folder / "out"), *map(str, SOURCES.rglob("*.java"))], folder)
        classes = "org.example.ng.PlainNg,org.example.ng.SetUpNg"
        words = ["org.testng.TestNG", "-verbose", verbosity, "-d", str(folder / "reports"), "-testclass", classes]
        log = scrubbed(run(["java", "-cp", path, *words], folder), folder)
        failures = [
            {"tool": "testng", "kind": "test", "name": f"{of}.{name}", **place_in(trace, of)}
            for of, name, trace in failed(folder / "reports" / "testng-results.xml")
        ]
        keep("testng", case, log, f"TestNG {version}: testng-results.xml of the same run", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
