import pytest


@pytest.fixture
def broken():
    raise RuntimeError("no database - at all")


@pytest.fixture
def leaves_a_mess():
    yield 1
    raise OSError("cannot clean up")


def test_set_up(broken):
    pass


def test_tear_down(leaves_a_mess):
    assert leaves_a_mess == 1


def test_fails_twice(leaves_a_mess):
    assert leaves_a_mess == 2


def test_missing_fixture(nobody_made_this):
    pass


class TestClass(object):
    @pytest.fixture(autouse=True)
    def ready(self):
        assert not "ready"

    def test_a(self):
        pass

    @pytest.mark.parametrize("word", ["one two", "three"])
    def test_b(self, word):
        pass
