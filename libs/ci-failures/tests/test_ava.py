# ruff: noqa: RUF001 -- the signs are those that the tools print
"""What is particular about AVA."""

from ci_failures.parsers.javascript.ava import Ava

RUN = """\
  ✘ [fail]: auth › login rejects with a message
  ✔ [expected fail] auth › is known to fail
  ✘ [unexpected pass]: auth › ought to fail
  ─

  auth › login rejects

  test/auth.mjs:5

   4: test('login rejects', (t) => {

  Difference (- actual, + expected):

  - 1
  + 0

  › file://test/auth.mjs:5:5



  auth › ought to fail

  Test was expected to fail, but succeeded

  ─

  2 tests failed
"""


def test_the_title_is_what_stands_at_the_end_too(read):
    (tale,) = read(RUN)
    assert [one.name for one in tale.failures] == ["auth › login rejects", "auth › ought to fail"]
    assert (tale.counted, tale.failures[0].line) == (2, 5)


def test_the_message_is_without_code_and_stack(read):
    (tale,) = read(RUN)
    assert tale.failures[0].message == "Difference (- actual, + expected):\n\n- 1\n+ 0"


def test_a_count_that_a_test_prints_counts_nothing(read):
    (tale,) = read("  5 tests failed\n" + RUN)
    assert tale.counted == 2


def test_a_file_that_ends_badly_is_a_failure_of_its_own(read):
    log = "  ✘ test/b.mjs exited with a non-zero exit code: 1\n"
    assert [one.name for one in read(log)[0].failures] == ["test/b.mjs"]


def test_a_rerun_matches_titles_without_the_file(read):
    (tale,) = read(RUN)
    assert Ava.rerun(tale.failures[:1]) == "npx ava --match 'login rejects' test/auth.mjs"


def test_a_run_that_passes_between_two_that_fail_hides_neither(read):
    failed = "  ✘ [fail]: {0}\n  ─\n\n  {0}\n\n  test/a.js:5\n\n  no\n\n  ─\n\n  1 test failed\n"
    text = failed.format("one") + "  ✔ two\n  ─\n\n  1 test passed\n" + failed.format("three")
    (told,) = read(text)
    assert ([one.name for one in told.failures], told.counted) == (["one", "three"], 2)


def test_a_rerun_matches_titles_without_folders(read):
    """Of a file in a folder, only the name of the folder was left out."""
    log = RUN.replace("auth › ", "sub › auth › ").replace("test/auth.mjs", "test/sub/auth.test.mjs")
    (tale,) = read(log)
    assert Ava.rerun(tale.failures[:1]) == "npx ava --match 'login rejects' test/sub/auth.test.mjs"


def test_a_title_with_the_sign_and_no_known_file_is_matched_by_its_end(read):
    (tale,) = read(RUN)
    assert Ava.rerun(tale.failures[1:]) == "npx ava --match '*ought to fail'"


def test_the_line_of_a_title_is_not_that_of_a_longer_one(read):
    longer = "  ✘ [fail]: auth › login rejects twice\n"
    (tale,) = read(longer + RUN.replace(" with a message", ""))
    assert {one.name: one.log_line for one in tale.failures}["auth › login rejects"] == 2
