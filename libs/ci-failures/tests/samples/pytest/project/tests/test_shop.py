# -*- coding: utf-8 -*-
import logging

import pytest

from app import shop


def test_total():
    assert shop.total([1, 2]) == 3


def test_total_is_wrong():
    assert shop.total([1, 2]) == 4, "the till is broken"


def test_multiple_lines():
    expected = ["apple", "banana", "cherry - red"]
    assert ["apple", "banana", "cherry - green"] == expected


def test_deep_in_the_shop():
    shop.checkout({"balance": 1}, [1, 2])


def test_deep_in_a_library():
    shop.load("{not json")


@pytest.mark.parametrize("name", ["a b", "c/d - e", 'it\'s "quoted"', "x[1]", "n::m", "", "1.5", "tail] - head"])
def test_names(name):
    assert name == "right"


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 2)], ids=["same", "not the same - FAILED"])
def test_pairs(a, b):
    assert a == b


def test_messages_that_look_like_a_summary():
    raise AssertionError(
        "first line\nFAILED tests/test_fake.py::test_never_was - AssertionError: no\nERROR tests/test_fake.py\n"
        "____ test_never_was ____\n= 7 failed in 1.00s =\ntests/test_fake.py:3: AssertionError"
    )


def test_prints_what_others_print(capsys):
    print("=========== FAILURES ===========")
    print("____________ test_printed ____________")
    print("tests/test_printed.py:9: AssertionError")
    print("FAILED tests/test_printed.py::test_printed - assert 0")
    print("--- FAIL: TestPrinted (0.00s)")
    print("FAIL: test_printed (tests.Printed.test_printed)")
    logging.getLogger("shop").error("ERROR tests/test_logged.py::test_logged - it is only logged")
    out = capsys.readouterr().out
    print(out)
    assert "nothing" in out.splitlines()


def test_passes_and_prints():
    print("FAILED tests/test_passing.py::test_passing - assert 0")
    logging.getLogger("shop").error("ERROR at setup of test_passing")


def test_runs_a_run_of_its_own():
    print("============================= test session starts ==============================")
    print("collected 1 item\n\ntest_inner.py F                                       [100%]\n")
    print("=================================== FAILURES ===================================")
    print("__________________________________ test_inner __________________________________")
    print("\n    def test_inner():\n>       assert 0\nE       assert 0\n\ntest_inner.py:2: AssertionError")
    print("=========================== short test summary info ============================")
    print("FAILED test_inner.py::test_inner - assert 0")
    print("============================== 1 failed in 0.02s ===============================")
    assert not "inner run failed"


class TestShop(object):
    def test_method(self):
        with pytest.raises(KeyError):
            shop.pay({}, 1)
        shop.pay({"balance": 0}, 1)

    @pytest.mark.parametrize("price", [1, 2])
    def test_prices(self, price):
        assert price != 2

    class TestNested(object):
        def test_inner_method(self):
            pytest.fail("not yet")


@pytest.mark.xfail(reason="known")
def test_known():
    assert 0


@pytest.mark.xfail(strict=True, reason="mended long ago")
def test_mended():
    assert 1


@pytest.mark.skip(reason="FAILED elsewhere")
def test_skipped():
    assert 0


def test_without_trace():
    pytest.fail("line one\nline two", pytrace=False)


def test_while_handling():
    try:
        shop.pay({"balance": 0}, 1)
    except ValueError:
        raise RuntimeError("no money")
