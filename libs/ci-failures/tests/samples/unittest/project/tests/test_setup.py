import unittest


class TestClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no class today")

    def test_one(self):
        pass


class TestLeft(unittest.TestCase):
    @classmethod
    def tearDownClass(cls):
        raise OSError("cannot clean up")

    def test_fine(self):
        pass


class TestEach(unittest.TestCase):
    def setUp(self):
        self.addCleanup(lambda: 1 / 0)

    def test_cleans_up(self):
        self.assertEqual(1, 2)


def tearDownModule():
    raise RuntimeError("the module stays")
