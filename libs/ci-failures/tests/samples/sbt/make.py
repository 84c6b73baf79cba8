"""Make the logs of sbt, ScalaTest, munit and JUnit under sbt: `python make.py`; Maven and a JDK must be there.

The truth is taken from the XML reports that sbt writes in the same run, and that ScalaTest's own runner writes.
"""

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import failed_cases, keep, libraries, place_in, run, scrubbed  # noqa: E402

SBT, SCALA = "1.10.7", "2.13.16"
BUILD = f"""scalaVersion := "{SCALA}"
libraryDependencies ++= Seq(
  "org.scalatest" %% "scalatest" % "3.2.19" % Test,
  "org.scalameta" %% "munit" % "1.0.0" % Test,
  "org.specs2" %% "specs2-core" % "4.20.9" % Test,
  "com.github.sbt" % "junit-interface" % "0.13.3" % Test
)
"""
DURATIONS = 'Test / testOptions += Tests.Argument(TestFrameworks.ScalaTest, "-oDFI")\n'
ZIO = """scalaVersion := "3.3.4"
libraryDependencies := Seq("zio-test", "zio-test-sbt").map("dev.zio" %% _ % "2.0.22" % Test)
testFrameworks += new TestFramework("zio.test.sbt.ZTestFramework")
"""
TOOLS = {
    "MunitSuite": "munit",
    "PlainTest": "junit-interface",
    "Spec2": "specs2",
    "CartSpecification": "specs2",
    "EffectSpec": "zio-test",
}
CASES = {
    "default": ("tested", "", ()),
    "durations": ("tested", DURATIONS, ("-Dsbt.color=false",)),
    "more": ("more", "", ("-Dsbt.ci=true", "-Dsbt.color=false")),
    "effects": ("effects", ZIO, ("-Dsbt.ci=true",)),
}
ALONE = {"alone": "-o", "alone-full-reminders": "-oWFI"}


def told(folder):
    """Give what failed; a suite that was aborted has its own name."""
    for of, name, trace in failed_cases(folder):
        tool = TOOLS.get(of.rpartition(".")[2], "scalatest")
        place = place_in(trace, of)
        named = of if name.startswith("(It is not a test") else f"{of}.{name}"
        if tool == "zio-test":  # a test is told behind its suites, the first of which has the name of the class
            named = f"{of.rpartition('.')[2]}{name.replace(' - ', ' / ')}"
        yield {"tool": tool, "kind": "test", "name": named, **place}


def laid(folder, sample, more):
    """Lay a project, and give the words that call sbt."""
    shutil.copytree(HERE / sample, folder, dirs_exist_ok=True)
    (folder / "project").mkdir()
    (folder / "project" / "build.properties").write_text(f"sbt.version={SBT}\n", encoding="utf-8")
    (folder / "build.sbt").write_text(BUILD + more, encoding="utf-8")
    (folder / "repositories").write_text("[repositories]\nlocal\nmaven-central\n", encoding="utf-8")
    (launcher,) = libraries(folder / "launcher", f"org.scala-sbt:sbt-launch:{SBT}")
    settings = [f"-Dsbt.repository.config={folder}/repositories", "-Dsbt.override.build.repos=true"]
    return ["java", *settings, "-Dsbt.supershell=false"], ["-jar", str(launcher)]


def runner(folder):
    """Run ScalaTest's own runner over what sbt has compiled."""
    jars = libraries(folder / "runner", "org.scalatest:scalatest_2.13:3.2.19")
    classes = folder / "target" / "scala-2.13" / "test-classes"
    suites = [
        word for kind in ("Suite", "FlatSpec", "FunSpec", "WordSpec") for word in ("-s", f"org.example.Stack{kind}")
    ]
    words = ["-R", str(classes), "-oW", "-u", str(folder / "reports"), *suites]
    path = ":".join([*map(str, jars), str(classes)])
    log = run(["java", "-cp", path, "org.scalatest.tools.Runner", *words], folder)
    rows = list(told(folder / "reports"))
    for row in rows:
        row["name"] = row["name"].removeprefix("org.example.")  # the runner prints no packages
    keep("scalatest", "runner", scrubbed(log, folder), "ScalaTest 3.2.19: the XML of the same run", rows)


def alone():
    """Make logs of ScalaTest's own runner over what the compiler itself has compiled."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        wanted = [f"org.scala-lang:scala-{name}:{SCALA}" for name in ("compiler", "library", "reflect")]
        jars = libraries(folder / "libraries", "org.scalatest:scalatest_2.13:3.2.19", *wanted)
        path, classes = ":".join(map(str, jars)), folder / "classes"
        classes.mkdir()
        compiler = ["java", "-cp", path, "scala.tools.nsc.Main", "-classpath", path, "-d", str(classes)]
        run([*compiler, str(HERE / "alone" / "Alone.scala")], folder)
        for case, form in ALONE.items():
            reports = folder / case
            words = ["org.scalatest.tools.Runner", "-R", str(classes), form, "-u", str(reports)]
            log = run(["java", "-cp", f"{path}:{classes}", *words], folder)
            rows = [row | {"name": row["name"].removeprefix("org.example.")} for row in told(reports)]
            keep("scalatest", case, scrubbed(log, folder), "ScalaTest 3.2.19: the XML of the same run", rows)


def make(case):
    """Make one log, and that of the runner beside the first."""
    sample, more, settings = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        java, jar = laid(folder, sample, more)
        log = scrubbed(run([*java, *settings, *jar, "test"], folder, seconds=580), folder)
        rows = list(told(folder / "target" / "test-reports"))
        keep("sbt", case, log, f"sbt {SBT}: target/test-reports of the same run", rows)
        if case == "default":
            runner(folder)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or [*CASES, "alone"]:
        if chosen == "alone":
            alone()
        else:
            make(chosen)
