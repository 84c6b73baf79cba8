def test_lost():
    pass
