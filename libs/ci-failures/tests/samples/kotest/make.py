"""Make the logs of Kotest: `python make.py`; Maven, zip and a JDK must be there.

The specs are run by JUnit's console, Surefire, Gradle and Kotest's own launcher. The truth is taken from the XML
reports of the same run and, where these have no titles of what contains a test, from the events that Kotest prints for
TeamCity over the same specs.
"""

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "jvm"), str(HERE.parent / "gradle")]

from distribution import gradle  # noqa: E402
from keeping import failed_cases, keep, libraries, run, scrubbed  # noqa: E402

KOTEST, KOTLIN, CONSOLE = "5.9.1", "2.0.21", "1.10.2"
PARTS = ("runner-junit5", "assertions-core", "property", "framework-datatest")
FEW = ("CustomerBehaviour", "BrokenAfterSpec", "StaffTest", "PassingSpec")
"""The specs whose logs are kept where each failure has hundreds of frames."""
SYNTHETIC = {"After Spec Error", "Before Spec Error", "SpecInstantiationException"}
MESSAGE = re.compile(r"##teamcity\[(testSuiteStarted|testSuiteFinished|testFailed) name='((?:[^'|]|\|.)*)'")
ID = re.compile(r"unique-id: (\[.*)")
DISPLAYED = re.compile(r"display-name: (.*)")
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>org.example</groupId><artifactId>app</artifactId><version>1</version>
<properties><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>DEPENDENCIES</dependencies><build><testOutputDirectory>../out</testOutputDirectory><plugins><plugin>
<groupId>org.apache.maven.plugins</groupId><artifactId>maven-surefire-plugin</artifactId><version>VERSION</version>
<configuration><includes><include>**/*</include></includes></configuration></plugin></plugins></build></project>\n"""
BUILD = """apply plugin: 'java'
test {
    useJUnitPlatform()
    testClassesDirs = files('../out')
    classpath = files('../out') + fileTree('../libs')
}
"""


def wanted():
    """Give the libraries of the specs."""
    return [
        f"org.jetbrains.kotlin:kotlin-stdlib:{KOTLIN}",
        *(f"io.kotest:kotest-{part}-jvm:{KOTEST}" for part in PARTS),
    ]


def lay(folder):
    """Compile the specs, and give the class path."""
    compiler = libraries(folder / "compiler", f"org.jetbrains.kotlin:kotlin-compiler-embeddable:{KOTLIN}")
    path = ":".join(map(str, libraries(folder / "libs", *wanted())))
    main = ["java", "-cp", ":".join(map(str, compiler)), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
    words = ["-no-stdlib", "-no-reflect", "-cp", path, "-d", str(folder / "out"), str(HERE / "src")]
    print(run([*main, *words], folder))  # noqa: T201
    few = folder / "few" / "org" / "example" / "kotest"
    few.mkdir(parents=True)
    for one in (folder / "out").rglob("*.class"):
        if one.name.startswith(FEW):
            shutil.copy(one, few / one.name)
    return path


def launched(folder, path, classes, form):
    """Give what Kotest's own launcher prints."""
    words = ["io.kotest.engine.launcher.MainKt", "--writer", form]
    return run(["java", "-cp", f"{path}:{folder / classes}", *words], folder)


def failed_titles(events):
    """Give spec and titles of what failed, as Kotest tells TeamCity."""
    suites = []
    for kind, name in MESSAGE.findall(events):
        if kind == "testSuiteStarted":
            suites.append(name)
        elif kind == "testSuiteFinished":
            suites.pop()
        else:
            yield suites[0], [*suites[1:], name]


def row(tool, name):
    return {"tool": tool, "kind": "test", "name": name}


def by_ids(reports):
    """Give what failed by the unique ids of a report, which have the titles that the source has."""
    for case in ET.parse(reports / "TEST-kotest.xml").getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            told = "".join(one.text or "" for one in case.iter("system-out"))
            tests = re.findall(r"\[test:([^\]]*)\]", ID.search(told)[1])
            yield case.get("classname"), [*map(unquote, tests[:-1]), DISPLAYED.search(told)[1]]


def consoles(folder, path, titles):
    """Make the logs of JUnit's console."""
    (console,) = libraries(folder / "console", f"org.junit.platform:junit-platform-console-standalone:{CONSOLE}")
    plain = ("--disable-ansi-colors",)
    for name, classes, options in (
        ("tree", "out", ()),
        ("summary", "out", ("--details=summary", *plain)),
        ("flat", "few", ("--details=flat",)),
        ("verbose", "few", ("--details=verbose", *plain)),
        ("testfeed", "few", ("--details=testfeed", *plain)),
    ):
        reports = folder / f"reports-{name}"
        scan = [f"--scan-classpath={folder / classes}", "--include-classname=.*", f"--reports-dir={reports}", *options]
        main = ["java", "-cp", f"{console}:{path}:{folder / classes}", "org.junit.platform.console.ConsoleLauncher"]
        log = run([*main, "execute", *scan], folder)
        between, source = " > ", "what Kotest tells TeamCity, a second run"
        told = [(of, rest) for of, rest in titles if classes == "out" or of.endswith(FEW)]
        if name in {"flat", "verbose"}:
            failed = {(of, rest[-1]) for of, rest in titles}  # the report lets all tests of a broken spec fail
            told = [(of, rest) for of, rest in by_ids(reports) if (of, rest[-1]) in failed]
            source = "JUnit: TEST-kotest.xml of the same run"
        elif name != "testfeed":
            between = ":"
        rows = [row("junit-console", f"{of}#{between.join(rest)}") for of, rest in told]
        keep("kotest", f"{KOTEST}-console-{name}", scrubbed(log, folder), source, rows)


def surefires(folder):
    """Make the logs of Surefire: versions of today name classes only, in the log as in the reports."""
    needs = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for group, name, version in (one.split(":") for one in wanted())
    )
    for version, options in (("2.22.2", ("-B",)), ("3.5.4", ("-B",)), ("3.2.5", ("-Dstyle.color=always",))):
        project = folder / f"surefire-{version}"
        project.mkdir()
        pom = POM.replace("DEPENDENCIES", needs).replace("VERSION", version)
        (project / "pom.xml").write_text(pom, encoding="utf-8")
        log = scrubbed(run(["mvn", "-ntp", "-DtrimStackTrace=true", *options, "test"], project), project)
        reports = project / "target" / "surefire-reports"
        rows = [row("surefire", of if not name else f"{of}#{name}") for of, name in cases_of(reports, version)]
        keep("kotest", f"surefire-{version}", log, f"Surefire {version}: TEST-*.xml of the same run", rows)


def cases_of(reports, version):
    """Give what failed; reports of today have the title of a context in the place of the class of its tests."""
    for path in sorted(reports.glob("TEST-*.xml")):
        of = path.name.removeprefix("TEST-").removesuffix(".xml")
        for told, name in failed_in(path):
            yield (told, name) if version < "3" else (of, "")


def failed_in(path):
    """Give what failed by one report."""
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            name, of = case.get("name", ""), case.get("classname", "")
            yield of, "" if name in {"", of} else name


def gradles(folder, titles):
    """Make the log of Gradle; what it reports as `executionError` is a spec."""
    words = gradle(folder / "gradle", "7.6.4", "3.0.13")
    project = folder / "gradled"
    project.mkdir()
    (project / "settings.gradle").write_text("rootProject.name = 'app'\n", encoding="utf-8")
    (project / "build.gradle").write_text(BUILD, encoding="utf-8")
    log = scrubbed(run([*words, "--offline", "test"], project), project)
    specs = [of for of, name, _ in failed_cases(project / "build") if name == "executionError"]
    names = [f"{of}.{' > '.join(rest)}" for of, rest in titles] + [f"{of}.executionError" for of in specs]
    source = "Gradle 7.6.4: TEST-*.xml of the same run; what Kotest tells TeamCity, a second run"
    keep("kotest", "gradle", log, source, [row("gradle", name) for name in names])


def launchers(folder, path, titles):
    """Make the logs of Kotest's own launcher; what fails outside of tests is a failure of the spec."""
    few = [(of, rest) for of, rest in titles if of.endswith(FEW)]
    names = [of if set(rest) & SYNTHETIC else f"{of}.{' > '.join(rest)}" for of, rest in few]
    source = "what Kotest tells TeamCity, a second run"
    log = scrubbed(launched(folder, path, "few", "enhanced"), folder)
    keep("kotest", f"{KOTEST}-launcher", log, source, [row("kotest", name) for name in names])
    events = scrubbed(launched(folder, path, "few", "teamcity"), folder)
    rows = [row("teamcity", f"{of} > {' > '.join(rest)}") for of, rest in few]
    keep("kotest", f"{KOTEST}-teamcity", events, "the events themselves", rows)


def make():
    """Make all logs."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        path = lay(folder)
        titles = list(failed_titles(launched(folder, path, "out", "teamcity")))
        print(json.dumps(titles)[:500])  # noqa: T201
        consoles(folder, path, titles)
        launchers(folder, path, titles)
        surefires(folder)
        gradles(folder, titles)


if __name__ == "__main__":
    make()
