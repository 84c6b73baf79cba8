"""Make the logs of kotlinc: `python make.py`; Maven and a JDK must be there.

The compiler is called as the command line calls it, as Gradle's plugin does (in the style that the compiler has for
Gradle), and by Maven's plugin. The truth is what it renders as XML over the same sources.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import keep, libraries, run, scrubbed  # noqa: E402

VERSIONS = ("1.7.22", "2.0.21")
STYLES = {"plain": "", "full": "FullPath", "gradle": "GradleStyle"}
MAVEN = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>app</artifactId><version>1</version>
<dependencies><dependency><groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-stdlib</artifactId>
<version>VERSION</version></dependency></dependencies><build><plugins><plugin>
<groupId>org.jetbrains.kotlin</groupId><artifactId>kotlin-maven-plugin</artifactId><version>VERSION</version>
<executions><execution><id>compile</id><goals><goal>compile</goal></goals><configuration><sourceDirs>
<sourceDir>src</sourceDir></sourceDirs></configuration></execution></executions></plugin></plugins></build></project>\n"""


def compiled(folder, version, style):
    """Give what the compiler prints in a style."""
    jars = ":".join(map(str, sorted((folder / "libs").glob("*.jar"))))
    own = [str(one) for one in (folder / "libs").glob(f"kotlin-stdlib-{version}.jar")]
    words = ["-no-stdlib", "-no-reflect", "-cp", *own, "-d", str(folder / "out"), "src"]
    main = ["java", f"-Dorg.jetbrains.kotlin.cliMessageRenderer={style}", "-cp", jars]
    return run([*main, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", *words], folder)


def errors(folder, version):
    """Give the errors of the sources, as the compiler renders them as XML."""
    told = compiled(folder, version, "XML")
    for one in ET.fromstring(told[told.index("<MESSAGES>") :].partition("</MESSAGES>")[0] + "</MESSAGES>").iter(
        "error"
    ):
        if one.get("path"):
            path, line = os.path.relpath(one.get("path"), folder), int(one.get("line"))
            name = f"{path}:{line}:{one.get('column')}"
            yield {"tool": "kotlinc", "kind": "compile", "name": name, "file": path, "line": line}


def make(version):
    """Make the logs of one version."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        shutil.copytree(HERE / "src", folder / "src")
        parts = ("kotlin-compiler-embeddable", "kotlin-stdlib")
        libraries(folder / "libs", *(f"org.jetbrains.kotlin:{part}:{version}" for part in parts))
        failures = list(errors(folder, version))
        for name, style in STYLES.items():
            log = scrubbed(compiled(folder, version, style), folder)
            keep("kotlinc", f"{version}-{name}", log, "the compiler's XML over the same sources", failures)
        (folder / "pom.xml").write_text(MAVEN.replace("VERSION", version), encoding="utf-8")
        log = scrubbed(run(["mvn", "-B", "-ntp", "compile"], folder), folder)
        keep("kotlinc", f"{version}-maven", log, "the compiler's XML over the same sources", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or VERSIONS:
        make(chosen)
