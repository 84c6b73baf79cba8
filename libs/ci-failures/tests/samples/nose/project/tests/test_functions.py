import logging

from app import shop


def test_total():
    assert shop.total([1, 2]) == 3


def test_total_is_wrong():
    assert shop.total([1, 2]) == 4, "the till is broken"


def test_deep():
    print("FAIL: tests.test_printed.test_printed")
    logging.getLogger("shop").error("no money")
    shop.checkout({"balance": 1}, [1, 2])


def check(number, word):
    assert number % 2 == 0


def test_many():
    for number in range(4):
        yield check, number, "a (b) - c"


def setup_broken():
    raise RuntimeError("no table today")


def test_with_setup():
    pass


test_with_setup.setup = setup_broken


class TestPlain(object):
    def test_method(self):
        raise KeyError("x")

    def test_fine(self):
        pass


class TestBrokenClass(object):
    @classmethod
    def setup_class(cls):
        raise RuntimeError("no class today")

    def test_never(self):
        pass
