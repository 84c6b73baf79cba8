"""The tools of Android's plugin for Gradle: AAPT, R8, D8, and the merger of manifests."""

import pytest

WRONG = "\n* What went wrong:\nExecution failed for task ':app:{0}'.\n> A failure occurred while executing X\n"


def parse(read, log):
    return [one for tale in read(log) for one in tale.failures]


@pytest.mark.parametrize(
    ("line", "name", "message"),
    [
        (
            'ERROR: /home/runner/work/a/a/app/rules.pro:31:1-16: R8: Unknown option "-full"',
            "app/rules.pro:31:1",
            'R8: Unknown option "-full"',
        ),
        (
            "ERROR: /home/runner/work/a/a/app/src/main/res/drawable/splash.png: AAPT: error: file failed to compile.",
            "app/src/main/res/drawable/splash.png",
            "AAPT: file failed to compile.",
        ),
        (
            "     ERROR:/home/runner/work/a/a/app/src/main/res/layout/a.xml:12: AAPT: error: color/x not found.",
            "app/src/main/res/layout/a.xml:12",
            "AAPT: color/x not found.",
        ),
        (
            "/home/runner/work/a/a/app/src/main/res/layout/a.xml:12: AAPT: error: color/x not found.",
            "app/src/main/res/layout/a.xml:12",
            "AAPT: color/x not found.",
        ),
        (
            "ERROR: com.example.app-main-42:/values/strings.xml:3:5-4:16: AAPT: error: not well-formed.",
            "values/strings.xml:3:5",
            "AAPT: not well-formed.",
        ),
        (
            "ERROR: /home/runner/.gradle/caches/x.jar: D8: Type a.b is defined multiple times: a, b",
            "/home/runner/.gradle/caches/x.jar",
            "D8: Type a.b is defined multiple times: a, b",
        ),
        ("ERROR: R8: Missing classes detected.", "error: R8: Missing classes detected.", ""),
    ],
)
def test_an_error_replaces_the_task_that_failed(line, name, message, read):
    (one,) = parse(read, f"{line}\n> Task :app:build FAILED\n{WRONG.format('build')}{line}\n")
    assert (one.tool, one.kind, one.message) == ("android", "compile", message or name)
    assert (one.name, one.selector) == (name, "./gradlew :app:build")


@pytest.mark.parametrize(
    "line",
    [
        "WARNING: /home/runner/work/a/a/app/rules.pro:31:1-16: R8: Unknown option",
        "/home/runner/work/a/a/app/src/main/res/layout/a.xml:12: AAPT: warn: removing resource",
        "AAPT: note: multiple substitutions",
    ],
)
def test_a_warning_is_no_failure(line, read):
    assert not parse(read, f"{line}\n")


@pytest.mark.parametrize(("position", "line"), [(":5:5-29:19", 5), ("", None)])
def test_a_manifest_that_cannot_be_merged_has_its_place_and_the_reason(position, line, read):
    log = (
        f"/home/runner/work/a/a/app/src/main/AndroidManifest.xml{position} Error:\n"
        "\tAttribute application@label value=(Shop) from AndroidManifest.xml:5:5-20\n"
        "\tis also present at [a:b:1.0] AndroidManifest.xml:9:9-20 value=(Lib).\n"
        "\tSuggestion: add 'tools:replace=\"android:label\"' to <application> element\n\nSee https://x\n"
        + WRONG.format("processDebugMainManifest")
    )
    (one,) = parse(read, log)
    assert (one.file, one.line) == ("app/src/main/AndroidManifest.xml", line)
    assert one.message.splitlines()[0] == "Attribute application@label value=(Shop) from AndroidManifest.xml:5:5-20"
    assert len(one.message.splitlines()) == 3


def test_a_resource_that_cannot_be_parsed_is_told_with_its_place(read):
    log = (
        WRONG.format("mergeDebugResources")
        + "   > Resource compilation failed (Failed to compile resource file: /repo/app/res/config.xml: ."
        " Cause: javax.xml.stream.XMLStreamException: ParseError at [row,col]:[14,69]\n"
        "     Message: http://www.w3.org/TR#AttributePrefixUnbound). Check logs for more details.\n"
    )
    (one,) = parse(read, log)
    assert one.name.endswith("res/config.xml:14:69")
    assert one.selector == "./gradlew :app:mergeDebugResources"
    assert one.message.splitlines()[0] == "javax.xml.stream.XMLStreamException: ParseError"
    assert one.message.splitlines()[1].startswith("Message: http://www.w3.org/TR#AttributePrefixUnbound")
