"""Make the logs of Gradle: `python make.py [CASE…]`; Debian's Gradle 4.4.1, Maven, zip and a JDK must be there.

The tests are those of Surefire's samples. The truth is taken from the XML reports of the same run; of 7.6.4 from what
it tells a listener, as its reports leave methods out that have cases.
"""

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SUREFIRE = HERE.parent / "surefire"
sys.path.insert(0, str(HERE.parent / "jvm"))

from distribution import gradle  # noqa: E402
from keeping import failed_cases, keep, libraries, place_in, run, scrubbed  # noqa: E402

JUNIT, NG = "junit:junit:4.13.2", "org.testng:testng:7.5.1"
JUPITER = ("org.junit.jupiter:junit-jupiter:5.10.2", "org.junit.platform:junit-platform-launcher:1.10.2")
GROOVY = "3.0.13"
FULL = "testLogging { exceptionFormat 'full' }"
LOUD = "testLogging { exceptionFormat 'full'; showStandardStreams true; events 'passed', 'skipped', 'failed' }"
SILENT = "testLogging { showExceptions false }"
BUILD = """subprojects {
    apply plugin: 'java'
    sourceCompatibility = 1.8
    dependencies { testCompile fileTree(dir: rootProject.file('libs'), include: '*.jar') }
    test { %s }
}
"""
NEW = """subprojects {
    apply plugin: 'java'
    tasks.withType(JavaCompile) { options.encoding = 'UTF-8'; options.fork = true }
    tasks.withType(JavaCompile) { options.forkOptions.executable = '%s' }
    dependencies { testImplementation fileTree(dir: rootProject.file('libs'), include: '*.jar') }
    test {
        %s
        afterTest { test, result ->
            if (result.resultType.name() == 'FAILURE') {
                def names = []
                def one = test
                while (!one.displayName.startsWith('Gradle Test')) { names.add(0, one.displayName); one = one.parent }
                def frames = result.exception.stackTrace.collect { "\\tat $it" }.join('\\n')
                rootProject.file('told').append(groovy.json.JsonOutput.toJson([names, test.className, frames]) + '\\n')
            }
        }
    }
}
"""
ALL = ("gradle", "--offline", "--no-daemon", "--continue", "--console=plain", "test")

CASES = {
    "4.4.1-short": (("vintage", "ng"), "", ALL),
    "4.4.1-full": (("vintage", "ng"), FULL, ALL),
    "4.4.1-loud": (("vintage",), LOUD, ALL),
    "4.4.1-silent": (("vintage",), SILENT, ALL),
    "4.4.1-info": (("vintage",), "", (*ALL, "--info")),
    "4.4.1-rich": (("vintage", "ng"), FULL, ("gradle", "--offline", "--no-daemon", "--console=rich", "test")),
    "4.4.1-parallel": (("vintage", "ng"), FULL + "; maxParallelForks = 2", (*ALL, "--parallel")),
}


LATEST = {"7.6.4-full": FULL, "7.6.4-short": "", "7.6.4-loud": LOUD}


def lay(folder, modules, settings):
    """Lay a build of some projects."""
    (folder / "settings.gradle").write_text(f"include {', '.join(map(repr, modules))}\n", encoding="utf-8")
    (folder / "build.gradle").write_text(BUILD % settings, encoding="utf-8")
    libraries(folder / "libs", JUNIT, NG)
    for module in modules:
        shutil.copytree(SUREFIRE / module, folder / module)
    if "ng" in modules:
        (folder / "ng" / "build.gradle").write_text("test { useTestNG() }\n", encoding="utf-8")


def make(case):
    """Make one log."""
    modules, settings, command = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        lay(folder, modules, settings)
        log = scrubbed(run(list(command), folder), folder)
        failures = [
            {"tool": "gradle", "kind": "test", "name": f"{of}.{name}", **place_in(trace, of)}
            for of, name, trace in failed_cases(folder)
        ]
        keep("gradle", case, log, "Gradle 4.4.1: build/test-results/test/TEST-*.xml of the same run", failures)


def named(names):
    """Give the canonical name of what is told by its class, nested classes, a method and its cases."""
    of, *rest = names
    while len(rest) > 1 and re.fullmatch(r"[\w$.]+", of) and re.fullmatch(r"[A-Z]\w*", rest[0]):
        of, rest = f"{of}${rest[0]}", rest[1:]
    return f"{of}.{' > '.join(rest).removesuffix('()')}"


def lay_new(folder, settings):
    """Lay a build for 7.6.4."""
    for module in ("jupiter", "vintage"):
        shutil.copytree(SUREFIRE / module, folder / module)
    (folder / "settings.gradle").write_text("include 'jupiter', 'vintage'\n", encoding="utf-8")
    (folder / "build.gradle").write_text(NEW % (shutil.which("javac"), settings), encoding="utf-8")
    (folder / "jupiter" / "build.gradle").write_text("test { useJUnitPlatform() }\n", encoding="utf-8")
    libraries(folder / "libs", JUNIT, *JUPITER)


def latest():
    """Make the logs of 7.6.4."""
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary).resolve()
        words = gradle(root / "gradle", "7.6.4", GROOVY)
        for case, settings in LATEST.items():
            folder = root / case
            lay_new(folder, settings)
            log = scrubbed(run([*words, "--offline", "test"], folder), folder)
            told = map(json.loads, (folder / "told").read_text(encoding="utf-8").splitlines())
            failures = [
                {"tool": "gradle", "kind": "test", "name": named(names), **place_in(frames, of)}
                for names, of, frames in told
            ]
            for row in failures if not settings else ():  # then packages are only where names have them
                if row.get("file", "").removesuffix(".java").replace("/", ".") not in row["name"]:
                    row["file"] = row["file"].rpartition("/")[2]
            keep("gradle", case, log, "what Gradle 7.6.4 tells a listener in the same run", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
    if not sys.argv[1:]:
        latest()
