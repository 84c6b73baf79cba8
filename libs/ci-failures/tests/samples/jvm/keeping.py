"""What the scripts share that make logs of tools for the JVM: running, scrubbing, and the truth from JUnit's XML."""

import json
import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

LOGS = Path(__file__).parents[2] / "logs"
ROOT = "/home/runner/work/app/app"
FRAME = re.compile(r"^\s+at (?:[^\s/()]*/){0,2}([\w.$]+)\.([\w$<>]+)\(([\w$]+\.(\w+)):(\d+)\)", re.MULTILINE)


def run(command, folder, *, seconds=400, ci=True, **variables):
    """Run a tool, and give what it prints."""
    home = {name: os.environ[name] for name in ("PATH", "HOME", "JAVA_HOME") if name in os.environ}
    settings = home | {"LC_ALL": "C.UTF-8", "TERM": "xterm"} | ({"CI": "true"} if ci else {}) | variables
    done = subprocess.run(
        command, cwd=folder, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds
    )
    return done.stdout.decode("utf-8", "replace")


def scrubbed(text, folder):
    """Move a log to where CI has it."""
    return text.replace(str(folder), ROOT).replace(str(Path.home()), "/home/runner")


def keep(tool, case, log, source, failures):
    """Write a log and the truth beside it, each failure once."""
    folder = LOGS / tool
    folder.mkdir(parents=True, exist_ok=True)
    for row in failures:
        if "line" in row and f"{row['file'].rpartition('/')[2]}:{row['line']}" not in log:
            del row["file"], row["line"]  # what a log does not tell cannot be read in it
    once = list({(row["tool"], row["kind"], row["name"]): row for row in failures}.values())
    (folder / f"{case}.log").write_text(log, encoding="utf-8")
    truth = json.dumps({"from": source, "failures": once}, indent=1, ensure_ascii=False)
    (folder / f"{case}.json").write_text(truth + "\n", encoding="utf-8")
    print(f"{tool}/{case}: {len(log)} characters, {len(once)} failures")  # noqa: T201


def place_in(trace, class_name):
    """Give file and line of the innermost frame of a trace that is of a class or in it; else of one of its package."""
    outer = class_name.split("$")[0]
    package = outer.rpartition(".")[0]
    frames = FRAME.findall(trace.partition("\nCaused by:")[0])
    for near in (lambda frame: frame.split("$")[0] == outer, lambda frame: frame.rpartition(".")[0] == package):
        for frame, _, file, kind, line in frames:
            if near(frame):
                folder = frame.rpartition(".")[0].replace(".", "/") + "/" if kind == "java" and "." in frame else ""
                return {"file": folder + file, "line": int(line)}
    return {}


def class_of(told, name, trace):
    """Give the class that holds a test: reports name the outer one, or in words, where the trace has the nested one."""
    method = re.split(r"[(\[{]", name)[0]
    for frame, ran, *_ in FRAME.findall(trace):
        if ran == method and (frame.startswith(f"{told}$") or not re.fullmatch(r"[\w.$]+", told)):
            return frame
    return told


def failed_cases(folder):
    """Give class, name and trace of what failed, as JUnit's XML under a folder has it; none that passed at last."""
    for path in sorted(Path(folder).rglob("TEST-*.xml")):
        if path.parent.name == "junitreports":
            continue  # those of TestNG itself
        suite = ET.parse(path).getroot()
        for case in suite.iter("testcase"):
            if case.find("failure") is None and case.find("error") is None:
                continue
            for told in case:
                if told.tag in {"failure", "error", "rerunFailure", "rerunError"}:
                    told_of, whole = case.get("classname", ""), suite.get("name", "")
                    yield (
                        whole if told_of and whole.endswith(f".{told_of}") else told_of,
                        case.get("name", ""),
                        told.findtext("stackTrace") or told.text or "",
                    )


def libraries(folder, *wanted):
    """Bring libraries and what they need into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [library.split(":") for library in wanted]
    needs = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for group, name, version in rows
    )
    (folder / "pom.xml").write_text(
        f"<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>libraries</artifactId>"
        f"<version>1</version><dependencies>{needs}</dependencies></project>",
        encoding="utf-8",
    )
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
    print(run(["mvn", "-B", "-q", "-ntp", goal, f"-DoutputDirectory={folder}"], folder)[-2_000:])  # noqa: T201
    return sorted(folder.glob("*.jar"))
