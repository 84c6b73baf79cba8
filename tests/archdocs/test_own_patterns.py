"""This project's own patterns, checked by its own tool."""

from pathlib import Path

import pytest

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.rules.rulebook import find_good_examples, load_rules
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.source_checker import check_sources
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
SETTINGS = f"[archdocs]\nroot = '{ROOT}'\n"
SOURCES = ["core/src/**/*.py", "libs/client/src/**/*.py", "libs/interface/src/**/*.py", "plugins/*/src/**/*.py"]
NOT_PARSED = {"golang.py", "panics.py"}
"""The grammar does not know `return a, *(b if c else d)`, which is Python."""


@pytest.mark.parametrize(
    ("pattern", "files"),
    [
        ("plugin-boundaries", SOURCES),
        ("transports-at-the-edge", SOURCES),
        ("tests-state-facts", ["tests/**/test_*.py"]),
    ],
)
async def test_the_repository_follows_its_own_pattern(tmp_path, pattern, files):
    async with connect(make_app(tmp_path, SETTINGS)) as client:
        arguments = {"pattern_name": pattern, "files": files}
        answer = (await client.call_tool("validate-against-pattern", arguments)).structured_content
    assert answer["violations"] == []
    assert {row["file"].rpartition("/")[2] for row in answer.get("parse_errors", ())} <= NOT_PARSED
    assert answer["files_checked"] > 150
    assert answer["compliant"] or "cannot be parsed" in answer["why"]


@pytest.fixture
def patterns(tmp_path):
    app = make_app(tmp_path, SETTINGS)
    origin = next(origin for _, origin in app.commands if origin.entry_point == "archdocs")
    return app.scope(origin).shared(Library).get_snapshot_blocking().list_kind(DocumentKind.PATTERN)


def test_every_rule_of_a_pattern_is_used_and_shown_to_match(patterns):
    assert len(patterns) >= 3
    assert [problem for pattern in patterns for problem in load_rules(pattern).problems] == []


def test_the_good_examples_of_every_pattern_pass_its_own_rules(patterns):
    judged = [
        check_sources(load_rules(pattern), [CodeSource(code=block.text)], language=language)
        for pattern in patterns
        for block, language in find_good_examples(pattern)
    ]
    assert judged
    assert not any(one.violations for one in judged)
