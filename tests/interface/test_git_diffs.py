"""Names as git writes them into the header of a diff."""

import pytest

from stithy_core.spi import parse_diff_path, split_diff_sections, unquote_path


def test_escapes_are_those_of_c():
    assert unquote_path(rb'"a\303\244\a\b\t\n\v\f\r\"\\"') == 'aä\a\b\t\n\v\f\r"\\'


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b"diff --git a/with space b/with space\n", "with space"),
        (b'diff --git "a/\\303\\244" "b/\\303\\244"\n', "ä"),
        (b"rename to new name\n", "new name"),
        (b"copy to new", "new"),
        (b"--- a/old\n", "old"),
        (b"+++ b/with space\t\n", "with space"),
        (b"+++ b/\xff", "\N{REPLACEMENT CHARACTER}"),
        (b"+++ /dev/null\n", ""),
        (b"rename from old\n", ""),
        (b"index 1..2\n", ""),
    ],
)
def test_a_header_line_has_one_path_or_none(line, path):
    assert parse_diff_path(line) == path


def test_a_line_of_a_hunk_begins_no_section():
    diff = b"diff --git a/x b/x\n@@ -1 +1 @@\n-diff --git a/y b/y\n+@@ -1 @@\ndiff --git a/z b/z\n"
    assert split_diff_sections(diff) == [
        (b"diff --git a/x b/x\n", b"@@ -1 +1 @@\n-diff --git a/y b/y\n+@@ -1 @@\n"),
        (b"diff --git a/z b/z\n", b""),
    ]
