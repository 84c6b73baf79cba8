"""Make the logs of Ant's junit task: `python make.py [CASE…]`; Ant, its optional tasks, Maven and a JDK must be there.

The tests are those of Surefire's samples. The truth is taken from what the formatter xml writes in the same run.
"""

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE.parent / "surefire"
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import failed_cases, keep, libraries, place_in, run, scrubbed  # noqa: E402

BUILD = """<project name="app" default="test"><target name="test"><mkdir dir="out"/><mkdir dir="reports"/>
<path id="all"><pathelement location="out"/><fileset dir="libs" includes="*.jar"/></path>
<javac srcdir="src" destdir="out" includeantruntime="false" encoding="UTF-8" classpathref="all"/>
%s</target></project>\n"""
JUNIT = """<junit fork="true" %s><classpath refid="all"/><formatter type="xml"/>%s
<batchtest todir="reports"><fileset dir="out" includes="**/*Test.class"/></batchtest></junit>
<fail message="tests failed"/>"""
SHOWN = '<formatter type="%s" usefile="false"/>'

CASES = {
    "junit-plain": JUNIT % ('haltonfailure="false"', SHOWN % "plain"),
    "junit-brief": JUNIT % ('haltonfailure="false"', SHOWN % "brief"),
    "junit-summary-brief": JUNIT % ('printsummary="yes" showoutput="true"', SHOWN % "brief"),
    "junit-both": JUNIT % ('printsummary="withOutAndErr"', SHOWN % "plain"),
}


def named(of, name):
    """Give the canonical name; what fails before any test of a class has the name of the class."""
    return name if of == "junit.framework.TestSuite" else f"{of}.{name}"


def make(case):
    """Make one log."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        shutil.copytree(SOURCES / "vintage" / "src" / "test" / "java", folder / "src")
        libraries(folder / "libs", "junit:junit:4.13.2")
        (folder / "build.xml").write_text(BUILD % CASES[case], encoding="utf-8")
        log = scrubbed(run(["ant"], folder), folder)
        failures = [
            {"tool": "ant", "kind": "test", "name": named(of, name), **place_in(trace, of)}
            for of, name, trace in failed_cases(folder / "reports")
        ]
        keep("ant", case, log, "Ant 1.10: the formatter xml of the same run", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
