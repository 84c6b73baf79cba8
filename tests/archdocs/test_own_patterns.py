"""This project's own patterns can be used; `make lint` checks the code by them."""

from pathlib import Path

import pytest

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.rules.rulebook import find_good_examples, load_rules
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.source_checker import check_sources
from stithy_testing import make_app

ROOT = Path(__file__).parents[2]
SETTINGS = f"[archdocs]\nroot = '{ROOT}'\n"


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
