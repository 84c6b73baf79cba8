import unittest


class TestCase(unittest.TestCase):
    def test_equal(self):
        self.assertEqual([1, 2, 3], [1, 2, 4])

    def test_fine(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.fail("as expected")

    @unittest.expectedFailure
    def test_unexpected(self):
        pass


class TestSetUpClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no class today")

    def test_one(self):
        pass

    def test_two(self):
        pass


class Shared(object):
    def test_shared(self):
        self.assertEqual(self.number, 1)


class TestShares(Shared, unittest.TestCase):
    number = 2
