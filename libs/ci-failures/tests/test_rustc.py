"""What is particular to errors of rustc, and to lints of clippy."""

PLACE = " --> src/lib.rs:3:5\n  |\n3 |     x\n  |     ^ not found in this scope\n\n"
FAILED = "error: could not compile `app` (lib) due to 1 previous error\n"


def parse(read, log):
    return {one.name: one for tale in read(log) for one in tale.failures}


def test_an_error_is_named_by_its_code_and_place(read):
    one = parse(read, f"error[E0425]: cannot find value `x`\n{PLACE}{FAILED}")["E0425 src/lib.rs:3:5"]
    assert (one.kind, one.message) == ("compile", "error[E0425]: cannot find value `x`\nnot found in this scope")


def test_a_warning_is_no_failure(read):
    assert not parse(read, f"warning: unused variable: `x`\n{PLACE}warning: `app` (lib) generated 1 warning\n")


def test_a_lint_is_named_the_first_time_and_known_then(read):
    note = "  = note: `-D dead-code` implied by `-D warnings`\n\n"
    first = "error: function `a` is never used\n" + PLACE.rstrip("\n") + f"\n{note}"
    second = "error: function `b` is never used\n" + PLACE.replace(":3:5", ":9:5")
    assert list(parse(read, first + second + FAILED)) == [
        "dead_code src/lib.rs:3:5",
        "dead_code src/lib.rs:9:5",
    ]


def test_what_a_test_prints_is_no_error(read):
    said = f"error[E0308]: mismatched types\n{PLACE}"
    assert not parse(read, f"running 1 test\n{said}test a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0\n")


def test_a_crate_that_was_not_compiled_is_told_if_nothing_says_why(read):
    (one,) = parse(read, FAILED).values()
    assert (one.name, one.confidence) == ("could not compile app", "medium")


def test_a_lint_about_a_manifest_has_no_place(read):
    log = "error: package `app` is missing `package.readme` metadata\n  |\n"
    log += "  = note: `-D clippy::cargo-common-metadata` implied by `-D clippy::cargo`\n\n"
    log += "error: package `app` is missing `package.keywords` metadata\n\n" + FAILED
    assert list(parse(read, log)) == [
        "clippy::cargo_common_metadata package `app` is missing `package.readme` metadata",
        "clippy::cargo_common_metadata package `app` is missing `package.keywords` metadata",
    ]
