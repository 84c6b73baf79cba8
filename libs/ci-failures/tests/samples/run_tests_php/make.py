"""Runs PHP's runner of its own tests on the sample; the truth is the list of failed files that a second run writes.

Needs Debian's php-dev, which brings `run-tests.php`.
"""

import re
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from pypi import CI, keep, project, run

RUNNER = next(Path("/usr/lib/php").glob("*/build/run-tests.php"))
TITLE = re.compile(r"--TEST--\n(.*)")
MACHINE = re.compile(r"(PHP_OS +:).*")
EXPECTED = "--XFAIL--"


def truth(folder, *command):
    """Give the tests that are listed as failed; the list also has those whose failure is expected."""
    run(folder, *command, "-w", "failed.txt", "tests", env=CI)
    for path in (folder / "failed.txt").read_text(encoding="utf-8").splitlines():
        text = Path(path).read_text(encoding="utf-8")
        if EXPECTED not in text:
            file = str(Path(path).relative_to(folder))
            name = f"{TITLE.match(text)[1]} [{file}]"
            yield {"tool": "run-tests.php", "kind": "test", "name": name, "file": file}


def case(name, *options):
    folder = project("run_tests_php", f"run-tests-{name}")
    command = ["php", RUNNER, "-p", shutil.which("php"), "-q"]
    log = MACHINE.sub(r"\1 Linux", run(folder, *command, *options, "tests", env=CI))
    told = "the list of failed files of PHP 8.2, a second run"
    keep(f"run-tests.php/{name}", log, folder, told, truth(folder, *command))


if __name__ == "__main__":
    case("plain")
    case("differences", "--show-diff")
    case("parallel", "-j2")
    case("only-failed", "-g", "FAIL,XFAIL,BORK,WARN,LEAK")
