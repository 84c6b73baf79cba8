"""Rules that a pattern of reStructuredText carries."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.rules.code_blocks import find_blocks
from stithy_archdocs.rules.rulebook import load_rules
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.source_checker import check_sources

RULE = """
id: no-print
language: python
rule: {pattern: print($A)}
invalid: [print(1)]
"""
POLICY = """
imports:
  - id: no-requests
    disallow: [requests]
    invalid: [{path: a.py, code: import requests}]
"""


def document(text):
    return parse_document(DocumentFile("patterns/p.rst", DocumentKind.PATTERN, "p.rst", ()), text.encode())


def page(head, body=RULE, indent="   "):
    return document(f"Printing\n========\n\nWords.\n\n{head}\n\n{textwrap.indent(body.strip(), indent)}\n\nAfter.\n")


def hits(rules, code):
    return [(one.rule, one.line) for one in check_sources(rules, [CodeSource(code=code)], language="python").violations]


@pytest.mark.parametrize(
    "head",
    [
        ".. code-block:: yaml\n   :class: ast-grep",
        ".. code-block:: yaml\n   :linenos:\n   :caption: ast-grep",
        ".. code-block:: yaml",
        ".. sourcecode:: yaml",
        ".. code:: yaml ast-grep",
    ],
)
def test_a_block_of_yaml_carries_rules(head):
    rules = load_rules(page(head))
    assert [(rule.id, rule.line) for rule in rules.rules] == [("no-print", 7 + head.count("\n") + 1)]
    assert hits(rules, "x = 1\nprint(x)\n") == [("no-print", 2)]


@pytest.mark.parametrize("head", [".. code-block:: yaml\n   :class: policy", ".. code-block:: yaml"])
def test_a_block_of_yaml_carries_a_policy(head):
    assert hits(load_rules(page(head, POLICY)), "import os\nimport requests\n") == [("no-requests", 2)]


def test_other_yaml_carries_none():
    rules = load_rules(page(".. code-block:: yaml", "id: web\nimage: nginx\n"))
    assert (rules.rules, rules.problems) == ((), ())


def test_an_example_that_breaks_a_rule_is_reported_with_its_line():
    text = f".. code-block:: yaml\n   :class: ast-grep\n\n{textwrap.indent(RULE.strip(), '   ')}\n"
    (problem,) = load_rules(document(f"P\n=\n\n{text}\n.. code-block:: python\n\n   x = 1\n   print(x)\n")).problems
    assert (problem.rule, problem.line) == ("example-breaks-rule", 15)


@pytest.mark.parametrize("words", ["Wrong:", "Avoid this:"])
def test_code_marked_as_bad_is_not_an_example(words):
    text = f"P\n=\n\n.. code-block:: yaml\n\n{textwrap.indent(RULE.strip(), '   ')}\n\n{words}\n\n"
    assert load_rules(document(f"{text}.. code-block:: python\n\n   print(1)\n")).problems == ()


def test_a_block_that_is_further_in_keeps_its_own_indentation():
    (block,) = find_blocks(
        document("P\n=\n\n- item\n\n  .. code-block:: python\n\n      if x:\n          y\n\n  after\n")
    )
    assert (block.words, block.text, block.line) == (("python",), "if x:\n    y", 8)


@given(st.lists(st.sampled_from((".. code-block:: yaml", "  :class: ast-grep", "", "   id: a", "\tx", " y", "z"))))
def test_any_text_gives_blocks_that_stand_in_it(pieces):
    text = "\n".join(pieces)
    for block in find_blocks(document(text)):
        assert block.text.split("\n")[0].strip() in text.split("\n")[block.line - 1]
