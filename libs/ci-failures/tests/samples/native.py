"""What the scripts share that build C and C++ samples and run them: building, running, keeping logs with their truth.

Everything is done in a folder of its own, named by STITHY_SAMPLES or temporary; only logs come back. Needs Debian's
g++, clang, cmake, ninja-build, libgtest-dev, catch2 and doctest-dev.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

SAMPLES = Path(__file__).parent
LOGS = SAMPLES.parent / "logs"
ROOT = Path(os.environ.get("STITHY_SAMPLES") or tempfile.mkdtemp(prefix="samples-")).resolve()
CI_ROOT = "/home/runner/work/app/app"
CLEAN = {"PATH": os.environ["PATH"], "HOME": str(ROOT), "LC_ALL": "C.UTF-8"}

CMAKES = {"3-18": "3.18.4.post1", "4-1": "4.1.*"}
"""Versions of CMake that are installed by pip, each in an environment of its own."""


def project(sample):
    """Copy a sample into a folder of its own; what was built there stays."""
    folder = ROOT / sample
    ignored = shutil.ignore_patterns("make.py", "__pycache__")
    shutil.copytree(SAMPLES / sample, folder, dirs_exist_ok=True, ignore=ignored)
    return folder


def run(folder, *command, env=None):
    """Run a command, both of its streams into one, and give what it printed."""
    done = subprocess.run(
        command, cwd=folder, env=CLEAN | (env or {}), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=580
    )
    return done.stdout.decode("utf-8", "replace")


def cmake(version):
    """Install a version of CMake, and give the folder of its programs."""
    folder = ROOT / f"cmake-{version}"
    if not folder.exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin/pip", "install", "-q", f"cmake=={CMAKES[version]}"], check=True, timeout=300)
    return folder / "bin"


def compiled(folder, source, *options, compiler="g++"):
    """Compile a program of one file, unless it is there and newer; give its path relative to the folder."""
    target = folder / Path(source).stem
    if not target.exists() or target.stat().st_mtime < (folder / source).stat().st_mtime:
        subprocess.run([compiler, "-O0", "-g", "-o", target, source, *options], cwd=folder, check=True, timeout=580)
    return f"./{target.name}"


def scrub(text, folder):
    """Put the paths of CI in the place of ours."""
    for ours, theirs in ((str(folder), CI_ROOT), (str(ROOT), "/home/runner")):
        text = text.replace(ours, theirs).replace(ours[1:], theirs[1:])
    return text


def keep(case, log, folder, source, failures):
    """Write a log and its truth, each failure of it once."""
    target = LOGS / case
    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_suffix(".log").write_bytes(scrub(log, folder).encode())
    once = {json.dumps(row, sort_keys=True, ensure_ascii=False): row for row in failures}
    truth = json.dumps({"from": source, "failures": list(once.values())}, indent=1, ensure_ascii=False)
    target.with_suffix(".json").write_text(scrub(truth, folder) + "\n", encoding="utf-8")


def catch2_rows(xml, folder):
    """Take what failed from the XML of Catch2, with the place of the first assertion that did."""
    for case in ET.fromstring(xml).iter("TestCase"):
        overall = case.find("OverallResult")
        if overall is not None and overall.get("success") == "true":
            continue
        row = {"tool": "catch2", "kind": "test", "name": case.get("name").strip()}
        bad = [one for one in case.iter() if one.tag in {"Exception", "Failure", "FatalErrorCondition"}]
        bad += [one for one in case.iter("Expression") if one.get("success") == "false"]
        places = {(one.get("filename"), int(one.get("line"))) for one in bad if one.get("filename")}
        if places and overall is not None:
            file, line = min(places, key=lambda place: place[1])
            row |= {"file": str(Path(file).relative_to(folder)) if file.startswith("/") else file, "line": line}
        yield row


def doctest_rows(xml):
    """Take what failed from the XML of doctest, with the place of the first assertion that did."""
    for case in ET.fromstring(xml).iter("TestCase"):
        overall = case.find("OverallResultsAsserts")
        if overall is None or overall.get("test_case_success") == "true":
            continue
        row = {"tool": "doctest", "kind": "test", "name": case.get("name").strip()}
        bad = [one for one in case.iter("Expression") if one.get("success") == "false" and one.get("type") != "WARN"]
        bad += [one for one in case.iter("Message") if one.get("type") in {"ERROR", "FATAL ERROR"}]
        if places := [(int(one.get("line")), one.get("filename")) for one in bad]:
            row |= {"file": min(places)[1], "line": min(places)[0]}
        yield row
