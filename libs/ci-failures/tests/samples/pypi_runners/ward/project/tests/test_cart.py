from ward import test, skip, each, fixture
@test("adds")
def _():
    assert 1 + 1 == 3
@test("is fine")
def _():
    assert True
@skip("later")
@test("skipped")
def _():
    assert False
@test("doubles {n}")
def _(n=each(1, 2), m=each(2, 5)):
    assert n * 2 == m
@test("throws")
def _():
    raise ValueError("closed")
