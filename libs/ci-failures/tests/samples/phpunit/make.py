"""Runs PHPUnit on the sample, and keeps what it prints with the truth of its JUnit XML beside it.

Needs Debian's phpunit.
"""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, CI_ROOT, keep, project, run

DATA = re.compile(r'(\S+) with data set (?:"(.*)"|(#\d+))$')
PROVIDER = re.compile(r"The data provider specified for (\S+) is invalid")


def truth(result, folder):
    root = ET.fromstring(result.read_bytes()) if result.exists() else ()
    for case in root.iter("testcase") if len(root) else ():
        wrong = next((one for one in case if one.tag in {"failure", "error"}), None)
        if wrong is None or "Risky" in wrong.get("type", "") or "Warning" in wrong.get("type", ""):
            continue
        found = DATA.match(case.get("name"))
        method = f"{found[1]}@{found[2] or found[3]}" if found else case.get("name")
        name = f"{case.get('class')}::{method}" if case.get("class") else PROVIDER.search(wrong.text)[1]
        places = re.findall(re.escape(str(folder)) + r"/(\S+\.php):(\d+)$", wrong.text, re.MULTILINE)
        place = (
            {"file": places[-1][0], "line": int(places[-1][1])} if places and "whole class" not in wrong.text else {}
        )
        yield {"tool": "phpunit", "kind": "test", "name": name} | place


def case(name, *words, terminal=False, env=CI):
    folder = project("phpunit/project", "phpunit")
    result = folder.parent / "phpunit.xml"
    result.unlink(missing_ok=True)
    log = run(
        folder, "phpunit", "--bootstrap", "bootstrap.php", "--log-junit", result, *words, env=env, terminal=terminal
    )
    log = log.replace("/usr/share/php/PHPUnit/", f"{folder}/vendor/phpunit/phpunit/src/")
    keep(f"phpunit/{name}", log, folder, "the JUnit XML of PHPUnit, same run", truth(result, folder))


def dimmed(path):
    """Give a path with its slashes as TestDox colours them."""
    return str(path).replace("/", "\x1b[2m/\x1b[22m")


def testdox(name, *words):
    folder = project("phpunit/project", "phpunit")
    result = folder.parent / "testdox.xml"
    log = run(folder, "phpunit", "--bootstrap", "bootstrap.php", "--testdox", "--testdox-xml", result, *words, env=CI)
    log = log.replace("/usr/share/php/PHPUnit/", f"{folder}/vendor/phpunit/phpunit/src/")
    log = log.replace(dimmed(folder), dimmed(CI_ROOT))
    failures = [
        {"tool": "phpunit", "kind": "test", "name": f"{case.get('className')}::{case.get('prettifiedMethodName')}"}
        for case in ET.fromstring(result.read_bytes()).iter("test")
        if case.get("status") in {"3", "4"}
    ]
    keep(f"phpunit/{name}", log, folder, "the TestDox XML of PHPUnit, same run", failures)


def broken(name):
    folder = project("phpunit/project", "phpunit")
    log = run(folder, "phpunit", "broken", env=CI)
    log = log.replace("/usr/share/php/PHPUnit/", f"{folder}/vendor/phpunit/phpunit/src/")
    said = run(folder, "php", "-l", "broken/BrokenTest.php", env=CI)
    found = re.search(r" in (\S+) on line (\d+)", said)
    file, line = found[1], int(found[2])
    failures = [{"tool": "php", "kind": "compile", "name": f"ParseError {file}:{line}", "file": file, "line": line}]
    keep(f"phpunit/{name}", log, folder, "php -l, a second run", failures)


if __name__ == "__main__":
    case("plain", "tests")
    case("verbose", "--verbose", "tests")
    case("debug", "--debug", "tests")
    case("colour", "--colors=always", "tests")
    case("terminal", "--columns=60", "tests", terminal=True, env={})
    case("random", "--order-by=random", "--random-order-seed=3", "tests")
    case("reversed", "--reverse-list", "tests")
    case("stop-on-failure", "--stop-on-failure", "tests")
    case("warnings", "--fail-on-warning", "--fail-on-risky", "fine")
    case("set-up", "tests/SetUpTest.php")
    case("some", "--filter", "testAmounts", "tests")
    case("no-interaction", "--no-interaction", "--strict-coverage", "tests/AccountTest.php")
    case("fine", "--filter", "testIsFine", "fine")
    testdox("testdox", "tests/AccountTest.php")
    testdox("testdox-colour", "--colors=always", "tests/SetUpTest.php")
    broken("broken")
