"""The language of the code and the pages, as far as a program can check it; `language.py` prints and updates counts."""

import language
import pytest


@pytest.fixture(scope="module")
def counts():
    """Count the exceptions once for all tests."""
    return language.count_offences()


RULES = {*language.read_allowed(), "unresolved reference"}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_no_package_has_more_exceptions_than_it_is_allowed(counts, rule):
    allowed = language.read_allowed().get(rule, {})
    more = {name: count for name, count in counts.get(rule, {}).items() if count > allowed.get(name, 0)}
    assert not more, f"see: python tests/repository/language.py {' '.join(more)}"
    if any(counts.get(rule, {}).get(name, 0) < count for name, count in allowed.items()):
        pytest.xfail("fewer exceptions than allowed; run: python tests/repository/language.py --update")


def test_every_rule_is_in_the_table(counts):
    assert counts.keys() <= RULES


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('def read():\n    """Give it."""', "first word of a docstring"),
        ("NAME = 1\n'''Say it.'''", "first word of a docstring"),
        ("def told(): ...", "function named by a participle"),
        ("async def _taken_back(): ...", "function named by a participle"),
        ("def failed_of(): ...", "function named by a participle"),
    ],
)
def test_code_that_breaks_a_rule_is_found(text, rule):
    assert [found for found, _line, _text in language.iterate_code_offences(text)] == [rule]


@pytest.mark.parametrize(
    "text",
    [
        "def set_name(): ...",
        "def need(): ...",
        "def cut_text(): ...",
        "@property\ndef told(): ...",
        "def delegated_token(): ...",
    ],
)
def test_code_that_keeps_the_rules_is_not_found(text):
    assert not list(language.iterate_code_offences(text))


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("a room of the core", "metaphor"),
        ("owner 'x' is none", "'is none' or 'is no …'"),
        ("see specs/2 for it", "unresolved reference"),
        ("the field notes say so", "unresolved reference"),
        ("see PULL-999", "unresolved reference"),
        ("see ADR 999", "unresolved reference"),
        ("see docs/forge-behaviour/github.md#nowhere", "unresolved reference"),
    ],
)
def test_a_line_that_breaks_a_rule_is_found(line, rule):
    assert [found for found, _text in language.iterate_line_offences(line, "core/x.py")] == [rule]


def test_a_reference_that_resolves_is_not_found():
    line = "PULL-1, ADR 1 and docs/forge-behaviour/github.md#checks; it is no longer so"
    assert not list(language.iterate_line_offences(line, "core/x.py"))


@pytest.mark.parametrize("line", ['login == "stranger"', "/repos/stranger/secret", 'WORLD = "crowd"'])
def test_a_name_of_a_recording_is_not_a_metaphor(line):
    assert not list(language.iterate_line_offences(line, "tests/x.py"))
