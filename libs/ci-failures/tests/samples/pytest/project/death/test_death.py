import ctypes


def follow(address):
    return ctypes.string_at(address)


def test_fine():
    pass


def test_dies():
    assert follow(0)


def test_never():
    pass
