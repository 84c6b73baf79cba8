"""Policies of imports: by the syntax of each language."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.globs import matches_any
from stithy_archdocs.rules import syntax_trees
from stithy_archdocs.rules.import_policies import FORMS, find_imports
from stithy_archdocs.rules.languages import ENDINGS, find_language, find_language_of_path
from stithy_archdocs.rules.rulebook import load_rules
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.source_checker import check_sources

CODE = {
    "python": (
        "from __future__ import z\nimport a.b as c, d\nfrom e import f as g, h\nfrom . import i\n__import__('j')",
        ["__future__.z", "a.b", "d", "e.f", "e.h", ".i", "j"],
    ),
    "javascript": (
        "import {a} from 'b' with {type: 'json'}; export * from 'c'; require('d'); await import('e')",
        ["b", "c", "d", "e"],
    ),
    "typescript": ("import type {A} from 'b';\nimport c = require('d');", ["b", "d"]),
    "tsx": ("import A from '@x/a';\nconst b = <A/>;", ["@x/a"]),
    "go": ('package p\nimport (\n\t"fmt"\n\tx "a/b"\n)\n', ["fmt", "a/b"]),
    "java": ("import a.b.C;\nimport static d.e.*;\n", ["a.b.C", "d.e"]),
    "kotlin": ("import a.b.C as D\nimport e.*\n", ["a.b.C", "e"]),
    "scala": ("import a.b.{c, d => e}\n", ["a.b.c", "a.b.d"]),
    "swift": ("import Foundation\n", ["Foundation"]),
    "rust": ("pub use a::{b, c::{d, e as f}, self};\nextern crate g;\n", ["a::b", "a::c::d", "a::c::e", "a", "g"]),
    "csharp": ("using A.B;\nusing static C.D;\nusing E = F.G;\n", ["A.B", "C.D", "F.G"]),
    "c": ('#include <a/b.h>\n#include "c.h"\n', ["a/b.h", "c.h"]),
    "cpp": ("#include <vector>\n", ["vector"]),
    "ruby": ("require 'a'\nrequire_relative('../b')\n", ["a", "../b"]),
    "php": ("<?php use A\\B; use C\\{D, E as F};", ["A\\B", "C\\D", "C\\E"]),
    "dart": ("import 'package:a/b.dart';\nexport 'c.dart';", ["package:a/b.dart", "c.dart"]),
    "lua": ("local a = require('b.c')\n", ["b.c"]),
    "elixir": ("alias A.B\nimport C\n", ["A.B", "C"]),
    "haskell": ("import qualified A.B as C\n", ["A.B"]),
    "solidity": ('import "./a.sol";', ["./a.sol"]),
}


def document(policy, *, fenced=True):
    if fenced:
        text = f"# P\n\n## Rules\n\n```yaml policy\n{json.dumps({'imports': policy})}\n```\n"
    else:
        text = f"---\npolicy: {json.dumps({'imports': policy})}\n---\n# P\n"
    return parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), text.encode())


def hits(policy, code, language="python", path="", *, fenced=True):
    rules = load_rules(document(policy, fenced=fenced))
    return [one.line for one in check_sources(rules, [CodeSource(path=path, code=code)], language=language).violations]


@pytest.mark.parametrize("language", FORMS)
def test_imports_are_read_by_syntax(language):
    code, names = CODE[language]
    tree = syntax_trees.parse_code(code, language)
    assert [one.name for one in find_imports(tree)] == names
    assert not tree.errors


@pytest.mark.parametrize("fenced", [True, False])
def test_a_policy_stands_in_a_fence_or_in_the_front_matter(fenced):
    assert hits({"disallow": ["axios"]}, "# axios\nimport axios\nx = 'import axios'", fenced=fenced) == [2]


@pytest.mark.parametrize(
    ("disallow", "code", "hit"),
    [
        ("httpx", "import httpx.client", True),
        ("httpx", "import httpx2", False),
        ("a.b", "from a import b", True),
        ("a.b", "from a import c", False),
        ("a.*.c", "from a.b.c import d", True),
        ("a.", "import a.b", True),
        ("http", "from .http import x", False),
    ],
)
def test_a_module_means_all_below_it(disallow, code, hit):
    assert bool(hits({"disallow": [disallow]}, code)) is hit


def test_an_allowed_import_below_a_forbidden_package_passes():
    policy = {"disallow": ["core"], "allow": ["core.spi"]}
    assert hits(policy, "from core.spi import A\nfrom core import spi\nfrom core import app\nimport core.app") == [3, 4]


def test_a_relative_import_is_what_it_means_in_the_project():
    policy = {"disallow": ["core.http"]}
    assert hits(policy, "from ..http import client", path="src/core/app/x.py") == [1]
    assert hits({"disallow": ["src/http"]}, "import '../http/client'", "javascript", "src/app/x.js") == [1]


def test_the_preferred_module_is_the_fix():
    rules = load_rules(document({"prefer": {"requests": "httpx"}}))
    (found,) = check_sources(rules, [CodeSource(code="import requests")], language="python").violations
    assert found.fix == "import httpx instead of requests"


def test_a_policy_holds_only_in_its_files():
    policy = {"disallow": ["httpx"], "files": ["core/**"], "ignores": ["core/http/**"]}
    assert [hits(policy, "import httpx", path=path) for path in ("core/a.py", "core/http/a.py", "b.py")] == [
        [1],
        [],
        [],
    ]


def test_a_policy_that_disallows_nothing_is_reported():
    assert "disallows nothing" in load_rules(document({"files": ["a"]})).problems[0].message


def test_a_language_without_imports_has_nothing_to_check():
    found = check_sources(load_rules(document({"disallow": ["a"]})), [CodeSource(code="a {}")], language="css")
    assert not found.checked


@pytest.mark.parametrize(
    ("glob", "path", "fit"),
    [
        ("src/**", "src/a/b.py", True),
        ("src/**/*.py", "src/b.py", True),
        ("*.py", "a/b.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("src/", "src/a", True),
        ("./src/?.{py,js}", "src/b.js", True),
        ("src/[!a].py", "src/a.py", False),
        ("a.b", "aXb", False),
    ],
)
def test_a_glob_means_files_of_the_project(glob, path, fit):
    assert matches_any(path, [glob]) is fit


@pytest.mark.parametrize(
    ("name", "language"),
    [("TypeScript", "typescript"), ("C#", "csharp"), ("golang", "go"), (".kt", "kotlin"), ("cobol", None)],
)
def test_a_language_is_known_by_several_names(name, language):
    assert find_language(name) == language


def test_a_file_says_its_language_by_its_ending():
    assert [find_language_of_path(path) for path in ("a/b.TS", "Makefile", "a.tsx")] == ["typescript", None, "tsx"]


@pytest.mark.parametrize("language", ENDINGS)
def test_every_language_is_parsed(language):
    assert syntax_trees.parse_code("", language).language == language


@given(st.text(max_size=300), st.sampled_from(sorted(FORMS)))
def test_no_text_breaks_the_reading_of_imports(text, language):
    tree = syntax_trees.parse_code(text, language)
    last = text.count("\n") + 1
    assert all(1 <= error.line <= error.last <= last for error in tree.errors)
    assert all(one.name for one in find_imports(tree))
