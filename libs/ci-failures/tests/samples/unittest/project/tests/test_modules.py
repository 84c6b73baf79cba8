import unittest


def setUpModule():
    raise RuntimeError("no module today")


class TestNever(unittest.TestCase):
    def test_never(self):
        pass
