"""Write tests/pairs: what a tool prints, and the result files that it writes in the same run, a folder a case.

Usage: make.py [CASE …]. Debian's phpunit, ruby-rspec and ruby-rspec-junit-formatter, go, gotestsum, npm, Maven and
CMake must be there.
"""

import importlib.util
import re
import shutil
import sys
import tempfile
from pathlib import Path

SAMPLES = Path(__file__).parents[1]
PAIRS = SAMPLES.parent / "pairs"
sys.path[:0] = [str(SAMPLES), str(SAMPLES / "jvm")]

import npm  # noqa: E402
import pypi  # noqa: E402
import toolchains  # noqa: E402

UTF8 = {"LC_ALL": "C.UTF-8"}
PROPERTY = re.compile(r'<property name="(?!java\.vm\.name"|maven\.home"|go\.version")[^>]*>(?:</property>)?\s*')
"""What a report lists of its machine, but for what tells who wrote it."""
PACKAGES = ("./calc", "./nested", "./fine", "./shown", "./panics", "./exits", "./broken")


def keep(case, folder, log, *files):
    """Write a log and its result files, where CI has them."""
    target = PAIRS / case
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    named = {"log.txt": log} | {file.name: file.read_text(encoding="utf-8") for file in files}
    for name, text in named.items():
        said = text.replace(str(folder), "/home/runner/work/app/app").replace(str(Path.home()), "/home/runner")
        (target / name).write_text(PROPERTY.sub("", said), encoding="utf-8")


def phpunit():
    folder = toolchains.project("phpunit/project", "pairs-phpunit")
    xml = folder / "junit.xml"
    words = ["phpunit", "--bootstrap", "bootstrap.php", "--log-junit", xml, "tests"]
    keep("phpunit", folder, toolchains.run(folder, *words, env=toolchains.CI), xml)


def phpunit_in_words():
    """With `--testdox`, a log has methods only as words."""
    folder = toolchains.project("phpunit/project", "pairs-phpunit")
    xml = folder / "junit.xml"
    words = ["phpunit", "--testdox", "--bootstrap", "bootstrap.php", "--log-junit", xml, "tests"]
    keep("phpunit-testdox", folder, toolchains.run(folder, *words, env=toolchains.CI), xml)


def rspec_json():
    folder = toolchains.project("rspec/project", "pairs-rspec")
    report = folder / "rspec.json"
    words = ["rspec", "-I", "spec", "--format", "progress", "--format", "json", "--out", report]
    keep("rspec-json", folder, toolchains.run(folder, *words, env=toolchains.CI | UTF8), report)


def rspec():
    folder = toolchains.project("rspec/project", "pairs-rspec")
    xml = folder / "junit.xml"
    formats = ["--format", "progress", "--format", "RspecJunitFormatter", "--out", xml]
    words = ["rspec", "-I", "spec", "--require", "rspec_junit_formatter", *formats]
    keep("rspec", folder, toolchains.run(folder, *words, env=toolchains.CI | UTF8), xml)


def gotestsum():
    folder = toolchains.project("go", "pairs-go")
    xml = folder / "junit.xml"
    words = ["gotestsum", f"--junitfile={xml}", "--format", "standard-quiet", "--", *PACKAGES]
    keep("gotestsum", folder, toolchains.run(folder, *words, env=toolchains.CI), xml)


def pytest():
    programs = pypi.venv("results-9", "3.13", "pytest~=9.0")
    folder = pypi.project("pytest", "pairs-pytest")
    xml = folder / "junit.xml"
    words = [programs / "python", "-m", "pytest", f"--junitxml={xml}", "tests"]
    env = pypi.CI | {"PYTHONPATH": str(SAMPLES / "pytest")}
    keep("pytest", folder, pypi.run(folder, *words, env=env), xml)


def mocha():
    folder = npm.project("mocha", "pairs-mocha", "mocha@11", "mocha-junit-reporter")
    xml, program = folder / "junit.xml", ["node", "node_modules/.bin/mocha"]
    log = npm.run(folder, *program, env=npm.CI)
    reporter = ["--reporter", "mocha-junit-reporter", "--reporter-option", f"mochaFile={xml}"]
    npm.run(folder, *program, *reporter, env=npm.CI)
    keep("mocha", folder, log, xml)


def vitest():
    folder = npm.project("vitest", "pairs-vitest", "vitest@3")
    xml = folder / "junit.xml"
    shown = ["--reporter=default", "--reporter=junit", f"--outputFile.junit={xml}"]
    log = npm.run(folder, "node", "node_modules/vitest/vitest.mjs", "run", *shown, env=npm.CI)
    keep("vitest", folder, log, xml)


def jest():
    """Errors outside of the tests, and files that could not be run, are cases of jest-junit, too."""
    folder = npm.project("pairs/jest", "pairs-jest", "jest@30", "jest-junit@16")
    words = ["node", "node_modules/.bin/jest", "--json", f"--outputFile={folder / 'jest.json'}"]
    log = npm.run(folder, *words, env=npm.CI)
    keep("jest", folder, log, folder / "junit.xml")
    keep("jest-json", folder, log, folder / "jest.json")


def playwright():
    """The report has paths below the folder of the tests; two projects run one of them."""
    folder = npm.project("pairs/playwright", "pairs-playwright", "@playwright/test@1")
    log = npm.run(folder, "node", "node_modules/.bin/playwright", "test", env=npm.CI)
    keep("playwright", folder, log, folder / "junit.xml")
    keep("playwright-json", folder, log, folder / "result.json")


def ctest():
    """Tests that could not be started are skipped in the report, and make ctest fail."""
    folder = npm.project("pairs/ctest", "pairs-ctest")
    npm.run(folder, "cmake", "-S", ".", "-B", "build")
    xml = folder / "junit.xml"
    keep("ctest", folder, npm.run(folder, "ctest", "--test-dir", "build", "--output-junit", xml, env=npm.CI), xml)


def made(sample):
    """Give the module that makes the logs of a tool."""
    spec = importlib.util.spec_from_file_location(f"{sample}_make", SAMPLES / sample / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def sbt():
    """Of the result files only some are kept."""
    _sbt("sbt", "tested", "", ("SetUpSuite", "MunitSuite", "Spec2", "PlainTest"))


def zio():
    _sbt("zio", "effects", made("sbt").ZIO, ("EffectSpec",))


def _sbt(case, sample, more, wanted):
    make = made("sbt")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        java, jar = make.laid(folder, sample, more)
        log = make.run([*java, *jar, "test"], folder, seconds=580)
        reports = folder / "target" / "test-reports"
        keep(case, folder, log, *(reports / f"TEST-org.example.{name}.xml" for name in wanted))


def spock():
    """Surefire 3.5.4 tells Spock's classes without their packages in each case, and with them in the suite."""
    make = made("surefire")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        make.lay(folder, "3.5.4", ("spock",), "")
        log = make.run(["mvn", "-B", "-ntp", "test"], folder)
        keep("spock", folder, log, *sorted((folder / "spock" / "target" / "surefire-reports").glob("TEST-*.xml")))


def surefire():
    _surefire("surefire", "3.5.4", ("jupiter", "vintage", "ng"))


def surefire_old():
    """Surefire 2.12.4 names itself nowhere in its reports."""
    _surefire("surefire-old", "2.12.4", ("vintage", "ng"))


def _surefire(case, version, modules, *arguments):
    make = made("surefire")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        make.lay(folder, version, modules, "")
        log = make.run(["mvn", "-B", "-ntp", "-fae", "test", *arguments], folder, seconds=900)
        keep(case, folder, log, *sorted(folder.glob("*/target/surefire-reports/TEST-*.xml")))


def gradle():
    """Gradle 7.6.4: its reports have neither the method of a case nor the names of what else contains it."""
    make = made("gradle")
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary).resolve()
        words = make.gradle(root / "gradle", "7.6.4", make.GROOVY)
        for case, settings in {"gradle": "", "gradle-full": make.FULL}.items():
            folder = root / case
            make.lay_new(folder, settings)
            log = make.run([*words, "--offline", "test"], folder, seconds=900)
            keep(case, folder, log, *sorted(folder.glob("*/build/test-results/test/TEST-*.xml")))


CASES = (phpunit, rspec, gotestsum, pytest, mocha, vitest, jest, playwright, sbt, zio, spock)
CASES += (surefire, surefire_old, gradle, phpunit_in_words, rspec_json, ctest)

if __name__ == "__main__":
    for case in CASES:
        if not sys.argv[1:] or case.__name__ in sys.argv[1:]:
            case()
