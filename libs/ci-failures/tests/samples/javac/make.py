"""Make the logs of javac: `python make.py [CASE…]`; Maven, Debian's Gradle 4.4.1, Ant and JDKs must be there.

The sources are those of Surefire's samples that do not compile. The truth is taken from the compiler's own interface
for programs, run over the same sources.
"""

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE.parent / "surefire"
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import ROOT, keep, libraries, run, scrubbed  # noqa: E402

ANT = """<project name="app" default="build"><target name="build"><mkdir dir="out"/>
<javac srcdir="src" destdir="out" includeantruntime="false" encoding="UTF-8"/></target></project>\n"""
MAVEN = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>app</artifactId><version>1</version>
<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version></dependency>
</dependencies><build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>
<artifactId>maven-compiler-plugin</artifactId><version>VERSION</version></plugin></plugins></build></project>\n"""
GRADLE = ("gradle", "--offline", "--no-daemon", "--console=plain", "compileJava")
MVN = ("mvn", "-B", "-ntp", "test-compile")

CASES = {
    "17-plain": ("broken", ("sh", "-c", "javac -d out $(find src -name '*.java' | sort)")),
    "17-absolute": ("broken", ("sh", "-c", "javac -d out $(find $PWD/src -name '*.java' | sort)")),
    "gradle-4.4.1": ("broken", GRADLE),
    "ant-1.10": ("broken", ("ant",)),
    "maven-3.13.0": ("broken", MVN),
    "maven-3.1": ("broken", MVN),
    "maven-3.8.1": ("broken", ("mvn", "-ntp", "-Dstyle.color=always", "test-compile")),
    "maven-3.13.0-quiet": ("broken", ("mvn", "-B", "-q", "test-compile")),
    "maven-3.13.0-tests": ("unproved", MVN),
}


def lay(folder, module, case):
    """Lay a project of sources that do not compile."""
    shutil.copytree(SOURCES / module / "src", folder / "src")
    (folder / "out").mkdir()
    version = case.split("-")[1] if case.startswith("maven") else ""
    (folder / "pom.xml").write_text(MAVEN.replace("VERSION", version), encoding="utf-8")
    (folder / "build.xml").write_text(ANT, encoding="utf-8")
    (folder / "build.gradle").write_text("apply plugin: 'java'\n", encoding="utf-8")


def errors(folder, jars):
    """Give path, line and column of each error, as the compiler's interface has them."""
    sources = sorted(str(one) for one in (folder / "src").rglob("*.java"))
    path = ":".join([*map(str, jars), str(folder / "out")])
    told = run(["java", str(HERE / "Diagnose.java"), str(folder / "out"), path, *sources], folder)
    for row in told.splitlines():
        if row.count("\t") == 2:
            path, line, column = row.split("\t")
            yield str(Path(path).relative_to(folder)), int(line), int(column)


def make(case):
    """Make one log."""
    module, command = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        lay(folder, module, case)
        log = scrubbed(run(list(command), folder), folder)
        jars = libraries(folder / "libs", "junit:junit:4.13.2")
        failures = [
            {"tool": "javac", "kind": "compile", "name": f"{path}:{line}:{column}", "file": path, "line": line}
            for path, line, column in errors(folder, jars)
        ]
        assert ROOT not in str(failures)
        keep("javac", case, log, "javax.tools over the same sources", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
