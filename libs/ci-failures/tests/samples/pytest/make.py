"""Write tests/logs/pytest: runs pytest, of several versions and in many settings, on the sample beside this file.

The truth is what pytest's own reports say in the same run (truth.py).
"""

import json
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pypi import CI, NOT_CI, SAMPLES, TRUTH, keep, project, run, venv

ENVIRONMENTS = {
    "9": ("3.13", "pytest~=9.0", "pytest-xdist", "pytest-rerunfailures", "pytest-timeout"),
    "8": ("3.11", "pytest~=8.4", "pytest-xdist", "pytest-rerunfailures", "pytest-subtests"),
    "8-sugar": ("3.11", "pytest~=8.4", "pytest-sugar", "pytest-randomly"),
    "7": ("3.9", "pytest==7.4.4", "pytest-xdist", "pytest-subtests==0.11"),
    "6": ("3.8", "pytest==6.2.5", "pytest-xdist<3", "pytest-subtests==0.5"),
    "5": ("3.8", "pytest==5.4.3"),
    "4": ("2.7", "pytest==4.6.11"),
    "3": ("3.6", "pytest==3.2.5"),
}
WIDE, NARROW = {"COLUMNS": "200"}, {"COLUMNS": "50"}
TOLD_APART_BY_BLOCKS = (
    "--deselect tests/test_shop.py::test_messages_that_look_like_a_summary --deselect tests/test_shop.py::test_names"
)
# (version, name of the case, arguments, what is set, how places are told)
CASES = [
    ("9", "plain", "tests", CI, "blocks"),
    ("9", "narrow", "tests", NOT_CI | NARROW, "blocks"),
    ("9", "very-verbose", "-vv -rA tests/test_setup.py tests/test_cases.py", CI | WIDE, "blocks"),
    ("9", "very-quiet", "-qq --tb=short tests", CI, "blocks"),
    ("9", "no-summary", "-rN tests", CI, "blocks"),
    ("9", "no-summary-verbose", "-rN -v --tb=no tests", CI, "none"),
    ("9", "tb-line", "--tb=line tests/test_shop.py", CI, "crash"),
    ("9", "tb-no", f"--tb=no -q tests {TOLD_APART_BY_BLOCKS}", CI, "none"),
    (
        "9",
        "tb-native",
        "--tb=native tests -k 'deep_in or equal or look_like'",
        CI,
        "native",
    ),
    ("9", "tb-long-locals", "--tb=long -l tests -k 'handling or names or library'", CI, "blocks"),
    ("9", "colour", "-v --color=yes tests/test_setup.py tests/test_cases.py sub", CI, "blocks"),
    ("9", "xdist", "-n 2 --tb=short tests/test_setup.py tests/test_cases.py", CI, "blocks"),
    ("9", "xdist-verbose", "-n 2 -v --tb=short tests/test_setup.py tests/test_cases.py", CI, "blocks"),
    ("9", "xdist-group", "-n 2 --dist loadgroup group", CI, "blocks"),
    ("9", "xdist-crash", "-n 2 crash", CI, "blocks"),
    ("9", "subtests", "sub", CI, "blocks"),
    ("9", "subtests-verbose", "-v sub", NOT_CI, "blocks"),
    ("9", "collection", "broken", CI, "blocks"),
    ("9", "collection-continued", "--continue-on-collection-errors broken", CI, "blocks"),
    ("9", "collection-quiet", "-q broken", NOT_CI, "blocks"),
    ("9", "flaky", "--reruns 2 -v flaky", CI, "blocks"),
    ("9", "flaky-told", "--reruns 2 -rR flaky", CI, "blocks"),
    ("9", "death", "death/test_death.py", CI, "death"),
    ("9", "death-verbose", "-v death/test_death.py", CI, "death"),
    ("9", "timeout", "--timeout=1 --timeout-method=thread death/test_slow.py", CI, "death"),
    ("6", "death-verbose", "-v death/test_death.py", CI, "death"),
    ("9", "noisy", "noisy", CI, "blocks"),
    ("9", "internal-error", "-v internal", CI, "none"),
    ("9", "conftest", "lost", CI, "blocks"),
    ("5", "conftest", "lost", CI, "blocks"),
    ("9", "doctest", "--doctest-modules app", CI, "blocks"),
    ("9", "first-only", "-x tests", CI, "blocks"),
    ("9", "no-capture", "-s --tb=short tests/test_shop.py", CI, "blocks"),
    ("9", "live-log", "--log-cli-level=INFO --tb=line tests/test_shop.py -k 'prints or deep'", CI, "crash"),
    ("9", "passes", "tests -k test_passes_and_prints", CI, "blocks"),
    ("9", "passes-aloud", "tests -s -rA -k test_passes_and_prints", CI, "blocks"),
    ("8", "plain", "--tb=short tests", CI, "blocks"),
    ("8", "verbose-short", "-v --tb=short", CI, "blocks"),
    ("8", "subtests", "sub", CI, "blocks"),
    ("8", "subtests-verbose", "-v sub", NOT_CI, "blocks"),
    ("8-sugar", "forced", f"--force-sugar -p no:randomly --tb=short tests {TOLD_APART_BY_BLOCKS}", CI, "none"),
    ("7", "xdist-quiet", "-n 2 -q --tb=short tests", NOT_CI, "blocks"),
    ("7", "subtests", "sub", CI, "blocks"),
    ("6", "plain", "--tb=short tests", CI, "blocks"),
    ("6", "collection", "broken", CI, "blocks"),
    ("6", "subtests", "sub", NOT_CI, "blocks"),
    ("6", "verbose-wide", "-v tests/test_setup.py tests/test_cases.py", NOT_CI | WIDE, "blocks"),
    ("5", "plain", "tests/test_setup.py tests/test_cases.py", CI, "blocks"),
    ("5", "quiet-short", "-q --tb=short tests", CI, "blocks"),
    ("4", "plain", "tests", CI, "blocks"),
    ("4", "no-summary", "-rN -v tests/test_setup.py tests/test_cases.py", CI, "blocks"),
    ("3", "plain", "tests", CI, "blocks"),
    ("3", "summary", "-rfE --tb=short tests", CI, "blocks"),
    ("3", "collection", "broken", CI, "blocks"),
]


def make(version, case, arguments, env, style, *, inner=""):
    """Run pytest once, and keep its log and truth."""
    programs = venv(f"pytest-{version}", *ENVIRONMENTS[version])
    folder = project("pytest", f"pytest-{version}-{case}", inner)
    TRUTH.unlink(missing_ok=True)
    told = {"TRUTH": str(TRUTH), "TRUTH_ROOT": str(folder), "TRUTH_STYLE": style, "PYTHONPATH": str(SAMPLES / "pytest")}
    command = (programs / "python", "-m", "pytest", "-p", "truth", *shlex.split(arguments))
    log = run(folder / inner, *command, env=env | told)
    keep(f"pytest/{version}-{case}", log, folder, f"reports of pytest {version}", json.loads(TRUTH.read_text()))


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for one in CASES:
        if not wanted or f"{one[0]}-{one[1]}" in wanted:
            make(*one)
    if not wanted or "place" in wanted:
        make("9", "place", "tests/test_cases.py tests/test_setup.py", CI, "blocks", inner="backend")
