# -*- coding: utf-8 -*-
import logging
import os
import sys
import unittest

from app import shop


class TestShop(unittest.TestCase):
    def test_total(self):
        self.assertEqual(shop.total([1, 2]), 3)

    def test_total_is_wrong(self):
        self.assertEqual(shop.total([1, 2]), 4, "the till is broken")

    def test_described(self):
        """The first line describes (it) - FAIL: test_fake (tests.Fake).

        The others do not.
        """
        self.assertIn("a", {"b": 1})

    def test_multiple_lines(self):
        self.assertEqual("one\n\ntwo\nFAIL: test_fake (tests.Fake)\n", "one\n\nthree\n")

    def test_deep_in_the_shop(self):
        shop.checkout({"balance": 1}, [1, 2])

    def test_deep_in_a_library(self):
        shop.load("{not json")

    def test_looks_like_an_end(self):
        raise AssertionError(
            "see:\n" + "=" * 70 + "\nFAIL: test_fake (tests.test_fake.Fake.test_fake)\n" + "-" * 70 + "\nno\n\nRan 7 tests"
        )

    def test_prints(self):
        print("FAIL: test_printed (tests.test_printed.T)")
        print("ERROR: test_printed (tests.test_printed.T)")
        print("FAILED (failures=7)")
        sys.stderr.write("ERROR: nothing to worry about\n")
        logging.getLogger("shop").error("FAIL: test_logged (tests.T.test_logged)")

    def test_prints_and_fails(self):
        print("Traceback (most recent call last):\n  File \"tests/test_fake.py\", line 3, in test_fake\nKeyError: 1")
        self.fail(u"nö")

    def test_while_handling(self):
        try:
            shop.pay({"balance": 0}, 1)
        except ValueError:
            raise RuntimeError("no money")

    @unittest.expectedFailure
    def test_known(self):
        self.fail("known")

    @unittest.expectedFailure
    @unittest.skipIf(os.environ.get("UNTOLD"), "old runners do not say which it was")
    def test_mended(self):
        pass

    @unittest.skip("FAIL: elsewhere")
    def test_skipped(self):
        self.fail("never")


class TestParts(unittest.TestCase):
    def test_parts(self):
        if not hasattr(self, "subTest"):
            self.skipTest("too old")
        for number in range(4):
            with self.subTest("part - %d" % number, number=number):
                self.assertEqual(number % 2, 0)

    def test_quoted(self):
        if not hasattr(self, "subTest"):
            self.skipTest("too old")
        with self.subTest(word="a (b) [c]"):
            self.assertTrue(False)


class Shared(object):
    def test_shared(self):
        self.assertEqual(self.number, 1)


class TestShares(Shared, unittest.TestCase):
    number = 2
