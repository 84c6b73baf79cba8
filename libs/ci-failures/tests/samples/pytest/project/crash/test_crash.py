import os


def test_dies():
    os._exit(3)


def test_after():
    assert 0


def test_fine():
    pass
