"""Android's lint, as its plugin for Gradle prints errors."""

import ci_failures

PERMISSION = (
    "Permission exists without corresponding hardware <uses-feature> tag [PermissionImpliesUnsupportedHardware]"
)
LINT = """\
> Task :{0}:lintDebug FAILED
Lint found {1}, 17 warnings. First failure:

##[error]/home/runner/work/app/app/{0}/src/main/AndroidManifest.xml:8: Error: {2}
    <uses-permission android:name="android.permission.SEND_SMS" />
     ~~~~~~~~~~~~~~~

The full lint text report is located at:
  /home/runner/work/app/app/{0}/build/intermediates/lint-results-debug.txt
"""
WRONG = """\

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':{0}:lintDebug'.
> Lint found errors in the project; aborting build.
  
  Lint found {1}, 17 warnings. First failure:
  
##[error]  /home/runner/work/app/app/{0}/src/main/AndroidManifest.xml:8: Error: {2}

* Exception is:
org.gradle.api.tasks.TaskExecutionException: Execution failed for task ':{0}:lintDebug'.
Caused by: java.lang.RuntimeException: Lint found errors in the project; aborting build.

Lint found {1}, 17 warnings. First failure:

##[error]/home/runner/work/app/app/{0}/src/main/AndroidManifest.xml:8: Error: {2}

BUILD FAILED in 5m 1s
"""  # noqa: W293 -- Gradle indents empty lines


def parse(log):
    return ci_failures.parse(log.encode())


def test_an_error_is_told_once_with_its_rule():
    report = parse((LINT + WRONG).format("app", "1 error", PERMISSION))
    (told,) = [one for one in report.failures if one.tool == "android-lint"]
    assert (told.kind, told.file, told.line, told.confidence) == ("lint", "app/src/main/AndroidManifest.xml", 8, "high")
    assert told.name == "PermissionImpliesUnsupportedHardware app/src/main/AndroidManifest.xml:8"
    assert told.message == "Permission exists without corresponding hardware <uses-feature> tag"
    assert (report.commands, report.gaps) == (("./gradlew lint",), ())


def test_errors_that_are_only_in_its_report_are_a_gap():
    report = parse((LINT + WRONG).format("app", "3 errors", PERMISSION))
    assert "android-lint itself counts 3 failures, and 1 " in report.gaps[0]


def test_the_totals_of_two_modules_are_added():
    log = LINT.format("app", "1 error", PERMISSION) + LINT.format("core", "1 error", PERMISSION)
    report = parse(log + WRONG.format("app", "1 error", PERMISSION))
    assert [one.file for one in report.failures if one.tool == "android-lint"] == [
        "app/src/main/AndroidManifest.xml",
        "core/src/main/AndroidManifest.xml",
    ]
    assert not report.gaps


def test_errors_without_a_line_and_of_further_libraries_are_read():
    log = (
        "Errors found:\n\n"
        "/home/runner/work/app/app/app/src/main/res/a.png: Error: Too large [IconSize]\n"
        "/home/runner/work/app/app/app/src/main/java/a/A.kt:7: Error: Bad [DetachAndAttach from androidx.fragment]\n"
        "/home/runner/work/app/app/a.sh:7: Error: no rule\n"
    )
    assert [one.name for one in parse(log).failures if one.tool == "android-lint"] == [
        "IconSize app/src/main/res/a.png",
        "DetachAndAttach app/src/main/java/a/A.kt:7",
    ]
