"""Make the logs of Gradle: `python make.py [CASE…]`; Debian's Gradle 4.4.1, Maven and a JDK must be there.

The tests are those of Surefire's samples. The truth is taken from the XML reports of the same run.
"""

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SUREFIRE = HERE.parent / "surefire"
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import failed_cases, keep, libraries, place_in, run, scrubbed  # noqa: E402

JUNIT, NG = "junit:junit:4.13.2", "org.testng:testng:7.5.1"
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


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
