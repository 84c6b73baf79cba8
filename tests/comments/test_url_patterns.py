"""The URLs of a list, once in its text."""

import pytest

from stithy_comments.text_format import UrlPatterns

PAGE = "https://git.example/o/r/pull/7"


@pytest.mark.parametrize(
    ("items", "line"),
    [
        ([("comment", 5, f"{PAGE}#c-5"), ("comment", 6, f"{PAGE}#c-6")], [f"URL: {PAGE}#c-ID"]),
        (
            [("comment", 5, f"{PAGE}#c-5"), ("review", "5a", f"{PAGE}#v5a")],
            [f"URL: {PAGE}#c-ID (comment), #vID (review)"],
        ),
        ([("event", "e1", PAGE)], []),
        ([], []),
    ],
)
def test_urls_that_end_with_the_id_have_one_pattern_for_each_kind(items, line):
    assert list(UrlPatterns.find(items).lines()) == line


def test_an_item_with_another_url_does_not_hide_the_pattern_of_the_others():
    draft = ("comment", 7, f"{PAGE}/files#r7")
    rest = [("comment", 5, f"{PAGE}#c-5"), ("comment", 6, f"{PAGE}#c-6")]
    patterns = UrlPatterns.find([draft, *rest])
    assert list(patterns.lines()) == [f"URL: {PAGE}#c-ID"]
    assert [patterns.cover(*item) for item in (draft, *rest)] == [False, True, True]
