"""What libraries of Rust print around a failure, and what cargo prints around rustc."""

import pytest

from ci_failures.model import Failure
from ci_failures.parsers.go_rust.rust_failures import Rustfmt
from ci_failures.parsers.go_rust.rustc import Clippy

RUNNING = "     Running unittests src/lib.rs (target/debug/deps/app-0123456789abcdef)\n\nrunning 1 test\n"
ENDED = "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"


@pytest.fixture
def one(read):
    """Return the only failure of a log."""

    def finding(text):
        (failure,) = [one for told in read(text) for one in told.failures]
        return failure

    return finding


def failing(said, name="a"):
    return (
        f"{RUNNING}test {name} ... FAILED\n\nfailures:\n\n---- {name} stdout ----\n{said}\n\n"
        f"failures:\n    {name}\n\n{ENDED}"
    )


def test_a_panic_that_eyre_tells_has_its_place(one):
    said = "The application panicked (crashed).\nMessage:  no soap\nLocation: src/a.rs:7\n\n  ━━ BACKTRACE ━━"
    found = one(failing(said))
    assert (found.message, found.file, found.line) == ("no soap", "src/a.rs", 7)


def test_a_snapshot_that_changed_says_how(one):
    said = (
        "━━━━ Snapshot Summary ━━━━\nSnapshot: x\nSource: src/a.rs:42\n────\n-old snapshot\n+new results\n────┬────\n"
        "    1       │-total: 3\n          1 │+total: 4\n    2     2 │ items: 2\n────┴────\n\n"
        "thread 'a' (7) panicked at /root/.cargo/registry/src/i-1/insta-1.4/src/runtime.rs:7:1:\n"
        "snapshot assertion for 'x' failed in line 42"
    )
    found = one(failing(said))
    assert (found.file, found.line) == ("src/a.rs", 42)
    assert found.message == "snapshot assertion for 'x' failed in line 42\n-total: 3\n+total: 4"


def test_what_a_test_prints_of_cargo_ends_nothing(one):
    said = "error: test failed, to rerun pass `--lib`\ntest result: FAILED. 3 passed; 9 failed; 0 ignored; 0 measured"
    panic = "thread 'a' panicked at src/a.rs:3:4:\nmine"
    assert one(failing(f"{said}; 0 filtered out\n{panic}")).message == "mine"


def test_a_doctest_that_ought_not_to_compile_has_its_own_name(one):
    log = failing(
        "Test compiled successfully, but it's marked `compile_fail`.", "src/lib.rs - f (line 3) - compile fail"
    )
    log = log.replace(" - compile fail stdout", " stdout").replace(
        "    src/lib.rs - f (line 3) - compile fail", "    src/lib.rs - f (line 3)"
    )
    assert one(log.replace(RUNNING.splitlines()[0], "   Doc-tests app")).selector == "src/lib.rs - f (line 3)"


def test_a_binary_whose_name_has_a_hyphen_belongs_to_the_package_that_cargo_says(one):
    log = failing("thread 'a' panicked at src/main.rs:3:4:\nno").replace(
        "src/lib.rs (target/debug/deps/app-", "src/main.rs (target/debug/deps/the_tool-"
    )
    found = one(f"{log}error: test failed, to rerun pass `-p app --bin the-tool`\n")
    assert (found.name, found.place) == ("app::bin/the-tool::a", "-p app --bin the-tool")


def test_a_place_that_a_stack_names_within_a_package_is_told_from_the_root(read):
    log = "   Compiling app v0.1.0 (/home/runner/work/app/app/crates/app)\n" + failing(
        "thread 'a' panicked at /rustc/1/library/core/src/x.rs:1:2:\nno\nstack backtrace:\n"
        "   4: app::a\n             at ./src/a.rs:42:9"
    )
    (found,) = [one for told in read(log) for one in told.failures]
    assert (found.file, found.line) == ("crates/app/src/a.rs", 42)


def test_a_build_script_says_why_it_failed(one):
    found = one(
        "error: failed to run custom build command for `foo-sys v0.1.0 (/home/runner/work/app/app/foo)`\n\nCaused by:\n"
        "  process didn't exit successfully: `/t/build-script-build` (exit status: 101)\n  --- stderr\n"
        "  thread 'main' panicked at foo/build.rs:3:9:\n  libfoo not found\n"
    )
    assert found.name == "failed to run custom build command for `foo-sys v0.1.0`"
    assert (found.message.splitlines()[-1], found.file, found.line) == ("libfoo not found", "foo/build.rs", 3)


def test_a_linker_says_what_it_misses(one):
    found = one(
        'error: linking with `cc` failed: exit status: 1\n  |\n  = note:  "cc" "-m64"\n'
        "  = note: /usr/bin/ld: cannot find -lnosuch: No such file or directory\n"
        "          collect2: error: ld returned 1 exit status\n\n"
    )
    assert "cannot find -lnosuch" in found.message


def test_an_error_in_one_line_needs_no_code(one):
    found = one("src/a.rs:1:18: error: unused variable: `x`\nerror: could not compile `app` (lib)\n")
    assert (found.name, found.message) == ("src/a.rs:1:18", "error: unused variable: `x`")


def test_lints_are_looked_for_again_by_clippy():
    lint = Failure(tool="clippy", kind="lint", name="clippy::x a.rs:1:2")
    assert Clippy.rerun([lint]) == "cargo clippy --workspace --all-targets -- -D warnings"


def test_what_an_older_nextest_shows_of_a_test_is_no_error_of_the_compiler(read):
    log = "--- TRY 1 STDERR:        app::ui x ---\nerror[E0308]: mismatched types\n --> tests/ui/a.rs:1:2\n  |\n\n"
    assert not [one for told in read(log) for one in told.failures]


@pytest.mark.parametrize("head", ["Diff in /home/runner/work/app/app/src/a.rs:3:", "Diff in src/a.rs at line 3:"])
def test_a_file_that_is_not_formatted_is_told_once(head, one):
    found = one(f"{head}\n fn f() {{\n-  1\n+    1\n{head.replace('3', '9')}\n-x\n+y\n")
    assert (found.tool, found.kind, found.file, found.line) == ("rustfmt", "lint", "src/a.rs", 3)
    assert found.suggested_fix == "cargo fmt --all"


def test_a_line_that_only_looks_like_a_difference_is_none(read):
    assert not [one for told in read("Diff in speed:3:\nnothing\n") for one in told.failures]


def test_formatting_is_checked_again_by_cargo():
    assert Rustfmt.rerun([Failure(tool="rustfmt", kind="lint", name="x")]) == "cargo fmt --all -- --check"
