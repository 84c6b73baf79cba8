"""What is particular of compilers for the JVM; the kept logs are read by test_logs.py."""

from pathlib import Path

from ci_failures.parsers.jvm.javac import Javac
from ci_failures.parsers.jvm.kotlinc import Kotlinc
from ci_failures.parsers.jvm.scalac import Scalac

LOGS = Path(__file__).parent / "logs"


def failures(read, text, parser=Javac):
    return [one for tale in read(text) if tale.parser is parser for one in tale.failures]


def test_a_message_has_the_symbol(read):
    text = (LOGS / "javac" / "17-plain.log").read_text(encoding="utf-8")
    found = failures(read, text)[2]
    assert found.message.splitlines() == [
        "cannot find symbol",
        "symbol:   variable undefined",
        "location: class Broken",
    ]


def test_maven_gives_the_same_message(read):
    text = (LOGS / "javac" / "maven-3.13.0.log").read_text(encoding="utf-8")
    assert failures(read, text)[2].message.splitlines()[1] == "symbol:   variable undefined"


def test_what_maven_compiles_is_compiled_again(read):
    text = (LOGS / "javac" / "maven-3.13.0.log").read_text(encoding="utf-8")
    assert Javac.rerun(failures(read, text)) == "mvn test-compile"


def test_what_gradle_compiles_is_compiled_again_by_its_task(read):
    text = (LOGS / "javac" / "gradle-4.4.1.log").read_text(encoding="utf-8")
    assert Javac.rerun(failures(read, text)) == "./gradlew :compileJava"


def test_gradle_repeats_errors_with_an_indent(read):
    error = "/srv/app/A.java:3: error: cannot find symbol\n    x.f();\n     ^\n  symbol: method f()\n1 error\n"
    again = "".join(f"  {line}\n" for line in error.splitlines())
    log = f"> Task :compileJava\n{error}\n* What went wrong:\nExecution failed for task ':compileJava'.\n{again}"
    (tale,) = [tale for tale in read(log) if tale.parser is Javac]
    assert ([one.name for one in tale.failures], tale.counted) == (["/srv/app/A.java:3:6"], 1)


def test_paths_of_windows_have_no_slash_before_the_drive(read):
    (one,) = failures(read, "[ERROR] /C:/srv/app/src/A.java:[19,13] cannot find symbol\n")
    assert (one.name, one.file) == ("C:/srv/app/src/A.java:19:13", "C:/srv/app/src/A.java")


def test_a_release_that_the_compiler_has_not_is_an_error(read):
    (found,) = failures(read, "[ERROR] Fatal error compiling: error: release version 99 not supported -> [Help 1]\n")
    assert (found.name, found.kind) == ("error: release version 99 not supported", "compile")


def test_what_checkstyle_says_is_none(read):
    assert failures(read, "[ERROR] src/main/java/A.java:[12,5] (javadoc) JavadocStyle: First sentence.\n") == []


def test_warnings_are_none(read):
    text = "[WARNING] /home/runner/work/a/a/src/A.java:[3,4] unchecked call\nA.java:3: warning: [removal] x\n"
    assert failures(read, text) == []


def test_kotlin_is_compiled_again_by_its_task(read):
    text = "e: file:///home/runner/work/a/a/src/A.kt:3:4 Unresolved reference 'x'.\n* What went wrong:\n"
    found = failures(read, f"{text}Execution failed for task ':core:compileDebugKotlin'.\n", Kotlinc)
    assert (found[0].name, Kotlinc.rerun(found)) == ("src/A.kt:3:4", "./gradlew :core:compileDebugKotlin")


def test_what_github_shows_is_read_like_what_maven_prints(read):
    text = "Error:  /home/runner/work/a/a/src/A.java:[3,4] cannot find symbol\nError:    symbol:   class B\n"
    assert [(one.name, one.message) for one in failures(read, text)] == [
        ("src/A.java:3:4", "cannot find symbol\nsymbol:   class B")
    ]


def test_a_problem_matcher_changes_nothing(read):
    text = (LOGS / "javac" / "17-plain.log").read_text(encoding="utf-8")
    matched = "\n".join(f"##[error]{line}" if ": error: " in line else line for line in text.splitlines())
    assert [(one.name, one.message) for one in failures(read, matched)] == [
        (one.name, one.message) for one in failures(read, text)
    ]


def test_what_javadoc_counts_as_warnings_is_no_error(read):
    text = ":core:javadoc/src/A.java:3: error: package b does not exist\nimport b.C;\n        ^\n"
    assert failures(read, f"{text}/src/A.java:9: warning - no @param\n2 warnings\n") == []
    assert [one.name for one in failures(read, f"{text}1 error\n2 warnings\n")] == ["/src/A.java:3:9"]


def test_what_a_test_compiles_is_no_error(read):
    of = "e: /tmp/junit4711471147/stubs/A.java:6: error: no\ne: /tmp/junit4711471147/a.kt: (1, 2): no\n"
    assert failures(read, of) == failures(read, of, Kotlinc) == []


def test_stubs_of_kotlin_are_named_by_their_path(read):
    assert [one.file for one in failures(read, "e: /a/build/stubs/A.java:6: error: no\n")] == ["/a/build/stubs/A.java"]


def test_errors_in_no_source(read):
    text = "[ERROR] /a/src/A.java: warnings found and -Werror specified\njavac: invalid target release: 99\n"
    names = ["error: warnings found and -Werror specified", "error: invalid target release: 99"]
    assert [one.name for one in failures(read, text)] == names


def test_templates_of_scala(read):
    text = "[error] /home/travis/build/a/b/app/views/index.scala.html:3: ')' expected\n"
    assert [one.name for one in failures(read, text, Scalac)] == ["app/views/index.scala.html:3"]


TWO_ON_A_LINE = """{0}src/main/java/Cart.java:7: error: cannot find symbol
{0}	int x = z + z;
{0}	        ^
{0}  symbol:   variable z
{0}src/main/java/Cart.java:7: error: cannot find symbol
{0}	int x = z + z;
{0}	            ^
{0}  symbol:   variable z
{0}2 errors
"""


def test_an_error_that_is_repeated_with_an_indent_before_tabulators_is_told_once(read):
    repeated = f"* What went wrong:\nExecution failed for task ':compileJava'.\n{TWO_ON_A_LINE.format('  ')}"
    (told,) = read(f"{TWO_ON_A_LINE.format('')}\n{repeated}")
    assert [one.name for one in told.failures] == ["src/main/java/Cart.java:7:17", "src/main/java/Cart.java:7:21"]


def test_an_error_whose_source_alone_is_indented_otherwise_is_told_once(read):
    deeper = TWO_ON_A_LINE.format("").replace("\t", "          ")
    (told,) = read(f"{TWO_ON_A_LINE.format('')}\n{deeper}")
    assert len(told.failures) == 2


def test_errors_whose_total_stands_far_below_are_kept_when_warnings_are_counted(read):
    """Only the count of warnings was read, by which javadoc would forget its errors."""
    warning = (
        "/repo/src/B.java:9: warning: [removal] x in B has been deprecated\n    B.x();\n     ^\n  where T is a type\n"
    )
    log = f"/repo/src/A.java:3: error: cannot find symbol\n    x();\n    ^\n{warning * 6}1 error\n6 warnings\n"
    (one,) = failures(read, log)
    assert (one.name, one.message) == ("/repo/src/A.java:3:5", "cannot find symbol")
