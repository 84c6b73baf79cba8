def test_hidden(:
