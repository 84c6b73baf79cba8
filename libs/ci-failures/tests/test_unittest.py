"""unittest, Django's runner and nose: what is particular; that their logs are read whole is shown in test_logs.py."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ci_failures
from ci_failures.logs.log_reader import Literals, LogReader
from ci_failures.model import Line
from ci_failures.parsers.python.django import Django
from ci_failures.parsers.python.nose import Nose
from ci_failures.parsers.python.unittest import Unittest

HERE = Path(__file__).parent
LITERALS = Literals((Unittest, Django, Nose))
DOUBLE, SINGLE = "=" * 70, "-" * 70
CASES = sorted(
    f"{tool}/{path.stem}" for tool in ("unittest", "django", "nose") for path in (HERE / "logs" / tool).glob("*.log")
)
NOISE = (
    DOUBLE,
    SINGLE,
    "FAIL: test_x (a.T)",
    "ERROR: x",
    "Ran 3 tests in 1s",
    "FAILED (failures=1)",
    "OK",
    '  File "a.py", line 3',
)


def log(case):
    return (HERE / "logs" / f"{case}.log").read_text(encoding="utf-8")


def parse(text):
    reader = LogReader(LITERALS)
    reader.feed(text.encode())
    return [one for told in reader.finish() for one in told.failures]


def one(case, name):
    return next(failure for failure in parse(log(case)) if failure.name == name)


def test_before_python_3_11_the_name_stands_before_its_class():
    assert {failure.name for failure in parse(log("unittest/3.8-verbose"))} == {
        failure.name for failure in parse(log("unittest/3.13-verbose"))
    }


def test_a_message_is_the_error_not_its_traceback():
    failure = one("unittest/3.13-discover", "tests.test_shop.TestShop.test_total_is_wrong")
    assert failure.message == "AssertionError: 3 != 4 : the till is broken"


def test_the_exception_that_was_raised_last_is_told():
    failure = one("unittest/3.13-discover", "tests.test_shop.TestShop.test_while_handling")
    assert (failure.message, failure.line) == ("RuntimeError: no money", 53)


def test_a_failure_deep_in_a_library_is_placed_in_the_repository():
    failure = one("unittest/3.13-discover", "tests.test_shop.TestShop.test_deep_in_a_library")
    assert (failure.file, failure.line) == ("app/shop.py", 26)


def test_what_a_test_printed_is_no_traceback():
    failure = one("unittest/3.13-buffered", "tests.test_shop.TestShop.test_prints_and_fails")
    assert failure.file == "tests/test_shop.py"


def test_a_class_that_cannot_be_set_up_is_run_whole():
    failure = one("unittest/3.13-discover", "tests.test_setup.TestClass.setUpClass")
    assert failure.selector == "tests.test_setup.TestClass"


def test_a_module_that_cannot_be_imported_is_a_failure_to_compile():
    failure = one("unittest/3.13-discover", "tests.test_syntax")
    assert (failure.kind, failure.file, failure.line) == ("compile", "tests/test_syntax.py", 1)


def test_a_run_in_a_folder_names_the_folder():
    assert {failure.place for failure in parse(log("unittest/3.13-place"))} == {"backend"}
    assert {failure.place for failure in parse(log("unittest/3.13-in-a-folder"))} == {"tests"}


def test_a_checkout_that_nobody_knows_is_found_by_the_names_of_modules():
    failure = next(iter(parse(log("unittest/3.13-locals").replace("/home/runner/work/app/app", "/usr/src/shop"))))
    assert failure.file == "tests/test_setup.py"


def test_what_was_expected_to_fail_is_not_counted():
    parser = Unittest()
    for number, text in enumerate(log("unittest/3.13-discover").splitlines(), 1):
        parser.read(Line(number, text))
    assert len(list(parser.finish())) == parser.total() == 19


def test_a_run_that_passes_disowns_what_its_tests_printed():
    printed = f"{DOUBLE}\nFAIL: test_x (a.T)\n{SINGLE}\nTraceback (most recent call last):\nKeyError: 1\n\n"
    text = f"{printed}{SINGLE}\nRan 1 test in 0.1s\n\nOK\n"
    assert parse(text) == []


def test_django_tells_who_it_is_before_or_after_its_run():
    text = log("django/5-plain")
    assert {failure.tool for failure in parse(text.replace("Creating test database for alias 'default'...\n", ""))} == {
        "django"
    }
    assert {failure.tool for failure in parse(text[: text.index("Destroying")])} == {"django"}


def test_a_run_of_unittest_before_one_of_django_stays_its_own():
    told = parse(log("unittest/3.13-place") + log("django/5-plain"))
    assert {(failure.tool, failure.name.partition(".")[0]) for failure in told} == {
        ("unittest", "tests"),
        ("django", "shop"),
    }


def test_nose_is_told_where_a_module_ends():
    failure = one("nose/2.7-plain", "tests.test_functions.TestPlain.test_method")
    assert failure.selector == "tests.test_functions:TestPlain.test_method"
    assert Nose.rerun([failure]) == "nosetests tests.test_functions:TestPlain.test_method"


def test_a_generator_of_nose_is_run_whole():
    failure = one("nose/2.7-plain", "tests.test_functions.test_many(1, 'a (b) - c')")
    assert failure.selector == "tests.test_functions:test_many"


def test_django_is_asked_for_names():
    failure = one("django/5-plain", "shop.tests.test_more.MoreTests.test_wrong")
    assert Django.rerun([failure]) == "python manage.py test shop.tests.test_more.MoreTests.test_wrong"


def test_the_command_runs_exactly_what_failed(tmp_path):
    sample = Path(shutil.copytree(HERE / "samples" / "unittest" / "project", tmp_path / "project")).resolve()
    failures = [failure for failure in parse(log("unittest/3.13-discover")) if failure.kind == "test"]
    program, *words = shlex.split(Unittest.rerun(failures))
    report = tmp_path / "truth.json"
    told = {"TRUTH": str(report), "TRUTH_ROOT": str(sample), "TRUTH_TOOL": "unittest"}
    env = os.environ | told | {"PYTHONPATH": str(HERE / "samples" / "unittest")}
    assert program == "python"
    subprocess.run([sys.executable, *words], cwd=sample, env=env, capture_output=True)
    assert {row["name"] for row in json.loads(report.read_text())} == {failure.name for failure in failures}


def test_a_file_that_was_run_itself_is_run_again():
    failures = parse(log("unittest/3.13-main"))
    assert Unittest.rerun(failures) == "python main.py TestMain.test_here"


def test_a_result_below_a_test_that_passed_is_not_that_of_the_test():
    lines = "test_bad (tests.a.TestA) ... FAIL\ntest_fine (tests.a.TestA) ... ok\nERROR\n"
    assert [one.name for one in parse(lines)] == ["tests.a.TestA.test_bad"]


@given(st.sampled_from(CASES), st.integers(0, 200), st.integers(0, 200))
def test_a_cut_log_names_nothing_else(case, begin, length):
    lines = log(case).splitlines()
    known = {failure.name for failure in parse("\n".join(lines))}
    # A message holds what looks like a failure, and no count is left; a described test may have lost its traceback.
    decoys = {"tests.test_fake.Fake.test_fake", "Twice two is five"}
    assert {failure.name for failure in parse("\n".join(lines[begin:][:length]))} <= known | decoys


@pytest.mark.parametrize("parser", [Unittest, Django, Nose])
@given(st.sampled_from(CASES), st.lists(st.sampled_from(NOISE), max_size=30), st.randoms(use_true_random=False))
def test_whatever_stands_between_nothing_is_raised(parser, case, noise, random):
    lines = log(case).splitlines()
    for text in noise:
        lines.insert(random.randrange(len(lines)), text)
    reader = parser()
    for number, text in enumerate(lines, 1):
        reader.read(Line(number, text))
    names = [(failure.place, failure.name) for failure in reader.finish()]
    assert len(names) == len(set(names))


def test_what_parts_a_failure_from_the_counts_is_not_of_its_message(read):
    log = f"{DOUBLE}\nFAIL: test_x (pkg.T.test_x)\n{SINGLE}\nTraceback (most recent call last):\n"
    log += f'  File "pkg.py", line 4, in test_x\nAssertionError: 1 != 2\n\n{SINGLE}\nRan 1 test in 0.1s\n\n'
    (told,) = read(log + "FAILED (failures=1)\n")
    assert [one.message for one in told.failures] == ["AssertionError: 1 != 2"]


def test_a_test_that_a_program_named_has_spaces_in_its_name(read):
    title = "test_names('./a.json', ...) (tests.test_a.TestNames)"
    (told,) = read(f"{DOUBLE}\nFAIL: {title}\n{SINGLE}\nTraceback\n\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n")
    assert [one.name for one in told.failures] == ["tests.test_a.TestNames.test_names('./a.json', ...)"]


def test_nose_names_doctests_by_what_they_document(read):
    log = f"{DOUBLE}\nFAIL: Doctest: shop.cart.Cart\n{SINGLE}\nTraceback (most recent call last):\n"
    log += '  File "/home/travis/build/acme/shop/shop/cart.py", line 24, in Cart\n\nRan 9 tests in 1s\n\n'
    (told,) = read(log + "FAILED (SKIP=2, failures=1)\n")
    assert [(told.parser.tool, one.name, one.file, one.line) for one in told.failures] == [
        ("nose", "shop.cart.Cart", "shop/cart.py", 24)
    ]


def test_a_package_that_was_installed_before_it_is_tested_is_the_repositorys(read):
    where = "/home/travis/virtualenv/python3.8/lib/python3.8/site-packages/shop-1.0.egg"
    log = f"{DOUBLE}\nFAIL: test_x (shop.test.cart_test.T)\n{SINGLE}\nTraceback (most recent call last):\n"
    log += f'  File "{where}/shop/test/cart_test.py", line 7, in test_x\nAssertionError\n\nRan 1 test in 1s\n\n'
    (told,) = read(log + "FAILED (failures=1)\n")
    assert [(one.file, one.line, one.place) for one in told.failures] == [("shop/test/cart_test.py", 7, "")]


CUT = """test_fine (tests.test_shop.Shop) ... ok
test_adds (tests.test_shop.Shop) ... FAIL
test_loads (tests.test_shop.Shop) ... WARNING: no network, trying again

ERROR
test_described (tests.test_shop.Shop.test_described)
A description of it. ... FAIL
test_slow (tests.test_shop.Shop) ...
"""


def test_results_of_a_run_that_is_cut_off_count(read):
    assert [(one.name, one.confidence) for told in read(CUT) for one in told.failures] == [
        ("tests.test_shop.Shop.test_adds", "medium"),
        ("tests.test_shop.Shop.test_loads", "medium"),
        ("tests.test_shop.Shop.test_described", "medium"),
    ]


def test_results_of_a_run_with_an_end_are_not_read(read):
    assert not [one for told in read(f"{CUT}\nRan 4 tests in 0.1s\n\nOK\n") for one in told.failures]


GENERATED = """======================================================================
ERROR: markup: "links, inline"
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python2.7/site-packages/nose/case.py", line 197, in runTest
    self.test(*self.arg)
  File "/home/ci/shop/markup/check.py", line 143, in __call__
    output = convert(text)
AttributeError: no

======================================================================
ERROR: markup: "images"
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/usr/lib/python2.7/site-packages/nose/case.py", line 197, in runTest
    self.test(*self.arg)
  File "/home/ci/shop/markup/check.py", line 143, in __call__
    output = convert(text)
AttributeError: no

======================================================================
MarkupError: markup: "tables"
----------------------------------------------------------------------
MarkupError: another output than expected

----------------------------------------------------------------------
Ran 9 tests in 0.1s

FAILED (MarkupError=1, SKIP=2, errors=2)
"""


def test_tests_of_a_generator_keep_their_descriptions(read):
    (told,) = [one for one in read(GENERATED) if one.failures]
    names = ['markup: "links, inline"', 'markup: "images"', 'markup: "tables"']
    assert (told.parser.tool, [one.name for one in told.failures], told.counted) == ("nose", names, 3)


def test_a_class_of_errors_that_a_plugin_counts_is_a_failure():
    assert ci_failures.parse(b"Ran 9 tests in 0.1s\n\nFAILED (MarkupError=1, SKIP=2)\n").status == "unknown"
