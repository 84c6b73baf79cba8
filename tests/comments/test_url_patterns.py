"""The URLs of a list, once in its text."""

import pytest

from stithy_comments.text_format import find_url_patterns, format_url_patterns

PAGE = "https://git.example/o/r/pull/7"


@pytest.mark.parametrize(
    ("items", "line"),
    [
        ([("comment", 5, f"{PAGE}#c-5"), ("comment", 6, f"{PAGE}#c-6")], [f"URL: {PAGE}#c-ID"]),
        (
            [("comment", 5, f"{PAGE}#c-5"), ("review", "5a", f"{PAGE}#v5a")],
            [f"URL: {PAGE}#c-ID (comment), #vID (review)"],
        ),
        ([("comment", 5, f"{PAGE}#c-5"), ("comment", 6, f"{PAGE}#d-6")], []),
        ([("event", "e1", PAGE)], []),
        ([], []),
    ],
)
def test_urls_that_end_with_the_id_have_one_pattern_for_each_kind(items, line):
    assert list(format_url_patterns(find_url_patterns(items))) == line
