import unittest


class T(unittest.TestCase):
    def test_a(self):
        self.assertEqual(1, 2)  # noqa: PT009 -- it is unittest's

    def test_b(self):
        pass
