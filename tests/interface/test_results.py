"""What handlers return: attrs classes that can say themselves, with at most one page."""

import pytest
from attrs import evolve, frozen

from stithy_core.spi import Page, Result


@frozen
class Said:
    def render(self):
        return ["said"]


@frozen
class Mute:
    pass


def test_any_class_that_renders_is_a_result():
    assert isinstance(Said(), Result)
    assert not isinstance(Mute(), Result)


def test_a_page_is_read_in_its_order():
    assert list(Page(("b", "a"), key=str)) == ["b", "a"]


@pytest.mark.parametrize("items", [(), ("a",), ["a", "b"]])
def test_a_whole_page_knows_its_total(items):
    assert Page(items, key=str).total == len(items)


def test_a_partial_page_does_not_know_its_total_unless_told():
    assert Page("ab", key=str, partial=True).total is None
    assert Page("ab", key=str, partial=True, total=9).total == 9


def test_the_total_stays_when_the_page_is_cut():
    assert evolve(Page("abc", key=str), items="a").total == 3


def test_a_page_has_no_length_that_could_be_taken_for_the_total():
    with pytest.raises(TypeError):
        len(Page("abc", key=str))
