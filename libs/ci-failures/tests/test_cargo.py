"""What is particular to cargo test."""

from ci_failures.model import Failure
from ci_failures.parsers.go_rust import CargoTest

RUNNING = "     Running unittests src/lib.rs (target/debug/deps/app-0123456789abcdef)\n\n"
END = "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n"


def block(name, said, lead="test {} ... FAILED"):
    blocks = f"failures:\n\n---- {name} stdout ----\n{said}\n\n\nfailures:\n    {name}\n\n"
    return f"running 1 test\n{lead.format(name)}\n\n{blocks}{END}"


def parse(read, log):
    return {one.name: one for tale in read(log) for one in tale.failures}


def test_the_same_name_in_two_binaries_is_two_tests(read):
    panic = "thread 'same' panicked at src/lib.rs:5:42:\nno"
    other = RUNNING.replace("unittests src/lib.rs", "tests/it.rs").replace("app-", "it-")
    assert list(parse(read, RUNNING + block("same", panic) + other + block("same", panic))) == [
        "app::same",
        "app::it::same",
    ]


def test_a_panic_of_old_versions_has_its_place_at_the_end(read):
    said = "thread 'a' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n right: `2`', src/lib.rs:5:42"
    one = parse(read, RUNNING + block("a", said))["app::a"]
    assert (one.message.splitlines()[-1], one.file, one.line) == (" right: `2`", "src/lib.rs", 5)


def test_a_panic_in_a_library_is_placed_where_the_repository_called_it(read):
    said = (
        "thread 'a' panicked at /home/runner/.cargo/registry/src/index/x-1.0.0/src/lib.rs:9:1:\nno\nstack backtrace:\n"
        "   3: x::y\n             at /home/runner/.cargo/registry/src/index/x-1.0.0/src/lib.rs:9:1\n"
        "   4: app::a\n             at ./src/deep.rs:7:9"
    )
    one = parse(read, RUNNING + block("a", said))["app::a"]
    assert (one.message, one.file, one.line) == ("no", "src/deep.rs", 7)


def test_what_a_test_prints_of_other_runs_is_its_message(read):
    said = "running 1 test\ntest x ... FAILED\n\nfailures:\n\n---- x stdout ----\nno\n\nfailures:\n    x\n\n" + END
    assert list(parse(read, RUNNING + block("a", said))) == ["app::a"]


def test_a_package_is_known_from_what_cargo_says_of_running_it_again(read):
    other = RUNNING.replace("unittests src/lib.rs", "tests/it.rs").replace("app-", "it-")
    log = other + block("a", "Error: x") + "error: test failed, to rerun pass `-p my-app --test it`\n"
    (one,) = parse(read, log).values()
    assert (one.name, one.place, one.message) == ("my-app::it::a", "-p my-app --test it", "Error: x")


def test_quiet_output_is_told_by_its_list(read):
    one = parse(read, block("tests::a", "thread 'tests::a' panicked at src/lib.rs:5:42:\nno", lead="F"))["tests::a"]
    assert (one.message, one.line) == ("no", 5)


def test_a_stack_that_is_too_small_is_of_the_test_that_used_it(read):
    log = RUNNING + "running 1 test\n\nthread 'down' has overflowed its stack\nfatal runtime error: stack overflow\n"
    assert list(parse(read, log)) == ["app::down"]


def test_nextest_speaks_for_itself(read):
    log = "    Starting 1 test across 1 binary\n" + block("a", "no")
    assert not parse(read, log)


def test_a_doctest_is_run_again_by_its_item():
    one = Failure(tool="cargo", name="x", selector="src/lib.rs - shapes::Square (line 3)", place="-p app --doc")
    assert CargoTest.rerun([one]) == "cargo test -p app --doc -- shapes::Square"


def test_tests_are_run_again_exactly():
    some = [Failure(tool="cargo", name=name, selector=name, place="-p app --lib") for name in ("t::a", "t::b")]
    assert CargoTest.rerun(some) == "cargo test -p app --lib -- --exact t::a t::b"


EXITS = """\
     Running tests/exit.rs (target/debug/deps/exit-6a5ea5981e40156e)

running 2 tests
test a ... ok
error: test failed, to rerun pass `--test exit`

Caused by:
  process didn't exit successfully: `/srv/target/debug/deps/exit-6a5ea5981e40156e` (exit status: 7)
note: test exited abnormally; to see the full output pass --no-capture to the harness.
     Running tests/it.rs (target/debug/deps/it-e939e686da2ddb14)
"""
IT = """\

running 1 test
test plain ... FAILED

failures:

---- plain stdout ----

thread 'plain' panicked at tests/it.rs:1:3:
no

failures:
    plain

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out

error: test failed, to rerun pass `--test it`
"""


def test_a_binary_in_which_a_test_exits_is_a_failure(read):
    """Beside other failures it was lost without a word."""
    found = [one for tale in read(EXITS + IT) for one in tale.failures]
    assert [(one.name, one.message) for one in found] == [("exit", "exit status: 7"), ("it::plain", "no")]


def test_the_file_of_a_doctest_is_its_source_and_not_the_generated_one(read):
    name = "src/lib.rs - f (line 1)"
    panic = "thread 'main' (25827) panicked at /tmp/rustdoctestxNAgsT/doctest_bundle_2024.rs:6:1:\nno\n"
    log = (
        f"   Doc-tests r1\n\nrunning 1 test\ntest {name} ... FAILED\n\nfailures:\n\n---- {name} stdout ----\n"
        f"Test executable failed (exit status: 101).\n\nstderr:\n\n{panic}\n\nfailures:\n    {name}\n\n"
        "test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n"
    )
    ((one,),) = [tale.failures for tale in read(log)]
    assert (one.file, one.line) == ("src/lib.rs", 1)


def test_without_capturing_a_panic_belongs_to_the_test_of_its_thread(read):
    """Tests in parallel print their panics before their ends, and no name before them."""
    panics = "".join(f"\nthread 't::{name}' (9) panicked at src/lib.rs:{row}:5:\nno {name}\n" for name, row in ABOUT)
    ends = "".join(f"test t::{name} ... FAILED\n" for name, _ in reversed(ABOUT))
    end = "\nfailures:\n\nfailures:\n    t::a\n    t::b\n\n" + END.replace("1 failed", "2 failed")
    told = parse(read, f"{RUNNING}running 2 tests\n{panics}{ends}{end}")
    assert {name: (one.message, one.line) for name, one in told.items()} == {
        "app::t::a": ("no a", 3),
        "app::t::b": ("no b", 7),
    }


ABOUT = [("a", 3), ("b", 7)]


def test_a_panic_of_the_tests_thread_precedes_a_printed_one(read):
    said = "thread 'main' panicked at src/x.rs:1:1:\nprinted\n\nthread 'a' (9) panicked at src/lib.rs:5:9:\nno"
    assert parse(read, RUNNING + block("a", said))["app::a"].line == 5


def test_a_binary_that_exits_counts_as_one_failure(read):
    other = RUNNING.replace("unittests src/lib.rs", "tests/it.rs").replace("app-", "it-")
    exits = (
        f"{other}running 2 tests\nerror: test failed, to rerun pass `-p app --test it`\n\nCaused by:\n"
        "  process didn't exit successfully: `/w/target/debug/deps/it-0123456789abcdef` (exit status: 7)\n"
    )
    (tale,) = read(RUNNING + block("a", "Error: x") + exits)
    assert (len(tale.failures), tale.counted) == (2, 2)
