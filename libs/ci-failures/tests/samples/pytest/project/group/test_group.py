import pytest


@pytest.mark.xdist_group(name="disk")
def test_together():
    assert 0


@pytest.mark.xdist_group("disk")
@pytest.mark.parametrize("mail", ["a@b.c"])
def test_mail(mail):
    assert mail == "d@e.f"


def test_alone():
    assert 0
