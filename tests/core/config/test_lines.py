"""Which line a mistake is given, however the key is written: `x` is always the mistake."""

import pytest

CASES = {
    "table": "[serve]\nread_only = true\nx = 1",
    "table with spaces": "\n\n [ serve ] # x = 1\nx = 1",
    "quoted table": '["ser\\u0076e"]\n\nx = 1',
    "dotted key": "\nserve.read_only = true\nserve . 'x' = 1",
    "comment between": "[serve]\n# x = 3\n\nx = 1",
    "text of many lines": '[serve]\ntoolsets = ["""\nx = 1\n\\""" ]""", \'\'\'\nx\n\'\'\']\nx = 1',
    "quotes at the end of a text": "[serve]\ntoolsets = ['''a''''', \"\"\"b\"\"\"\"]\nx = 1",
    "list of many lines": "[serve]\ntoolsets = [\n 'a', # ]\n '[', \"]\\\"]\",\n]\nx = 1",
    "bracket in a comment": "[serve] # [\nx = 1",
    "name inside of another": "[archdocs]\nx = 1\n[serve]\nx = 1",
    "below a list of tables": "[[a.b]]\nx = 1\n[[a.b]]\n[a.b.c]\nx = 1\n[serve]\nx = 1",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_line_is_that_of_the_key(refusal, text):
    details = refusal(text).details
    assert (details["key"], details["line"]) == ("serve.x", len(text.splitlines()))


def test_long_list_does_not_hide_the_lines_behind_it(refusal):
    words = "\n".join(f"'{number}'," for number in range(20_000))
    assert refusal(f"[serve]\ntoolsets = [\n{words}\n]\nx = 1").details["line"] == 20_004


def test_windows_line_ends_count_once(refusal):
    assert refusal("[serve]\r\n\r\nx = 1\r\n").details["line"] == 3


def test_key_in_an_inline_table_has_the_line_of_the_outermost(refusal):
    details = refusal("[forges]\n\nwork = { kind = 'k', token = { x = 1 } }").details
    assert (details["key"], details["line"]) == ("forges.work.token.x", 3)


def test_missing_key_has_the_line_of_its_table(refusal):
    details = refusal("[serve]\n[forges.work]\nread_only = true").details
    assert (details["key"], details["line"]) == ("forges.work.kind", 2)


def test_odd_keys_are_written_as_toml_writes_them(refusal):
    assert refusal("[serve]\n'a b' = 1").details["key"] == "serve.'a b'"


def test_deep_keys_do_no_harm(refusal):
    assert refusal("[serve]\n" + "x." * 2_000 + "x = 1").details["line"] == 2
