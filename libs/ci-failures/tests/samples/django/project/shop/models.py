from django.db import models


class Fruit(models.Model):
    name = models.CharField(max_length=20, unique=True)

    def rename(self, name):
        self.name = name
        self.save()
