"""Make the logs of Checkstyle: `python make.py`; Maven and a JDK must be there.

The truth is taken from the XML that Checkstyle writes in the same run.
"""

import shutil
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import keep, run, scrubbed  # noqa: E402

POM = """<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>app</artifactId>
<version>1</version><build><plugins><plugin><groupId>org.apache.maven.plugins</groupId>
<artifactId>maven-checkstyle-plugin</artifactId><version>3.6.0</version><configuration>%s</configuration><executions>
<execution><id>style</id><phase>validate</phase><goals><goal>check</goal></goals></execution></executions></plugin>
</plugins></build></project>\n"""
CASES = {"maven": "", "maven-console": "<consoleOutput>true</consoleOutput><failsOnError>true</failsOnError>"}


def violations(folder):
    """Give rule, file and place of each."""
    for file in ET.parse(folder / "target" / "checkstyle-result.xml").getroot().iter("file"):
        path = str(Path(file.get("name")).relative_to(folder))
        for one in file.iter("error"):
            rule = one.get("source").rpartition(".")[2].removesuffix("Check")
            column = f":{one.get('column')}" if one.get("column") else ""
            name = f"{rule} {path}:{one.get('line')}{column}"
            yield {"tool": "checkstyle", "kind": "lint", "name": name, "file": path, "line": int(one.get("line"))}


def make(case):
    """Make one log."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        shutil.copytree(HERE / "src", folder / "src")
        (folder / "pom.xml").write_text(POM % CASES[case], encoding="utf-8")
        log = scrubbed(run(["mvn", "-B", "-ntp", "validate"], folder), folder)
        keep(
            "checkstyle",
            case,
            log,
            "Checkstyle 9: target/checkstyle-result.xml of the same run",
            list(violations(folder)),
        )


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
