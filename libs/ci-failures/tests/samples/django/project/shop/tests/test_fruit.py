from django.test import SimpleTestCase, TestCase

from shop.models import Fruit


class FruitTests(TestCase):
    @classmethod
    def setUpTestData(cls):
        cls.apple = Fruit.objects.create(name="apple")

    def test_name(self):
        self.assertEqual(self.apple.name, "apple")

    def test_colour(self):
        self.assertEqual(self.apple.name, "red")

    def test_twice(self):
        """No two fruits have one name."""
        Fruit.objects.create(name="pear").rename("apple")

    def test_pages(self):
        response = self.client.get("/nowhere/")
        self.assertContains(response, "fruit", status_code=200)

    def test_queries(self):
        with self.assertNumQueries(2):
            list(Fruit.objects.all())

    def test_parts(self):
        for letter in "apx":
            with self.subTest(letter=letter):
                self.assertIn(letter, "apple")


class BrokenTests(TestCase):
    @classmethod
    def setUpTestData(cls):
        raise RuntimeError("no data")

    def test_never(self):
        pass


class PlainTests(SimpleTestCase):
    databases = set()

    def test_html(self):
        self.assertHTMLEqual("<p>one</p>", "<p>two</p>")

    def test_prints(self):
        print("FAIL: test_printed (shop.tests.Printed)")

    def test_database(self):
        Fruit.objects.count()
