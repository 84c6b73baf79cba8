"""Make the logs of JUnit's console launcher: `python make.py [CASE…]`; Maven and a JDK must be there.

The tests are those of Surefire's samples. The truth is taken from the XML reports of the same run; where the title of a
case has no number, its name has the title instead.
"""

import re
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
SOURCES = HERE.parent / "surefire"
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import keep, libraries, place_in, run, scrubbed  # noqa: E402

DISPLAYED = re.compile(r"display-name: (.*)")
CASES = {
    "1.10.2-tree": ("1.10.2", "jupiter", ()),
    "1.10.2-ascii": ("1.10.2", "jupiter", ("--details-theme=ascii", "--disable-ansi-colors")),
    "1.10.2-summary": ("1.10.2", "jupiter", ("--details=summary", "--disable-banner")),
    "1.6.2-none": ("1.6.2", "jupiter", ("--details=none",)),
    "1.6.2-tree": ("1.6.2", "jupiter", ()),
    "6.0.1-tree": ("6.0.1", "jupiter", ("--disable-ansi-colors",)),
    "1.10.2-vintage": ("1.10.2", "vintage", ("--details=tree",)),
    "1.11.4-flat": ("1.11.4", "jupiter", ("--details=flat",)),
    "1.11.4-verbose": ("1.11.4", "jupiter", ("--details=verbose", "--details-theme=ascii", "--disable-ansi-colors")),
    "1.11.4-testfeed": ("1.11.4", "jupiter", ("--details=testfeed",)),
}


def cases(reports):
    """Give class, name and trace of what failed; the name as a log can have it."""
    for path in sorted(reports.glob("TEST-*.xml")):
        for case in ET.parse(path).getroot().iter("testcase"):
            told = next((one for one in case if one.tag in {"failure", "error"}), None)
            if told is not None:
                name, title = case.get("name", ""), DISPLAYED.search(case.findtext("system-out") or "")
                yield case.get("classname", ""), named(name, title[1] if title else ""), told.text or ""


def named(name, title):
    """Give a method: what has no parameters and no cases has no brackets."""
    found = re.fullmatch(r"(.*\))(\[\d+\])", name)
    if found and not re.match(r"\[\d+\]|repetition \d+ of", title):
        return f"{found[1]} {title}"
    return name.removesuffix("()")


def make(case):
    """Make one log."""
    version, module, options = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        wanted = [f"org.junit.platform:junit-platform-console-standalone:{version}"]
        jars = libraries(folder / "libs", *wanted, *(["junit:junit:4.13.2"] if module == "vintage" else []))
        path = ":".join([*map(str, jars), str(folder / "out")])
        sources = [str(one) for one in (SOURCES / module).rglob("*.java")]
        print(run(["javac", "-encoding", "UTF-8", "-cp", path, "-d", str(folder / "out"), *sources], folder))  # noqa: T201
        execute = [] if version == "1.6.2" else ["execute"]
        scan = [f"--scan-classpath={folder / 'out'}", "--reports-dir", str(folder / "reports"), *options]
        scan.append("--exclude-classname=.*SetUpTest")  # the reports name its tests instead of the class that failed
        main = ["java", "-cp", path, "org.junit.platform.console.ConsoleLauncher"]
        log = scrubbed(run([*main, *execute, *scan], folder), folder)
        failures = [
            {
                "tool": "junit-console",
                "kind": "test",
                "name": of if name in {"", of, of.rpartition(".")[2]} else f"{of}#{name}",
                **place_in(trace, of),
            }
            for of, name, trace in cases(folder / "reports")
        ]
        keep("junit-console", case, log, f"JUnit {version}: TEST-*.xml of the same run", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
