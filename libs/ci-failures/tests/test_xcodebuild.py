"""Builds of xcodebuild that failed, as it prints them itself and as fastlane does; it was run nowhere by us."""

import pytest

import ci_failures

LIST = r"""
** ARCHIVE FAILED **


The following build commands failed:
	CompileSwift normal arm64 (in target 'Shop' from project 'App')
	CompileC /Users/a/Build/Cart.o /Users/runner/work/app/app/Sources/My\ Cart.m normal arm64 objective-c
	PhaseScriptExecution [CP]\ Check\ Pods /Users/a/Script-4A.sh (in target 'Shop' from project 'App')
(3 failures)
"""
NAMES = [
    "CompileSwift normal arm64 (in target 'Shop' from project 'App')",
    r"CompileC /Users/a/Build/Cart.o /Users/runner/work/app/app/Sources/My\ Cart.m normal arm64 objective-c",
    r"PhaseScriptExecution [CP]\ Check\ Pods /Users/a/Script-4A.sh (in target 'Shop' from project 'App')",
]
ERRORS = {
    "plain": "/Users/runner/work/app/app/Sources/Cart.swift:12:3: error: cannot find 'x' in scope",
    "xcpretty": "❌  /Users/runner/work/app/app/Sources/Cart.swift:12:3: cannot find 'x' in scope",
    "xcbeautify": "[x] /Users/runner/work/app/app/Sources/Cart.swift:12:3: cannot find 'x' in scope",
    "xcbeautify on GitHub": (
        "::error file=/Users/runner/work/app/app/Sources/Cart.swift,line=12,col=3::cannot find 'x' in scope"
    ),
}


def by_fastlane(text):
    """Return a log in the form of fastlane: its own lines, and those of xcodebuild behind a sign."""
    own = "".join(f"[12:00:0{at % 10}]: Step: {at} of it\n" for at in range(30))
    compiled = "".join(f"[12:00:0{at % 10}]: ▸ [Shop] Compiling File{at}.swift\n" for at in range(30))
    shown = "".join(f"[12:00:09]: ▸ {line}\n" for line in text.strip().splitlines() if line)
    return f"{own}{compiled}{shown}[12:00:09]: Exit status: 65\n[12:00:10]: fastlane finished with errors\n"


@pytest.mark.parametrize("form", [str, by_fastlane])
def test_each_command_that_failed_is_an_entry(form):
    report = ci_failures.parse(form(LIST).encode())
    assert [one.name for one in report.failures] == NAMES
    assert [one.file for one in report.failures] == ["", "Sources/My Cart.m", ""]
    assert {(one.tool, one.kind, one.confidence) for one in report.failures} == {("xcodebuild", "compile", "medium")}
    assert (report.status, report.gaps, report.commands) == ("failed", (), ())


@pytest.mark.parametrize("form", [str, by_fastlane])
@pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)
def test_the_list_adds_nothing_to_errors_with_places(error, form):
    report = ci_failures.parse(form(f"{error}\n    foo(x)\n{LIST}").encode())
    assert [(one.tool, one.name) for one in report.failures] == [("swiftc", "error Sources/Cart.swift:12:3")]
    assert report.gaps == ()


def test_errors_of_an_earlier_run_are_not_its_causes():
    log = f"{ERRORS['plain']}\nCommand line invocation:\n    /usr/bin/xcodebuild -scheme App\n{LIST}"
    assert [one.tool for one in ci_failures.parse(log.encode()).failures] == ["swiftc", *["xcodebuild"] * 3]


def test_the_total_tells_of_commands_that_are_missing():
    report = ci_failures.parse(LIST.replace("(3 failures)", "(5 failures)").encode())
    assert "xcodebuild itself counts 5 failures, and 3 were read" in report.gaps[0]


def test_a_verdict_without_a_list_has_the_error_before_it():
    error = 'error: No signing certificate "iOS Distribution" found\n'
    (failure,) = ci_failures.parse(f"{error}\n** EXPORT FAILED **\n".encode()).failures
    assert (failure.name, failure.message) == ("EXPORT FAILED", error.strip().removeprefix("error: "))


@pytest.mark.parametrize(
    "text",
    ["** TEST FAILED **\n", "** TEST EXECUTE FAILED **\n", "** BUILD SUCCEEDED **\n", "say ** BUILD FAILED ** twice\n"],
)
def test_other_verdicts_are_no_entries(text):
    assert ci_failures.parse(text.encode()).failures == ()


def test_violations_of_swiftlint_are_no_errors_of_the_compiler():
    text = "::error file=/a/b/C.swift,line=1,col=2::Line Length Violation: Too long (line_length)\n"
    assert [one.tool for one in ci_failures.parse(text.encode()).failures] == ["annotation"]


SIGNING = """/Users/runner/checkouts/grpc/Package.swift: error: Signing for "gRPC_Wrapper" requires a development team.
** ARCHIVE FAILED **
/Users/runner/work/Shop/Shop/Shop.xcodeproj: error: No profiles for 'org.example.shop' were found: no.
❌ error: "Shop" requires a provisioning profile. Select one. (in target 'Shop' from project 'Shop')
The following build commands failed:
\tArchiving project Shop with scheme Shop
(1 failure)
"""


def test_each_target_that_cannot_be_signed_is_told_and_not_the_command():
    report = ci_failures.parse(SIGNING.encode())
    assert [(one.tool, one.name) for one in report.failures] == [
        ("xcodebuild", "cannot sign gRPC_Wrapper"),
        ("xcodebuild", "no profile for org.example.shop"),
        ("xcodebuild", "no profile for Shop"),
    ]
    assert report.gaps == ()
