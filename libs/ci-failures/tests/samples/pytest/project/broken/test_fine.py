def test_fine():
    pass


def test_fails():
    assert 1 == 2
