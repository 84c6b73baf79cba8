from app.nowhere import nothing


def test_hidden():
    assert nothing
