def test_described():
    """Twice two is five"""
    assert 2 * 2 == 5
