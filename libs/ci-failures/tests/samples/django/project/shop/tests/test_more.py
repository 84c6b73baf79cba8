from django.test import TransactionTestCase

from shop.models import Fruit


class MoreTests(TransactionTestCase):
    def test_missing(self):
        Fruit.objects.get(name="kiwi")

    def test_fine(self):
        self.assertFalse(Fruit.objects.exists())

    def test_wrong(self):
        self.assertTrue(Fruit.objects.exists())
