"""Make the logs of Kotest 6, which shows specs without packages: `python make_6.py`; needs Maven and a JDK.

Of a test that is tried again, no log tells the attempts: one that passes at last is printed as passed.
"""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "jvm"), str(HERE.parent / "gradle")]

from keeping import keep, libraries, run, scrubbed  # noqa: E402
from make import SYNTHETIC, by_ids, row  # noqa: E402

KOTEST, KOTLIN, CONSOLE = "6.2.4", "2.2.21", "1.13.4"
SPECS = ("BrokenAfterSpec", "CartTest", "RetryTest")
NEEDED = (*SPECS, "Price")


def lay(folder):
    """Compile the specs, leave those whose logs are kept, and give the class path."""
    compiler = libraries(folder / "compiler", f"org.jetbrains.kotlin:kotlin-compiler-embeddable:{KOTLIN}")
    parts = ("runner-junit5", "assertions-core", "property")
    wanted = [f"io.kotest:kotest-{part}-jvm:{KOTEST}" for part in parts]
    path = ":".join(map(str, libraries(folder / "libs", f"org.jetbrains.kotlin:kotlin-stdlib:{KOTLIN}", *wanted)))
    main = ["java", "-cp", ":".join(map(str, compiler)), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
    words = ["-no-stdlib", "-no-reflect", "-jvm-target", "17", "-cp", path, "-d", str(folder / "out")]
    print(run([*main, *words, str(HERE / "src"), str(HERE / "src6")], folder))  # noqa: T201
    for one in (folder / "out").rglob("*.class"):
        if one.name[0].isupper() and not one.name.startswith(NEEDED):
            one.unlink()
    return f"{path}:{folder / 'out'}"


def consoles(folder, path):
    """Make the logs of JUnit's console, and give what failed."""
    (console,) = libraries(folder / "console", f"org.junit.platform:junit-platform-console-standalone:{CONSOLE}")
    for form in ("tree", "verbose", "testfeed"):
        reports = folder / f"reports-{form}"
        scan = [f"--scan-classpath={folder / 'out'}", "--include-classname=.*", f"--reports-dir={reports}"]
        main = ["java", "-cp", f"{console}:{path}", "org.junit.platform.console.ConsoleLauncher", "execute", *scan]
        log = run([*main, f"--details={form}", "--disable-ansi-colors"], folder)
        failed = [(of, titles) for of, titles in by_ids(reports) if titles != ["is fine"]]
        between = ":" if form == "tree" else " > "
        rows = [row("junit-console", f"{of}#{between.join(titles)}") for of, titles in failed]
        source = "JUnit: TEST-kotest.xml of the same run"
        keep("kotest", f"{KOTEST}-console-{form}", scrubbed(log, folder), source, rows)
    return failed


def launcher(folder, path, failed):
    """Make the log of Kotest's own launcher, which names specs without their packages."""
    specs = ";".join(f"org.example.kotest.{name}" for name in SPECS)
    words = ["io.kotest.engine.launcher.MainKt", "--listener", "enhanced", "--specs", specs]
    log = scrubbed(run(["java", "-cp", path, *words], folder), folder)
    told = [(of.rpartition(".")[2], titles) for of, titles in failed]
    names = [of if set(titles) & SYNTHETIC else f"{of}.{' > '.join(titles)}" for of, titles in told]
    source = "JUnit: TEST-kotest.xml, a second run"
    keep("kotest", f"{KOTEST}-launcher", log, source, [row("kotest", name) for name in names])


def make():
    """Make all logs."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        path = lay(folder)
        launcher(folder, path, consoles(folder, path))


if __name__ == "__main__":
    make()
