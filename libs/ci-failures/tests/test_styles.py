"""What is particular of Checkstyle and Spotless; Checkstyle's kept logs are read by test_logs.py."""

import ci_failures
from ci_failures.parsers.jvm.checkstyle import Checkstyle
from ci_failures.parsers.jvm.spotless import Spotless

UNFORMATTED = """[ERROR] Failed to execute goal spotless:check on project a: The following files had format violations:
[ERROR]     src/main/java/A.java
[ERROR]         @@ -7,2 +7,2 @@
[ERROR]         -import·a;···
[ERROR]         +import·a;
[ERROR]     src/main/java/B.java
[ERROR]         @@ -1,1 +1,1 @@
[ERROR] Run 'mvn spotless:apply' to fix these violations.
[ERROR] -> [Help 1]
"""


def failures(read, text, parser):
    return [one for tale in read(text) if tale.parser is parser for one in tale.failures]


def test_files_that_are_not_formatted_are_told_with_their_difference(read):
    first, second = failures(read, UNFORMATTED, Spotless)
    assert (first.name, first.line, second.file) == ("format src/main/java/A.java", 7, "src/main/java/B.java")
    assert first.message == "@@ -7,2 +7,2 @@\n-import·a;···\n+import·a;"


def test_files_whose_differences_are_not_shown_are_told_too(read):
    further = "[ERROR] Violations also present in:\n[ERROR]     src/main/java/C.java\n[ERROR]     src/D.java\n"
    text = UNFORMATTED.replace("[ERROR] Run 'mvn", f"{further}[ERROR] Run 'mvn")
    assert [one.file.rpartition("/")[2] for one in failures(read, text, Spotless)] == [
        *("A.java", "B.java", "C.java", "D.java")
    ]


def test_spotless_itself_says_what_to_do(read):
    found = failures(read, UNFORMATTED, Spotless)
    assert ({one.suggested_fix for one in found}, Spotless.rerun(found)) == (
        {"mvn spotless:apply"},
        "mvn spotless:check",
    )


def test_spotless_under_gradle(read):
    text = "> The following files had format violations:\n      core/src/A.java\n          @@ -3,2 +3,2 @@\n"
    (found,) = failures(read, f"{text}  Run './gradlew :core:spotlessApply' to fix these violations.\n", Spotless)
    assert (found.file, Spotless.rerun([found])) == ("core/src/A.java", "./gradlew :core:spotlessCheck")


def test_checkstyle_under_gradle_is_run_again_by_its_task(read):
    text = "[ant:checkstyle] [ERROR] /home/runner/work/a/a/src/A.java:3:7: Name 'B' is wrong. [MemberName]\n"
    found = failures(read, f"{text}Execution failed for task ':core:checkstyleMain'.\n", Checkstyle)
    assert [(one.name, one.message) for one in found] == [("MemberName src/A.java:3:7", "Name 'B' is wrong.")]
    assert Checkstyle.rerun(found) == "./gradlew :core:checkstyleMain"


def test_checkstyle_is_run_again_as_the_build_has_it(read):
    text = "[INFO] --- maven-checkstyle-plugin:3.6.0:check (style) @ app ---\n"
    found = failures(read, f"{text}[ERROR] src/A.java:[3] (misc) NewlineAtEndOfFile: no newline\n", Checkstyle)
    assert Checkstyle.rerun(found) == "mvn checkstyle:check@style"


def test_warnings_of_checkstyle_are_none(read):
    assert failures(read, "[WARN] src/A.java:[3] (misc) NewlineAtEndOfFile: no newline\n", Checkstyle) == []
    assert (
        failures(read, "[ant:checkstyle] [WARN] /a/src/A.java:3: no newline [NewlineAtEndOfFile]\n", Checkstyle) == []
    )


def test_an_old_checkstyle_prints_no_rule_and_counts_where_its_goal_fails(read):
    text = (
        "[INFO] Starting audit...\n/home/travis/build/a/b/src/A.java:3:7: Line is long.\n/src/B.java:1: warning: no\n"
    )
    broke = "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-checkstyle-plugin:2.14:check (default)\n"
    assert [one.name for one in failures(read, text + broke, Checkstyle)] == ["violation src/A.java:3:7"]
    assert failures(read, text, Checkstyle) == []


def test_checkstyle_under_ant(read):
    text = "[checkstyle] [ERROR] /home/travis/build/a/b/src/A.java:3: Name is wrong. [MemberName]\n"
    assert [one.name for one in failures(read, text, Checkstyle)] == ["MemberName src/A.java:3"]


def test_what_spotless_leaves_out_is_no_file(read):
    left = (
        "[ERROR]     ... (2 more lines that didn't fit)\n[ERROR] Violations also present in:\n[ERROR]     src/C.java\n"
    )
    told = [one.name for one in failures(read, UNFORMATTED.replace("[ERROR] Run", left + "[ERROR] Run"), Spotless)]
    assert told[0] == "format src/main/java/A.java"
    assert not any("more lines" in name for name in told)


def test_a_file_that_scalafmt_lists_for_several_projects_is_told_once():
    file = "[warn] scalafmt: /home/runner/work/till/till/shared/Till.scala isn't formatted properly!\n"
    log = f"{file}{file}[error] scalafmt: 1 files must be formatted (/home/runner/work/till/till/js)\n"
    assert [(one.name, one.file) for one in ci_failures.parse(log.encode()).failures] == [
        ("format shared/Till.scala", "shared/Till.scala")
    ]
