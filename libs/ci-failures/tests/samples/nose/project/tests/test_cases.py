import unittest


class TestCases(unittest.TestCase):
    def test_equal(self):
        self.assertEqual([1], [2])

    def test_fine(self):
        pass

    @unittest.skip("FAIL: elsewhere")
    def test_skipped(self):
        self.fail("never")
