"""Rules about the whole project: imports across modules, texts, names of files, manifests; and rules from files."""

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.rules.rulebook import load_rules
from stithy_testing import connect, make_app

SHOP = {"shop/__init__.py": "", "shop/ui.py": "", "shop/jobs.py": "", "shop/core.py": "", "shop/db.py": ""}
ECMA = {"src/ui/a.ts": "", "src/core/b.ts": "", "src/core/index.ts": ""}
JAVA = {"ui/A.java": "package acme.ui;", "core/B.java": "package acme.core;"}
RUST = {"Cargo.toml": '[package]\nname = "x"', "src/lib.rs": "", "src/ui/mod.rs": "", "src/core.rs": ""}
GO = {"go.mod": "module x.y/z\n", "ui/a.go": "package ui", "core/b.go": "package core"}
LAYERS = {
    "python": (["shop.ui | shop.jobs", "shop.core", "(shop.none)"], SHOP),
    "typescript": (["src/ui", "src/core"], ECMA),
    "java": (["acme.ui", "acme.core"], JAVA),
    "rust": (["crate::ui", "crate::core"], RUST),
    "go": (["ui", "core"], GO),
}
DOWN_AND_UP = [
    ("python", {"shop/ui.py": "from . import core"}, {"shop/core.py": "from .ui import x"}),
    ("python", {"shop/ui.py": "import shop.db", "shop/db.py": "import shop.core"}, {"shop/ui.py": "import shop.jobs"}),
    # Through another module, inside of a function.
    (
        "python",
        {"shop/db.py": "import shop.ui"},
        {"shop/core.py": "def f():\n    from shop import db", "shop/db.py": "import shop.ui"},
    ),
    ("typescript", {"src/ui/a.ts": "import '../core'"}, {"src/core/b.ts": "import x from '../ui/a.js'"}),
    (
        "typescript",
        {"src/ui/a.ts": "import '@/core/b'", "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'},
        {
            "src/core/b.ts": "export * from '@/ui/a'",
            "tsconfig.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"],},} // x\n}',
        },
    ),
    (
        "java",
        {"ui/A.java": "package acme.ui;\nimport acme.core.B;"},
        {"core/B.java": "package acme.core;\nimport acme.ui.*;\nclass B { A a; }"},
    ),
    ("rust", {"src/ui/mod.rs": "use crate::core::X;"}, {"src/core.rs": "use super::ui::{self, Y};"}),
    ("go", {"ui/a.go": 'package ui\nimport "x.y/z/core"'}, {"core/b.go": 'package core\nimport "x.y/z/ui"'}),
]
OTHERS = [
    (
        "independence",
        {"language": "python", "modules": ["shop.ui", "shop.jobs"]},
        SHOP,
        SHOP | {"shop/ui.py": "import shop.core", "shop/core.py": "import shop.jobs"},
    ),
    (
        "forbidden",
        {"language": "python", "from": ["shop.core"], "to": ["requests"]},
        SHOP | {"shop/ui.py": "import requests"},
        SHOP | {"shop/core.py": "import shop.db", "shop/db.py": "from requests.auth import x"},
    ),
    (
        "forbidden",
        {"language": "python", "from": ["shop.core"], "to": ["requests"], "direct_only": True},
        SHOP | {"shop/core.py": "import shop.db", "shop/db.py": "import requests"},
        SHOP | {"shop/core.py": "import requests"},
    ),
    ("texts", {"files": ["*.md"], "disallow": "TODO"}, {"a.md": "done", "a.py": "TODO"}, {"d/a.md": "x\nTODO"}),
    ("texts", {"files": ["*.sql"], "require": "^-- owner:"}, {"a.sql": "x\n-- owner: me"}, {"a.sql": "select 1"}),
    ("paths", {"files": ["src/*.py"], "name": "[a-z_]+\\.py"}, {"src/a.py": ""}, {"src/A.py": ""}),
    (
        "paths",
        {"files": ["src/**/*.py"], "ignores": ["__init__.py"], "require": "tests/**/test_{stem}.py"},
        {"src/x/a.py": "", "src/__init__.py": "", "tests/x/test_a.py": ""},
        {"src/x/a.py": "", "tests/test_b.py": ""},
    ),
    ("paths", {"require": ["LICENSE", "COPYING"]}, {"COPYING": ""}, {"x": ""}),
    ("paths", {"files": ["setup.py"], "disallow": True}, {"x.py": ""}, {"setup.py": ""}),
    (
        "manifests",
        {"files": ["pyproject.toml"], "disallow": ["Django"], "development": False},
        {"pyproject.toml": '[dependency-groups]\na = ["django"]'},
        {"pyproject.toml": '[project]\ndependencies = ["django>=4"]'},
    ),
    (
        "manifests",
        {"files": ["package.json"], "allow": ["react*"]},
        {"package.json": '{"dependencies": {"react-dom": "1"}}'},
        {"package.json": '{"devDependencies": {"vue": "1"}}'},
    ),
    (
        "manifests",
        {"files": ["go.mod"], "disallow": ["github.com/x/*"]},
        {"go.mod": "module a\nrequire github.com/y/z v1.0.0\nexclude (\n\tgithub.com/x/z v1.0.0\n)"},
        {"go.mod": "module a\nrequire (\n\tgithub.com/x/z v1.0.0 // indirect\n)"},
    ),
    (
        "manifests",
        {"files": ["Cargo.toml"], "require": ["serde"]},
        {"Cargo.toml": '[dependencies]\nserde = "1"'},
        {"Cargo.toml": "[dependencies]"},
    ),
    (
        "manifests",
        {"files": ["Cargo.toml"], "disallow": ["openssl"]},
        {"Cargo.toml": '[dependencies]\ntls = {package = "rustls", version = "1"}'},
        {"Cargo.toml": '[dependencies]\ntls = {package = "openssl", version = "1"}'},
    ),
    (
        "manifests",
        {"files": ["package.json"], "disallow": ["@old/core"]},
        {"package.json": '{"dependencies": {"core": "npm:@new/core@2"}}'},
        {"package.json": '{"dependencies": {"core": "npm:@old/core@2"}}'},
    ),
    (
        "manifests",
        {"files": ["pyproject.toml"], "disallow": ["nose"]},
        {"pyproject.toml": '[tool.uv]\ndev-dependencies = ["pytest>=8"]'},
        {"pyproject.toml": '[tool.uv]\ndev-dependencies = ["nose"]'},
    ),
    (
        "manifests",
        {"files": ["pyproject.toml"], "require": ["pytest"]},
        {"pyproject.toml": '[tool.pdm.dev-dependencies]\ntest = ["pytest>=8", "-e file:///x"]'},
        {"pyproject.toml": "[tool.pdm.dev-dependencies]\ntest = []"},
    ),
    (
        "manifests",
        {"files": ["pom.xml"], "disallow": ["log4j:*"]},
        {"pom.xml": '<project xmlns="u"><version>1</version></project>'},
        {
            "pom.xml": "<project><dependencies><dependency><groupId>log4j</groupId><artifactId>log4j</artifactId>"
            "</dependency></dependencies></project>"
        },
    ),
    (
        "manifests",
        {"files": ["pyproject.toml"], "key": "project.requires-python", "matches": ">=3\\.1[1-9]"},
        {"pyproject.toml": '[project]\nrequires-python = ">=3.11"'},
        {"pyproject.toml": '[project]\nrequires-python = ">=3.8"'},
    ),
]


def make_pattern(kind, rule):
    return f"# P\n\n```yaml policy\n{json.dumps({kind: [{'id': 'r', **rule}]})}\n```\n"


def find_problems(kind, rule, valid, invalid):
    text = make_pattern(kind, {**rule, "valid": [{"files": valid}], "invalid": [{"files": invalid}]})
    rules = load_rules(parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), text.encode()))
    return [one.message for one in rules.problems]


@pytest.mark.parametrize(("language", "down", "up"), DOWN_AND_UP)
def test_a_layer_imports_only_those_below_it(language, down, up):
    layers, files = LAYERS[language]
    rule = {"language": language, "layers": layers}
    assert find_problems("layers", rule, files | down, files | up) == []
    (swapped,) = find_problems("layers", rule, files | up, files | down)
    assert "valid sample 1: the rule hits it" in swapped


@pytest.mark.parametrize(("kind", "rule", "valid", "invalid"), OTHERS)
def test_each_kind_of_rule_accepts_one_project_and_rejects_another(kind, rule, valid, invalid):
    assert find_problems(kind, rule, valid, invalid) == []


@pytest.mark.parametrize(
    ("kind", "rule", "said"),
    [
        ("layers", {"language": "ruby", "layers": ["a"]}, "are known for python, java, rust, go"),
        ("layers", {"language": "python"}, "layers is missing"),
        ("independence", {"language": "python", "modules": ["a"], "ignore_imports": ["a"]}, "expected importing"),
        ("texts", {"disallow": "("}, "invalid expression"),
        ("paths", {"files": ["a"]}, "add name, require"),
        ("manifests", {"disallow": ["a"]}, "add files"),
        ("rules", {}, "has none of the keys imports, layers"),
    ],
)
def test_a_rule_that_cannot_be_used_says_why(kind, rule, said):
    text = make_pattern(kind, rule)
    rules = load_rules(parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), text.encode()))
    assert said in rules.problems[0].message


CONTRACTS = {
    "layers": "layers =\n  shop.ui\n  shop.core\n  shop.db",
    "up": "layers =\n  shop.db\n  shop.core",
    "siblings": "layers =\n  shop.ui | shop.jobs\n  shop.core",
    "open": "layers =\n  shop.ui : shop.jobs\n  shop.core",
    "optional": "layers =\n  (shop.none)\n  shop.ui\n  shop.core",
    "inside": "containers =\n  shop\nlayers =\n  ui\n  core",
    "ignored": "layers =\n  shop.db\n  shop.core\nignore_imports =\n  shop.core -> shop.*",
    "independent": "modules =\n  shop.ui\n  shop.jobs",
    "free": "modules =\n  shop.jobs\n  shop.lone",
    "forbidden": "source_modules =\n  shop.ui\nforbidden_modules =\n  shop.db",
    "direct": "source_modules =\n  shop.ui\nforbidden_modules =\n  shop.db\nallow_indirect_imports = true",
    "outside": "source_modules =\n  shop.db\nforbidden_modules =\n  json",
    "let": "source_modules =\n  shop.db\nforbidden_modules =\n  json\nignore_imports =\n  shop.** -> json",
    "narrow": "layers =\n  shop.jobs:shop.ui\n  shop.core",
    "packages": "source_modules =\n  shop.jobs\n  shop.typed\nforbidden_modules =\n  shop.*",
    "below": "source_modules =\n  shop\nforbidden_modules =\n  shop.db",
    "around": "source_modules =\n  shop.*\nforbidden_modules =\n  shop.core",
    "exactly": "source_modules =\n  shop.core\nforbidden_modules =\n  shop.**\nas_packages = false",
    "typed": "layers =\n  shop.core\n  shop.typed",
    "unlisted": "containers =\n  shop\nlayers =\n  ui\n  core\n  db\nexhaustive = true",
    "exempt": "containers =\n  shop\nlayers =\n  ui | lone\n  core\n  db\n"
    "exhaustive = true\nexhaustive_ignores =\n  jobs\n  typed\n  ring",
    "everywhere": "containers =\n  shop.*\nlayers =\n  (b) | (c)\n  (a)",
    "ring": "ancestors =\n  shop",
    "flat": "ancestors =\n  shop\ndepth = 0",
    "skipped": "ancestors =\n  shop\nskip_descendants =\n  shop.ring",
    "cut": "ancestors =\n  shop.ring\nignore_imports =\n  shop.ring.c -> shop.ring.a",
}
KINDS = {
    **dict.fromkeys(("independent", "free"), "independence"),
    **dict.fromkeys(("forbidden", "direct", "outside", "let", "packages", "below", "around", "exactly"), "forbidden"),
    **dict.fromkeys(("ring", "flat", "skipped", "cut"), "acyclic_siblings"),
}
CODE = {
    "shop/__init__.py": "",
    "shop/ui.py": "from shop import core\nfrom .jobs import run\n",
    "shop/jobs.py": "import shop.core\n",
    "shop/core.py": "def f():\n    from . import db\n",
    "shop/db.py": "import json.decoder\n",
    "shop/hook-a.b.py": "import shop.ui\n",
    "shop/lone.py": "x = 1  # import shop.jobs\n",
    "shop/typed.py": "import typing as t\nif t.TYPE_CHECKING:\n    from shop import core\nelse:\n    core = None\n",
    "shop/ring/__init__.py": "",
    "shop/ring/a.py": "from shop.ring import b\n",
    "shop/ring/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    x = 1\nelse:\n    from . import c\n",
    "shop/ring/c.py": "from shop.ring.a import b\n",
}


@pytest.mark.parametrize("without_types", ["true", "false"])
def test_contracts_of_import_linter_have_the_verdicts_of_import_linter(stithy, tmp_path, without_types):
    config = "[importlinter]\nroot_package = shop\ninclude_external_packages = true\n"
    config += f"exclude_type_checking_imports = {without_types}\n" + "".join(
        f"\n[importlinter:contract:{name}]\nname = {name}\ntype = {KINDS.get(name, 'layers')}\n{text}\n"
        for name, text in CONTRACTS.items()
    )
    result = stithy({**CODE, ".importlinter": config}, "validate", ".importlinter", "--json")
    broken = {one["rule"] for one in json.loads(result.stdout)["violations"]}
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={"COLUMNS": "200"}).stdout
    words = [line.split() for line in told.splitlines()]
    theirs = {line[0]: line[1] for line in words if len(line) > 1 and line[1] in ("KEPT", "BROKEN")}
    assert json.loads(result.stdout)["not_checked"] == []
    assert {name: "BROKEN" if name in broken else "KEPT" for name in CONTRACTS} == theirs
    assert theirs["typed"] == ("KEPT" if without_types == "true" else "BROKEN")
    assert set(theirs.values()) == {"KEPT", "BROKEN"}


HIDDEN = """# P

```yaml policy
texts:
  - {id: pinned, files: [".github/workflows/*.yml"], disallow: "@v[0-9]+"}
paths:
  - {id: owners, require: [".github/CODEOWNERS"]}
  - {id: no-locks, files: ["web/.cache/**"], disallow: true}
```

```yaml ast-grep
id: no-latest
language: yaml
files: [".github/**"]
rule: {kind: plain_scalar, regex: "latest$"}
```
"""


def test_a_glob_that_names_a_hidden_folder_is_for_its_files(stithy):
    files = {
        "mcp/resources/patterns/p.md": HIDDEN,
        ".github/workflows/ci.yml": "- uses: x@v4\n- runs-on: ubuntu-latest\n"
        "- uses: y@v1  # stithy: allow pinned -- an own action\n",
        ".github/CODEOWNERS": "* @x\n",
        ".other/workflows/ci.yml": "- uses: x@v4\n- runs-on: ubuntu-latest\n",
        "web/.cache/a": "",
    }
    result = stithy(files, "validate", "p")
    found = sorted(line.split(": ")[0] + line[line.rindex(" [") :] for line in result.stdout.splitlines()[:-1])
    assert found == [
        ".github/workflows/ci.yml:1 [pinned]",
        ".github/workflows/ci.yml:2 [no-latest]",
        "web/.cache/a:1 [no-locks]",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("type = layers\nlayers =\n  shop.ui\n  shop.core | shop.ui", "the layers name 'shop.ui' twice"),
        ("type = layers\nlayers =\n  shop.ui | shop.core : shop.db", "separated by either | or a colon"),
        ("type = layers\nlayers =\n  shop.ring\n  shop.ring.a", "shop.ring contains shop.ring.a"),
        ("type = independence\nmodules =\n  shop.ring\n  shop.ring.*", "shop.ring contains shop.ring.a"),
    ],
)
def test_contracts_that_import_linter_refuses_are_not_checked(stithy, tmp_path, text, said):
    config = f"[importlinter]\nroot_package = shop\n\n[importlinter:contract:c]\nname = c\n{text}\n"
    result = stithy({**CODE, ".importlinter": config}, "validate", ".importlinter")
    assert said in result.stderr
    assert "[c]" not in result.stdout
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode


SEMGREP = """
rules:
  - {id: eval, languages: [python], severity: ERROR, message: no $X, pattern: eval(...)}
  - id: shell
    languages: [python]
    severity: WARNING
    message: shell
    patterns:
      - pattern: subprocess.$F(..., shell=True, ...)
      - pattern-not-inside: |
          def trusted(...):
              ...
      - metavariable-regex: {metavariable: $F, regex: call|run}
  - {id: key, languages: [regex], severity: ERROR, message: a key, pattern-regex: 'AKIA[0-9A-Z]{16}'}
  - id: either
    languages: [javascript]
    severity: INFO
    message: either
    pattern-either: [{pattern: document.write(...)}, {pattern: $X.innerHTML = $Y}]
  - {id: taint, mode: taint, languages: [python], severity: ERROR, message: x}
  - {id: deep, languages: [python], severity: ERROR, message: x, pattern: 'f(<... $X ...>)'}
  - {id: string, languages: [python], severity: ERROR, message: x, pattern: 'f("...")'}
  - {id: cobol, languages: [cobol], severity: ERROR, message: x, pattern: f()}
"""


def test_rules_of_semgrep_are_used_as_far_as_ast_grep_can_express_them(stithy):
    code = {
        "a.py": "eval(x, y)\nsubprocess.run(a, shell=True, b=1)\nsubprocess.Popen(a, shell=True)\n"
        "def trusted(z):\n    subprocess.run(a, shell=True)\nsubprocess.run(a)\n",
        "b.js": "document.write(1); a.innerHTML = b; a.text = b",
        "c.txt": "x\nAKIAABCDEFGHIJKLMNOP",
    }
    result = stithy({**code, "semgrep.yml": SEMGREP}, "validate", "semgrep.yml")
    found = sorted(line.split(": ")[0] + line[line.rindex(" [") :] for line in result.stdout.splitlines()[:-1])
    assert found == ["a.py:1 [eval]", "a.py:2 [shell]", "b.js:1 [either]", "b.js:1 [either]", "c.txt:2 [key]"]
    unused = {line.split(": ")[1]: line for line in result.stderr.splitlines() if line.startswith("Not used")}
    assert sorted(unused) == ["rule cobol", "rule deep", "rule string", "rule taint"]
    assert "deep expressions" in unused["rule deep"]


REGEXES = """
rules:
  - {id: one, languages: [regex], severity: ERROR, message: x, patterns: [{pattern-regex: '(?i)(?<K>key)_[0-9a-z]{4}'}]}
  - id: but
    languages: [generic]
    severity: ERROR
    message: x
    patterns:
      - pattern-regex: 'id:\\s*\\w+'
      - pattern-not-regex: 'test-\\w+|id: none'
  - id: two
    languages: [generic]
    severity: ERROR
    message: x
    pattern-either: [{pattern-regex: ab+}, {pattern-regex: '(?i)cd+'}]
  - {id: posix, languages: [regex], severity: ERROR, message: x, pattern-regex: '[[:digit:]]+'}
  - {id: perl, languages: [regex], severity: ERROR, message: x, pattern-regex: '(?|a|b)'}
  - {id: mixed, languages: [generic], severity: ERROR, message: x, patterns: [{pattern-regex: a}, {pattern-regex: b}]}
  - {id: tested, languages: [regex], severity: ERROR, message: x, pattern-regex: token}
"""


def test_regular_expressions_of_semgrep_may_be_combined(stithy):
    text = "KEY_12aB\nid: a\nid: none\nid: test-b\nabb\nCDD\nkey_\u0663\u0663\u0663\u0663\n"
    files = {"r.yml": REGEXES, "r.txt": "# ok: tested\ntoken\n", "a.txt": text}
    result = stithy(files, "validate", "r.yml", "a.txt")
    found = sorted(line.split(": ")[0] + line[line.rindex(" [") :] for line in result.stdout.splitlines()[:-1])
    assert found == ["a.txt:1 [one]", "a.txt:2 [but]", "a.txt:5 [two]", "a.txt:6 [two]"]
    assert "rule mixed" in result.stderr
    assert "rule perl: invalid expression" in result.stderr
    assert "rule posix: POSIX classes" in result.stderr
    assert "its test r.txt fails: it hits lines 2" in result.stderr


@pytest.mark.parametrize(
    ("expression", "hits"),
    [
        ("key_(?i)[a-z]+", ["key_AB", "key_ab"]),
        ("(a(?i)b|c)d", ["aBd", "abd", "Cd", "cd"]),
        ("[(?i)]x", ["?x", "ix"]),
        (r"\(?i\)y", ["i)y"]),
    ],
)
def test_flags_within_an_expression_hold_to_the_end_of_their_group(stithy, expression, hits):
    rule = f"rules: [{{id: r, languages: [generic], severity: ERROR, message: x, pattern-regex: '{expression}'}}]"
    texts = ["key_AB", "KEY_ab", "key_ab", "aBd", "abd", "Abd", "Cd", "cd", "cD", "?x", "ix", "?X", "(iy", "i)y"]
    result = stithy({"r.yml": rule, "a.txt": "\n".join(texts) + "\n"}, "validate", "r.yml", "a.txt", "--json")
    lines = [one["line"] for one in json.loads(result.stdout)["violations"]]
    assert sorted(texts[line - 1] for line in lines) == sorted(hits)


TESTED = """
rules:
  - {id: calls-f, languages: [python], severity: ERROR, message: f, pattern: f(...)}
  - {id: debugger, languages: [python], severity: ERROR, message: x, pattern: pdb.set_trace(...)}
"""


def test_a_rule_of_semgrep_that_fails_the_test_beside_it_is_not_used(stithy):
    """semgrep follows the import, ast-grep does not: without the test, a clean result would be wrong."""
    files = {
        "rules/style.yaml": TESTED,
        "rules/style.py": "# ruleid: calls-f\nf(1)\n# ok: calls-f\ng(1)\n# todoruleid: calls-f\nh(1)\n"
        "from pdb import set_trace\n# ruleid: debugger\nset_trace()\n",
        "rules/style.fixed.py": "# ruleid: calls-f\ng(1)\n",
        "x.py": "f(2)\npdb.set_trace()\n",
    }
    for name in ("rules/style.yaml", "rules/"):
        result = stithy(files, "validate", name, "x.py", "--strict")
        assert result.stdout.splitlines()[0] == "x.py:1: error: f [calls-f]"
        assert "pdb" not in result.stdout
        assert "rule debugger is disabled because it fails its own samples: its test" in result.stderr
        assert "rules/style.py fails: it misses lines 9" in result.stderr


def test_an_unused_rule_for_several_languages_is_listed_once(stithy):
    rule = TESTED.replace("languages: [python]", "languages: [javascript, typescript]")
    files = {"r.yml": rule, "r.js": "// ruleid: calls-f\ng(1)\n", "x.js": "f(2)\n"}
    told = json.loads(stithy(files, "validate", "r.yml", "x.js", "--json").stdout)["not_checked"]
    assert [one["what"] for one in told].count("rule calls-f") == 1


def test_a_rule_of_semgrep_that_hits_what_its_test_allows_is_not_used(stithy):
    files = {"r.yml": TESTED, "r.py": "# ok: calls-f\nf(1)\n", "x.py": "f(2)\n"}
    assert "it hits lines 2" in stithy(files, "validate", "r.yml", "x.py").stderr


GO = """
rules:
  - id: old
    languages: [go]
    severity: ERROR
    message: x
    patterns: [{pattern: 'tls.Config{ $...X }'}, {pattern-not: 'tls.Config{..., MinVersion: ..., ...}'}]
"""


def test_fields_after_a_named_one_may_be_missing_in_a_literal(stithy):
    code = "package p\n\nvar a = tls.Config{Rand: r, MinVersion: v}\nvar b = tls.Config{MinVersion: v, Rand: r}\n"
    result = stithy({"r.yml": GO, "a.go": f"{code}var c = tls.Config{{Rand: r}}\n"}, "validate", "r.yml", "a.go")
    assert [line.split(" ")[0] for line in result.stdout.splitlines()[:-1]] == ["a.go:5:"]


CLASSES = "class A: pass\nclass B(C, d=E): pass\nclass F(): pass\nclass G[T]: pass\nclass H[T, U](C, D): pass\n"


@pytest.mark.parametrize(
    ("name", "rule", "code", "lines"),
    [
        ("a.py", "pattern: f('a')", "f('a')\nf(\"a\")\nf(b'a')\nf('b')\n", [1, 2]),
        (
            "a.py",
            "patterns: [{pattern: f()}, {pattern-not-inside: \"if __name__ == '__main__': ...\"}]",
            'if __name__ == "__main__":\n    f()\nf()\n',
            [3],
        ),
        ("a.py", 'pattern: "class $A:\\n  ..."', CLASSES, [1, 2, 3, 4, 5]),
        ("a.py", 'pattern: "class $A(...):\\n  ..."', CLASSES, [1, 2, 3, 4, 5]),
        ("a.py", 'pattern: "class $A(..., C, ...):\\n  ..."', CLASSES, [2, 5]),
        (
            "a.py",
            'pattern: "def $A(...):\\n  ..."',
            "def f(): pass\ndef g(a) -> int: pass\nasync def h(): pass\nasync def i() -> int:\n    pass\n",
            [1, 2, 3, 4],
        ),
        ("a.js", 'pattern: require("a")', "require('a'); \nrequire(\"a\")\nrequire(`a`)\n", [1, 2]),
        (
            "a.go",
            "pattern: 'if (true) { ... }'",
            "package a\n\nfunc f() {\n\tif true {\n\t}\n\tif (true) {\n\t}\n}\n",
            [4, 6],
        ),
        ("a.go", "pattern: 'if $X == nil { ... }'", "package a\n\nfunc f() {\n\tif (x == nil) {\n\t}\n}\n", [4]),
        (
            "a.py",
            'pattern: "def $F(...):\\n  pass"',
            "@a\n@b\ndef f():\n    pass\n\n\ndef g(): pass\n",
            [1, 7],
        ),
    ],
)
def test_patterns_match_what_semgrep_takes_for_equal(stithy, name, rule, code, lines):
    language = {"py": "python", "js": "javascript"}.get(name[2:], name[2:])
    text = f"rules: [{{id: r, languages: [{language}], severity: ERROR, message: x, {rule}}}]"
    result = stithy({"r.yml": text, name: code}, "validate", "r.yml", name, "--json")
    answer = json.loads(result.stdout)
    assert (answer["not_checked"], [one["line"] for one in answer["violations"]]) == ([], lines)


def test_an_exception_for_a_name_that_semgrep_finds_by_imports_is_not_expressible(stithy):
    rule = (
        "rules: [{id: r, languages: [python], severity: ERROR, message: x, patterns: [{pattern: $F = $X(...)}, "
        "{pattern-not: $F = django.db.models.CharField(...)}]}]"
    )
    code = "from django.db import models\n\nname = models.CharField()\n"
    result = stithy({"r.yml": rule, "a.py": code}, "validate", "r.yml", "a.py")
    assert "violations" in result.stdout
    assert "a.py:" not in result.stdout
    assert "semgrep finds django.db.models.CharField by the imports of a file" in result.stderr


def test_rules_of_ast_grep_come_with_their_utilities_and_tests(stithy):
    files = {
        "sgconfig.yml": "ruleDirs: [rules]\nutilDirs: [utils]\ntestConfigs: [{testDir: rule-tests}]\n",
        "utils/call.yml": "id: call\nlanguage: python\nrule: {pattern: print($A)}\n",
        "rules/a.yml": "id: a\nlanguage: python\nmessage: no $A\nfix: log($A)\nrule: {pattern: print($A)}\n",
        "rules/b.yml": "id: b\nlanguage: python\nseverity: error\nrule: {matches: call}\n",
        "rules/c.yml": "id: c\nlanguage: python\nrule: {pattern: never}\n",
        "rule-tests/c.yml": "id: c\ninvalid: [always]\n",
        "x.py": "print(1)\n",
    }
    result = stithy(files, "validate", "sgconfig.yml", "x.py")
    assert sorted(result.stdout.splitlines()[:-1]) == ["x.py:1: error: b is violated [b]", "x.py:1: warning: no 1 [a]"]
    assert "rule c is disabled" in result.stderr


def test_files_of_rules_that_cannot_be_read_are_named(stithy):
    files = {
        "sgconfig.yml": "ruleDirs: [rules, gone]\n",
        "rules/a.yml": "id: a\nlanguage: python\nrule: {pattern: print($A)}\n",
        "rules/b.yml": b"id: b\0",
        "x.py": "x = 1\n",
    }
    result = stithy(files, "validate", "sgconfig.yml", "x.py", "--strict")
    assert result.exit_code == 1
    assert "Not used: rules/b.yml: the file contains a zero byte" in result.stderr
    assert "Not used: ruleDirs: no file of rules is in gone" in result.stderr


def test_fixes_are_a_diff_that_git_applies(stithy, tmp_path):
    pattern = (
        "# P\n\n```yaml ast-grep\nid: a\nlanguage: python\nfix: log($A)\nrule: {pattern: print($A)}\n```\n\n"
        "```yaml policy\ntexts: [{id: t, files: ['*.md'], disallow: '(\\w+)n.t', fix: '\\1n not'}]\n```\n"
    )
    files = {"mcp/resources/patterns/p.md": pattern, "x.py": "é = print(1); print(2)\nprint(3)", "a.md": "caön't\n"}
    result = stithy(files, "validate", "--all", "--fix")
    assert result.exit_code == 1
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=result.stdout.encode(), check=True)
    assert (tmp_path / "x.py").read_text() == "é = log(1); log(2)\nlog(3)"
    assert (tmp_path / "a.md").read_text() == "caön not\n"
    assert stithy({}, "validate", "--all").exit_code == 0


def test_a_fix_is_applied_in_a_file_whose_lines_have_other_separators(stithy, tmp_path):
    """A form feed or U+2028 ends no line of a diff."""
    rule = {"files": ["*.txt"], "disallow": "colour", "fix": "color"}
    text = "a\n\fcolour\u2028b\n"
    files = {"mcp/resources/patterns/p.md": make_pattern("texts", rule), "a.txt": text}
    result = stithy(files, "validate", "--all", "--fix")
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=result.stdout.encode(), check=True)
    assert (tmp_path / "a.txt").read_text() == text.replace("colour", "color")


@pytest.mark.parametrize(
    "text",
    [b"a\r\nprint(1)\r\nb\r\n", b"\xef\xbb\xbfprint(1)\r\n", b"a\r\nprint(1)\nprint(\r\n2)\n", b"a\rprint(1)\nb"],
    ids=["all lines", "with a mark", "some lines", "old ones"],
)
def test_a_fix_is_applied_in_a_file_with_the_line_ends_of_windows(stithy, tmp_path, text):
    rule = {"id": "r", "files": ["*.py"], "disallow": r"print\((\s*)(\d)\)", "fix": r"log(\1\2)"}
    patch = stithy(
        {"x.py": text, "docs/adr/0001-a.md": make_pattern("texts", rule)}, "validate", "--all", "--fix"
    ).stdout
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=patch.encode(), check=True)
    assert (tmp_path / "x.py").read_bytes() == text.replace(b"print", b"log")


@pytest.fixture
def reported(stithy):
    rule = {"files": ["a,b.txt", "c d#.txt"], "disallow": "x.*", "message": "100%: $0"}
    files = {"mcp/resources/patterns/p.md": make_pattern("texts", rule), "a,b.txt": "y\n xé\x01<\n"}
    return lambda form: stithy(files, "validate", "--all", "--format", form)


def test_sarif_names_rule_level_and_place(reported):
    (run,) = json.loads(reported("sarif").stdout)["runs"]
    assert [one["id"] for one in run["tool"]["driver"]["rules"]] == ["r"]
    (result,) = run["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (result["ruleId"], result["level"], place["artifactLocation"]["uri"]) == ("r", "error", "a,b.txt")
    assert place["region"] == {"startLine": 2, "startColumn": 2, "endLine": 2}


def test_a_path_in_sarif_is_a_uri(reported, stithy):
    reported("sarif")
    result = stithy({"a,b.txt": "y\n", "c d#.txt": "x\n"}, "validate", "--all", "--format", "sarif")
    (run,) = json.loads(result.stdout)["runs"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "c%20d%23.txt"


def test_junit_has_a_case_for_each_rule(reported):
    result = reported("junit")
    (suite,) = ET.fromstring(result.stdout.encode())
    assert (result.exit_code, suite.get("tests"), suite.get("failures")) == (1, "1", "1")
    assert suite.find("testcase/failure").text == "a,b.txt:2: 100%: xé\ufffd<"


def test_annotations_cannot_be_broken_by_names_and_texts(reported):
    assert reported("github").stdout == ("::error file=a%2Cb.txt,line=2,endLine=2,title=r::100%25: xé\x01<\n")


@pytest.mark.anyio
async def test_the_tool_applies_rules_about_the_project_to_files_only(project, tmp_path):
    layers = {"language": "python", "layers": ["shop.ui", "shop.core"]}
    text = make_pattern("layers", layers)
    project({"mcp/resources/patterns/p.md": text, **SHOP, "shop/core.py": "import shop.db\nimport shop.ui\n"})
    async with connect(make_app(tmp_path, '[archdocs]\nroot = "."\n')) as client:

        async def call(**arguments):
            answer = await client.call_tool("validate-against-pattern", {"pattern_name": "p", **arguments})
            return answer.structured_content

        found = await call(files=["shop/*.py"])
        assert [(one["file"], one["line"]) for one in found["violations"]] == [("shop/core.py", 2)]
        assert (await call(files=["shop/ui.py"]))["verdict"] == "compliant"
        pasted = await call(code="import shop.ui", language="python")
    assert (pasted["verdict"], "pass files" in pasted["why"]) == ("not_checkable", True)


def test_a_comment_with_a_reason_allows_an_import(stithy):
    rule = {"language": "python", "layers": ["shop.ui", "shop.core"]}
    allowed = "import shop.ui  # stithy: allow r -- until the next release\n"
    files = {"mcp/resources/patterns/p.md": make_pattern("layers", rule), **SHOP, "shop/core.py": allowed}
    assert stithy(files, "validate", "--all").exit_code == 0
    assert stithy({"shop/core.py": "import shop.ui\n"}, "validate", "p").exit_code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("validate",), "no pattern named"),
        (("validate", "no.yml"), "no file with rules"),
        (("validate", "../x.yml"), ""),
    ],
)
def test_a_wrong_command_line_ends_with_2(stithy, words, said):
    result = stithy({"a.py": ""}, *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_names_that_do_not_exist_are_no_approval(stithy):
    rule = {"language": "python", "layers": ["shop.ui", "shop.gone"]}
    result = stithy(
        {"mcp/resources/patterns/p.md": make_pattern("layers", rule), **SHOP}, "validate", "--all", "--strict"
    )
    assert result.exit_code == 1
    assert "the project has no module 'shop.gone'" in result.stderr


@pytest.mark.parametrize(
    ("path", "beside", "is_checked"),
    [
        ("internal/build/a.go", "go.mod", True),
        ("acme/target/A.java", "README.md", True),
        ("test/build/a.test.js", "package.json", True),
        ("web/dist/a.js", "web/package.json", False),
        ("build/lib/a.py", "pyproject.toml", False),
        ("app/build/A.java", "app/build.gradle.kts", False),
        ("target/debug/a.rs", "Cargo.toml", False),
    ],
)
def test_a_folder_is_of_a_build_beside_the_manifest_of_a_build(stithy, path, beside, is_checked):
    rule = {"id": "none", "files": [path.rpartition("/")[2]], "disallow": True}
    result = stithy({beside: "", path: "", "docs/adr/0001-a.md": make_pattern("paths", rule)}, "validate", "--all")
    assert (result.exit_code == 1, path in result.stdout) == (is_checked, is_checked)


@pytest.mark.parametrize("word", ["No", "yes", "off"])
def test_a_word_in_a_rule_is_not_a_truth_value(stithy, word):
    rule = f"id: a\nlanguage: python\nmessage: {word}\nrule: {{pattern: print($A)}}\n"
    result = stithy({"rules/a.yml": rule, "x.py": "print(1)\n"}, "validate", "rules/", "x.py")
    assert result.stdout.splitlines()[0] == f"x.py:1: warning: {word} [a]"


def test_a_rule_that_is_off_is_not_used(stithy):
    rules = (
        "id: a\nlanguage: python\nseverity: off\nrule: {pattern: print($A)}\n---\n"
        "id: b\nlanguage: python\nrule: {pattern: f()}\n"
    )
    result = stithy({"rules/a.yml": rules, "x.py": "print(1)\n"}, "validate", "rules/", "x.py")
    assert (result.stdout, result.stderr) == ("1 files, 1 rules, 0 violations\n", "")


@pytest.mark.parametrize(("written", "hits"), [("yes", 0), ("true", 0), ("no", 1), ("false", 1)])
def test_a_truth_value_of_a_rule_may_be_written_as_yaml_1_1_does(stithy, written, hits):
    rule = f"{{id: r, language: python, from: [shop.core], to: [shop.ui], direct_only: {written}}}"
    code = SHOP | {"shop/core.py": "import shop.db", "shop/db.py": "import shop.ui"}
    pattern = f"# P\n\n```yaml policy\nforbidden: [{rule}]\n```\n"
    result = stithy(code | {"mcp/resources/patterns/p.md": pattern}, "validate", "--all", "--json")
    assert len(json.loads(result.stdout)["violations"]) == hits


def test_the_files_of_rules_about_the_project_are_counted(stithy):
    config = (
        "[importlinter]\nroot_package = shop\n[importlinter:contract:a]\nname = a\ntype = layers\nlayers =\n  shop.ui\n"
    )
    result = stithy(SHOP | {".importlinter": config}, "validate", ".importlinter")
    assert result.stdout == "5 files, 1 rules, 0 violations\n"


def test_a_rule_that_is_not_used_is_named_once(stithy):
    rule = "id: a\nlanguage: python\nseverity: fatal\nrule: {pattern: f()}\n"
    result = stithy({"rules/a.yml": rule, "x.py": ""}, "validate", "rules/", "x.py")
    assert "Not used: rule a: invalid severity 'fatal'" in result.stderr
