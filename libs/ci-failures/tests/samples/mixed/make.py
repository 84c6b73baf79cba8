"""Runs ctest on programs of many frameworks at once, plain and under AddressSanitizer, and keeps what it prints.

The truth is what each framework says in its own result file, and ctest in its JUnit file of what has no framework.
Needs what `native.py` names, and Debian's libboost-test-dev and libgmock-dev.
"""

import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import CLEAN, catch2_rows, doctest_rows, keep, project, run

sys.path.insert(0, str(Path(__file__).parents[1] / "gtest"))
from make import rows

WHOLE = {"core.all": "lib/tests/core_tests", "cli": "apps/tests/cli_tests", "docs": "apps/tests/docs"}
"""Tests of ctest that are a whole program of a framework."""
LIMIT = 4.0
"""Seconds that CMakeLists.txt gives to a test; the file does not say whose were up."""
SEEN = ("python_unit", "boosted")


def built(folder, name, *options):
    """Build the project, and give the folder of what was built."""
    build = folder / name
    run(folder, "cmake", "-S", ".", "-B", str(build), "-G", "Ninja", *options)
    run(folder, "ninja", "-C", str(build), "-j1")
    return build


def inner(folder, build):
    """Give what the frameworks say, each in its own file."""
    result = build / "result.json"
    run(build, WHOLE["core.all"], f"--gtest_output=json:{result}")
    yield from rows(result)
    said = run(build, WHOLE["cli"], "-r", "xml")
    yield from catch2_rows(said[said.index("<?xml") :], folder)
    said = run(build, WHOLE["docs"], "-r=xml")
    yield from doctest_rows(said[said.index("<?xml") :])
    listed = run(build, "apps/tests/boosted", "--list_content=DOT")
    for name in boost_cases(listed):
        command = ["apps/tests/boosted", f"--run_test={name}"]
        if subprocess.run(command, cwd=build, env=CLEAN, capture_output=True, timeout=60).returncode:
            yield {"tool": "boost", "kind": "test", "name": name}
    yield {"tool": "unittest", "kind": "test", "name": "test_py.T.test_a"}  # what python -m unittest ends with 1 for


def boost_cases(listed):
    """Give the paths of the cases in what `--list_content=DOT` prints: nodes with labels, then edges between them."""
    labels, parents = {}, {}
    for line in listed.replace(";", "\n").splitlines():
        words = line.strip().split('"')
        if "label=" in line:
            labels[line.strip().split("[")[0]] = words[1].split("|")[0]
        elif "->" in line:
            parent, child = (word.strip() for word in line.split("->"))
            parents[child] = parent
    for node in labels:
        if node in parents and node not in parents.values():
            path = [node]
            while parents.get(path[0]) in parents:
                path.insert(0, parents[path[0]])
            yield "/".join(labels[part] for part in path)


def outer(build, *options):
    """Give the log of ctest, and of its own JUnit file the tests that no framework tells."""
    result = build / "ctest.xml"
    text = run(build, "ctest", *options, "--output-junit", str(result))
    facts = []
    for case in ET.parse(result).getroot().iter("testcase"):
        name = case.get("name")
        if case.get("status") in {"fail", "notrun"} and name not in WHOLE and name not in SEEN:
            shown = case.findtext("system-out") or ""
            inside = name.startswith("mem.") and "[  PASSED  ] 1 test" not in shown
            kind = "timeout" if float(case.get("time")) >= LIMIT else "test"
            facts.append({"tool": "gtest" if inside else "ctest", "kind": kind, "name": name[4 * inside :]})
    return text, facts


def main():
    folder = project("mixed")
    plain, sanitized = built(folder, "build"), built(folder, "build-asan", "-DSAN=address")
    within = [*inner(folder, plain)]
    for row in within:
        if "file" in row:
            row["file"] = row["file"].removeprefix(f"{folder}/")
    source = "the result files of the frameworks, and ctest's JUnit"
    for case, options in {"mixed": ("--output-on-failure", "-j4"), "mixed-verbose": ("-V",)}.items():
        text, facts = outer(plain, *options)
        told = [row for row in within if row["tool"] != "unittest"] if case == "mixed-verbose" else within
        facts += [{"tool": "ctest", "kind": "test", "name": "python_unit"}] if case == "mixed-verbose" else []
        keep(f"ctest/{case}", text, folder, source, [*told, *facts])
    text, facts = outer(sanitized, "--output-on-failure", "-R", "mem")
    keep("ctest/sanitized", text, folder, source, facts)


if __name__ == "__main__":
    main()
