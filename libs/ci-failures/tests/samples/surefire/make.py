"""Make the logs of Surefire and Failsafe: `python make.py [CASE…]`; Maven and a JDK must be there.

The truth is taken from the XML reports of the same run.
"""

import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "jvm"))

from keeping import class_of, failed_cases, keep, place_in, run, scrubbed  # noqa: E402

JUPITER = "org.junit.jupiter:junit-jupiter:5.10.2"
LIBRARIES = {
    "jupiter": (JUPITER,),
    "vintage": ("junit:junit:4.13.2",),
    "ng": ("org.testng:testng:7.5.1",),
    "broken": (),
    "unproved": ("junit:junit:4.13.2",),
    "spock": ("org.spockframework:spock-core:2.3-groovy-4.0", "org.apache.groovy:groovy:4.0.24"),
    "crash": (JUPITER,),
}
OLD, NEW = ("vintage", "ng"), ("jupiter", "vintage", "ng")
TRIM = "-DtrimStackTrace=true"
FAIL_AT_END = ("-B", "-ntp", "-fae", "test", TRIM)
SOME = "-Dtest=C*Test,E*Test,F*Test,SetUpTest"  # without traces 3.5 does not tell which nested class it was
RERUN = "-Dsurefire.rerunFailingTestsCount=2"
GROOVY = """<build><plugins><plugin><groupId>org.codehaus.gmavenplus</groupId><artifactId>gmavenplus-plugin</artifactId>
<version>4.0.1</version><executions><execution><goals><goal>compileTests</goal></goals></execution></executions></plugin>
</plugins></build>"""
PHRASED = """<statelessTestsetInfoReporter implementation="org.apache.maven.plugin.surefire.extensions.junit5.\
JUnit5StatelessTestsetInfoReporter"><usePhrasedClassNameInRunning>true</usePhrasedClassNameInRunning>\
<usePhrasedClassNameInTestCaseSummary>true</usePhrasedClassNameInTestCaseSummary></statelessTestsetInfoReporter>"""

CASES = {
    "3.5.4-all": ("3.5.4", ("jupiter", "vintage"), ("-B", "-ntp", "-fae", "test"), ""),
    "3.2.5-colour": ("3.2.5", NEW, ("-Dstyle.color=always", "-ntp", "-fae", "test", TRIM), ""),
    "3.0.0-all": ("3.0.0", NEW, FAIL_AT_END, ""),
    "2.22.2-all": ("2.22.2", NEW, FAIL_AT_END, ""),
    "2.19.1-old": ("2.19.1", OLD, FAIL_AT_END, ""),
    "2.17-old": ("2.17", OLD, FAIL_AT_END, ""),
    "2.12.4-old": ("2.12.4", OLD, FAIL_AT_END, ""),
    "3.5.4-flaky": ("3.5.4", ("jupiter",), ("-B", "-ntp", "test", RERUN, "-Dtest=FlakyTest,OuterTest"), ""),
    "2.22.2-flaky": ("2.22.2", ("vintage",), ("-B", "-ntp", "test", RERUN), ""),
    "3.5.4-quiet": ("3.5.4", ("jupiter",), ("-B", "-q", "test", TRIM, SOME), ""),
    "3.2.5-parallel": ("3.2.5", NEW, (*FAIL_AT_END, "-T2", "-DforkCount=2"), ""),
    "3.5.4-trimmed": ("3.5.4", ("jupiter",), ("-B", "-ntp", "test", TRIM, SOME, "-Dsurefire.useFile=false"), ""),
    "2.22.2-no-traces": ("2.22.2", OLD, (*FAIL_AT_END, "-Dsurefire.reportFormat=plain", "-Dsurefire.useFile=true"), ""),
    "3.5.4-phrased": ("3.5.4", ("jupiter",), ("-B", "-ntp", "test", TRIM, SOME), PHRASED),
    "3.5.4-verify": ("3.5.4", ("jupiter",), ("-B", "-ntp", "verify", "-Dtest=OuterTest"), ""),
    "3.5.4-failsafe": ("3.5.4", ("jupiter",), ("-B", "-ntp", "verify", "-DskipTests=false", "-Dtest=Nothing"), ""),
    "2.22.2-failsafe": ("2.22.2", ("jupiter",), ("-B", "-ntp", "verify", "-Dtest=Nothing"), ""),
    "3.5.4-first-only": ("3.5.4", NEW, ("-B", "-ntp", "test", TRIM, SOME), ""),
    "3.5.4-spock": ("3.5.4", ("spock", "crash"), ("-B", "-ntp", "-fae", "test"), ""),
    "3.2.5-maven-4": ("3.2.5", NEW, (*FAIL_AT_END, "-T2"), ""),
    "3.5.4-passes": ("3.5.4", ("jupiter",), ("-B", "-ntp", "test", "-Dtest=CalculatorTest#prints*+addsRightly"), ""),
}


MAVENS = {"3.2.5-maven-4": "4.0.0-rc-3"}


def maven(folder, version):
    """Fetch a version of Maven, and give its program."""
    goal = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack"
    archive = f"-Dartifact=org.apache.maven:apache-maven:{version}:zip:bin"
    run(["mvn", "-B", "-q", "-ntp", goal, archive, f"-DoutputDirectory={folder}"], folder)
    program = folder / f"apache-maven-{version}" / "bin" / "mvn"
    program.chmod(0o755)
    return str(program)


def dependencies(module):
    """Give the libraries of a module as Maven wants them."""
    rows = [library.split(":") for library in LIBRARIES[module]]
    return "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for group, name, version in rows
    )


def plugin(name, version, rest=""):
    """Give a plugin as Maven wants it."""
    return (
        f"<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version>{rest}</plugin>"
    )


def project(name, version, inner, parent=""):
    """Give a project's own file."""
    return f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>{parent}
<groupId>org.example</groupId><artifactId>{name}</artifactId><version>{version}</version>{inner}</project>\n"""


def lay(folder, surefire, modules, configuration):
    """Lay a reactor of some modules."""
    goals = "<goals><goal>integration-test</goal><goal>verify</goal></goals>"
    included = "<includes><include>**/*Test.java</include><include>**/*Ng.java</include>"
    included += "<include>**/*Spec.java</include></includes>"
    plugins = (
        plugin("maven-compiler-plugin", "3.13.0")
        + plugin("maven-surefire-plugin", surefire, f"<configuration>{included}{configuration}</configuration>")
        + plugin("maven-failsafe-plugin", surefire, f"<executions><execution>{goals}</execution></executions>")
    )
    properties = (
        "<properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>"
        "<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>"
        "<failIfNoTests>false</failIfNoTests>"
        "<surefire.failIfNoSpecifiedTests>false</surefire.failIfNoSpecifiedTests></properties>"
    )
    named = "".join(f"<module>{module}</module>" for module in modules)
    inner = (
        f"<packaging>pom</packaging><modules>{named}</modules>{properties}<build><plugins>{plugins}</plugins></build>"
    )
    (folder / "pom.xml").write_text(project("app", "1", inner), encoding="utf-8")
    parent = "<parent><groupId>org.example</groupId><artifactId>app</artifactId><version>1</version></parent>"
    for module in modules:
        shutil.copytree(HERE / module, folder / module)
        own = f"<dependencies>{dependencies(module)}</dependencies>" + (GROOVY if module == "spock" else "")
        (folder / module / "pom.xml").write_text(project(module, "1", own, parent), encoding="utf-8")


def named(class_name, name):
    """Give the canonical name: what fails before any test of a class has the name of the class."""
    return class_name if name in {"", class_name} else f"{class_name}#{name}"


def crashed(folder):
    """Give the classes in which the machine ended: no report of theirs was written."""
    ran = {path.name.removeprefix("TEST-").removesuffix(".xml") for path in folder.rglob("TEST-*.xml")}
    sources = sorted((folder / "crash").rglob("*Test.java"))
    return [of for path in sources if (of := f"org.example.crash.{path.stem}") not in ran]


def make(case):
    """Make one log."""
    surefire, modules, arguments, configuration = CASES[case]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary).resolve()
        lay(folder, surefire, modules, configuration)
        program = maven(folder, MAVENS[case]) if case in MAVENS else "mvn"
        log = scrubbed(run([program, *arguments], folder), folder)
        failures = [
            {"tool": "surefire", "kind": "test", "name": named(of, name), **place_in(trace, of)}
            for told, name, trace in failed_cases(folder)
            for of in [class_of(told, name, trace)]
        ]
        failures += [{"tool": "surefire", "kind": "test", "name": of} for of in crashed(folder)]
        keep("surefire", case, log, f"Surefire {surefire}: target/*-reports/TEST-*.xml of the same run", failures)


if __name__ == "__main__":
    for chosen in sys.argv[1:] or CASES:
        make(chosen)
