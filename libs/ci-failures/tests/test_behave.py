"""What is particular to behave 1.3."""

LISTS = """\
Failing scenarios:
  features/a.feature:4  plain

Errored scenarios:
  features/a.feature:12  undefined: one
  features/a.feature:15  hooked

0 features passed, 1 failed, 0 skipped
2 scenarios passed, 1 failed, 1 error, 1 hook_error, 0 skipped
"""
FAKE = "Failing scenarios:\n  features/fake.feature:3  fake\n\n0 features passed, 1 failed, 0 skipped\n----\n\n"
NAMES = [f"features/a.feature:{name}" for name in ("4 plain", "12 undefined: one", "15 hooked")]


def test_errors_of_hooks_count(read):
    (told,) = read(LISTS)
    assert ([one.name for one in told.failures], told.counted) == (NAMES, 3)


def test_a_list_that_a_step_printed_is_not_the_list_of_the_run(read):
    (told,) = read(FAKE + LISTS)
    assert [one.name for one in told.failures] == NAMES


def test_the_lists_of_two_runs_are_both_read(read):
    (told,) = read(LISTS + LISTS.replace("a.feature", "b.feature"))
    assert [one.name for one in told.failures] == [*NAMES, *(name.replace("a.feature", "b.feature") for name in NAMES)]


def test_a_list_without_its_total_is_read(read):
    (told,) = read(LISTS.partition("0 features")[0])
    assert [one.name for one in told.failures] == NAMES
