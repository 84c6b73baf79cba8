import unittest


class TestParts(unittest.TestCase):
    def test_parts(self):
        for i in range(4):
            with self.subTest("part - %d" % i, i=i):
                self.assertEqual(i % 2, 0)

    def test_last(self):
        with self.subTest(word="a b"):
            self.fail("sub")
        self.fail("whole")


def test_fixture(subtests):
    for i in range(3):
        with subtests.test(msg="custom message", i=i):
            assert i != 1


def test_fine(subtests):
    with subtests.test(msg="fine"):
        pass
