import os


def once(name):
    """Tell whether this is the first time."""
    path = os.path.join(os.path.dirname(__file__), name)
    if os.path.exists(path):
        return False
    open(path, "w").close()
    return True


def test_flaky():
    assert not once("tried")


def test_never_passes():
    assert 0


def test_fine():
    pass
