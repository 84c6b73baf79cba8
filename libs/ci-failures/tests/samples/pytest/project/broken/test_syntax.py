def test_hidden():
    assert (1 ==
