"""Patterns as Gitea and Forgejo read them."""

import pytest

from stithy_pulls.readiness.forge_globs import matches


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*", "", True),
        ("*", "ci / unit (push)", True),
        ("ci / *", "ci / unit (push)", True),
        ("ci", "ci / unit", False),
        ("ci / uni?", "ci / unit", True),
        ("ci / [a-t]nit", "ci / unit", False),
        ("ci / [!a-t]nit", "ci / unit", True),
        ("{lint,ci / {unit,slow}}", "ci / slow", True),
        ("{lint,ci / {unit,slow}}", "ci / fast", False),
        (r"ci / \*", "ci / *", True),
        (r"ci / \*", "ci / unit", False),
        ("ci / [unit", "ci / [unit", True),
        ("ci / [unit", "ci / unit", False),
        ("{a,b", "{a,b", True),
        ("a*b*c", "a-b-b-c", True),
        ("a*b*c", "a-b-b", False),
        (r"build \{a,b\}", "build {a,b}", True),
        (r"build \{a,b\}", "build a", False),
        (r"{a\,b,c}", "a,b", True),
        (r"{a\,b,c}", "a", False),
        (r"{a\},b}", "a}", True),
    ],
)
def test_a_pattern_without_separators(pattern, text, fits):
    assert matches(pattern, text) is fits


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("docs/*", "docs/plan", True),
        ("docs/*", "docs/plan.md", False),
        ("docs/**", "docs/a/plan.md", True),
        ("**/*.md", "docs/a/plan.md", True),
        ("**/*.md", "plan.md", False),
        ("**.md", "plan.md", True),
        ("?", "/", False),
        ("**a*b", "a/ab", True),
    ],
)
def test_a_star_stops_at_separators_and_two_do_not(pattern, text, fits):
    assert matches(pattern, text, "./") is fits


@pytest.mark.parametrize(
    "pattern", ["*a" * 120 + "b", "{a,b}" * 60, f"{{{',' * 200_000}}}", "[" * 200, "?*" * 100 + "b"]
)
def test_a_pattern_that_is_made_to_take_long_ends(pattern):
    assert not matches(pattern, "a" * 250 + "c")
