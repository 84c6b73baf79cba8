"""Runs ctest on the sample, and keeps what it prints with the truth of its LastTestsFailed.log and of gtest's JSON.

Needs Debian's cmake and, by pip in environments of its own, an older and a newer one.
"""

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from native import CLEAN, CMAKES, ROOT, catch2_rows, cmake, compiled, doctest_rows, keep, project, run

FOUND = "found."
CASES = {
    "plain": (),
    "output": ("--output-on-failure",),
    "verbose": ("-V",),
    "extra-verbose": ("-VV",),
    "parallel": ("-j4", "--output-on-failure"),
    "parallel-verbose": ("-j4", "-V"),
    "progress": ("--progress",),
    "until-pass": ("--repeat", "until-pass:2"),
    "stopped": ("--stop-on-failure", "--output-on-failure"),
    "some": ("-R", "fails|passes"),
    "fine": ("-R", "passes", "--output-on-failure"),
    "flaky": ("-R", "flaky|passes", "--repeat", "until-pass:2", "--output-on-failure"),
    "gtest-whole": ("-R", "all_words", "--output-on-failure"),
    "gtest-found": ("-R", "found", "--output-on-failure"),
    "gtest-found-verbose": ("-R", "found", "-V"),
    "gtest-silent": ("-R", "words|found"),
}


def named(build):
    """Read which failed, as ctest keeps it for --rerun-failed."""
    kept = build / "Testing/Temporary/LastTestsFailed.log"
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    return list(dict.fromkeys(line.partition(":")[2] for line in lines))


def timed_out(build):
    """Take from what a run sends to a dashboard which tests ran out of time."""
    shutil.rmtree(build / "Testing", ignore_errors=True)
    run(build, "ctest", "-T", "Test", "-R", "hangs|fails")
    (result,) = build.glob("Testing/*/Test.xml")
    for test in ET.parse(result).getroot().iter("Test"):
        if any(value.text == "Timeout" for value in test.iter("Value")):
            yield test.find("Name").text


def inner(results):
    """Take from gtest's JSON which of its tests failed."""
    for result in results.glob("*.json"):
        for suite in json.loads(result.read_text(encoding="utf-8"))["testsuites"]:
            for test in suite["testsuite"]:
                if "failures" in test:
                    yield {"tool": "gtest", "kind": "test", "name": f"{suite['name']}.{test['name']}"}


def case(name, build, slow, options, programs=None):
    """Run ctest, and keep it; what gtest itself told is gtest's, where its output is shown."""
    for old in ("been_here", "Testing/Temporary/LastTestsFailed.log"):
        (build / old).unlink(missing_ok=True)
    results = ROOT / "ctest-results"
    shutil.rmtree(results, ignore_errors=True)
    environment = {"GTEST_OUTPUT": f"json:{results}/"} | ({"PATH": f"{programs}:{CLEAN['PATH']}"} if programs else {})
    command = ("ctest", *options) if options is not None else ("make", "test")
    log = run(build, *command, env=environment)
    shown = options is not None and {"--output-on-failure", "-V", "-VV"} & set(options)
    bad = [one for one in named(build) if not (shown and (one == "all_words" or one.startswith(FOUND)))]
    rows = [{"tool": "ctest", "kind": "timeout" if one in slow else "test", "name": one} for one in bad]
    keep(f"ctest/{name}", log, build.parent, "LastTestsFailed.log", rows + (list(inner(results)) if shown else []))


def frameworks(folder):
    """Run Catch2 and doctest by ctest; the truth is their own XML."""
    catch2, doctest = project("catch2"), project("doctest_cpp")
    programs = {"catch2": catch2 / compiled(catch2, "sums.cpp"), "doctest": doctest / compiled(doctest, "sums.cpp")}
    build = folder / "frameworks"
    build.mkdir(exist_ok=True)
    tests = "".join(f'add_test({name} "{path}")\n' for name, path in programs.items())
    (build / "CTestTestfile.cmake").write_text(f'add_test(plain "sh" "-c" "exit 1")\n{tests}', encoding="utf-8")
    xml = {
        name: subprocess.run([path, "-r=xml"], capture_output=True, timeout=60).stdout.decode()
        for name, path in programs.items()
    }
    inner = [*catch2_rows(xml["catch2"], catch2), *doctest_rows(xml["doctest"])]
    plain = {"tool": "ctest", "kind": "test", "name": "plain"}
    for case, option in {"frameworks": "--output-on-failure", "frameworks-verbose": "-V"}.items():
        keep(f"ctest/{case}", run(build, "ctest", option), folder, "the XML of Catch2 and doctest", [plain, *inner])


def main():
    folder = project("ctest")
    build = folder / "build"
    if not (build / "words").exists():
        subprocess.run(["cmake", "-B", build, "-S", folder], env=CLEAN, check=True, timeout=120)
        subprocess.run(["cmake", "--build", build], env=CLEAN, check=True, timeout=580)
    slow = set(timed_out(build))
    assert slow == {"hangs"}
    for name, options in CASES.items():
        case(name, build, slow, options)
    case("make-test", build, slow, None)
    frameworks(folder)
    for version in CMAKES:
        case(f"cmake-{version}", build, slow, ("--output-on-failure",), cmake(version))
        case(f"cmake-{version}-plain", build, slow, (), cmake(version))


if __name__ == "__main__":
    main()
