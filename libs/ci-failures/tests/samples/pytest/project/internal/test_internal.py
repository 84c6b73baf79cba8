def test_first():
    assert 1 == 2


def test_second():
    pass
