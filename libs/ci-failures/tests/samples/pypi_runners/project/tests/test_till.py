import unittest


class Till(unittest.TestCase):
    def test_total(self):
        self.assertEqual(1, 2)

    def test_error(self):
        raise ValueError("boom")

    def test_passes(self):
        print("Failure in test test_x (tests.test_x.X)")

    def test_in_parts(self):
        for part in range(2):
            with self.subTest(part=part):
                self.assertEqual(part, 5)
