"""What is an import in each language, by its own rules: each way to reach `db` from `ui` is seen, and nothing else."""

import json

import pytest

from stithy_archdocs.document_models import DocumentKind
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document
from stithy_archdocs.rules.rulebook import load_rules

RULES = {
    "typescript": {"from": ["src/ui"], "to": ["src/db"]},
    "go": {"from": ["ui"], "to": ["db"]},
    "java": {"from": ["acme.ui.A"], "to": ["acme.db"]},
    "rust": {"from": ["crate::ui"], "to": ["crate::db"]},
}


def hits(language, files, **rule):
    """Return whether the rule of a language hits a project; a failing sample disables its rule."""
    made = {"id": "r", "language": language, **RULES[language], **rule, "invalid": [{"files": files}]}
    text = f"# P\n\n```yaml policy\n{json.dumps({'forbidden': [made]})}\n```\n"
    rules = load_rules(parse_document(DocumentFile("p.md", DocumentKind.PATTERN, "p.md", ()), text.encode()))
    problems = [one.message for one in rules.problems]
    assert all("misses" in one or "does not hit" in one for one in problems), problems
    return not problems


def package(name, **more):
    """Return the text of a package.json."""
    return json.dumps({"name": name, **more})


WORKSPACE = {"package.json": package("root", workspaces=["src/*"]), "src/db/x.ts": "", "src/ui/package.json": "{}"}
ALIAS = '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("export * from '../db/x'", {}),
        ("import type { X } from '../db/x'", {}),
        ("type X = import('../db/x').X", {}),
        ("import x = require('../db/x')", {}),
        ("const { x } = require('../db/x')", {}),
        ("const x = () => import('../db/x')", {}),
        ("import('../db/x', { with: { type: 'json' } })", {}),
        ("import('../db/x' /* webpackChunkName: 'other' */)", {}),
        ("import x from '../db/x?raw'", {}),
        ("import x from '../db/data.json'", {"src/db/data.json": "{}"}),
        ("import x from '../db'", {"src/db/index.js": ""}),
        ("import x from '../db'", {"src/db/package.json": package("db", main="start"), "src/db/start.js": ""}),
        ("import '#db/x'", {"src/ui/package.json": package("ui"), "package.json": "{}"}),
        ("import '@a/db'", WORKSPACE | {"src/db/package.json": package("@a/db", main="./dist/x.js")}),
        (
            "import '@a/db/y'",
            WORKSPACE | {"src/db/package.json": package("@a/db", exports={"./*": "./*.ts"}), "src/db/y.ts": ""},
        ),
        (
            "import '@a/db'",
            WORKSPACE
            | {"src/db/package.json": package("@a/db", exports={".": {"types": "./no.d.ts", "import": "./x.ts"}})},
        ),
        (
            "import '@a/db'",
            {"pnpm-workspace.yaml": "packages:\n  - 'src/*'\n", "src/db/package.json": package("@a/db", main="x")},
        ),
        (
            "import '@a/db'",
            {
                "src/ui/package.json": package("ui", dependencies={"@a/db": "file:../db"}),
                "src/db/package.json": package("@a/db", main="x"),
            },
        ),
        (
            "import '~/x'",
            {
                "tsconfig.json": '{"extends": "./config/base"}',
                "config/base.json": '{"compilerOptions": {"paths": {"~/*": ["../src/db/*"]}}}',
            },
        ),
        ("import 'db/x'", {"tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}'}),
    ],
)
def test_an_import_of_typescript_is_found(code, files):
    if "#" in code:
        files = files | {"src/ui/package.json": json.dumps({"imports": {"#db/*": "../db/*.ts"}})}
    assert hits("typescript", {"src/ui/a.ts": code, "src/db/x.ts": "", **files})


def test_the_scripts_of_a_component_import():
    files = {"src/ui/a.ts": "import A from './A.vue'", "src/db/x.ts": ""}
    component = "<template>\n<p/></template>\n<script setup lang='ts'>\nimport x from '../db/x'\n</script>"
    assert hits("typescript", files | {"src/ui/A.vue": component})


@pytest.mark.parametrize(
    "code",
    [
        r"import x from '../d\u0062/x'",
        r"export * from '../d\x62/x'",
        r"require('../d\u{62}/x')",
        r"import('../\db/x')",
        "require?.('../db/x')",
        "module.require('../db/x')",
        '/// <reference path="../db/x.ts" />',
        "#!/usr/bin/env node\n// a comment\n///<reference path='../db/x.ts'/>\nexport {}",
    ],
)
def test_a_rare_form_of_an_import_of_typescript_is_found(code):
    assert hits("typescript", {"src/ui/a.ts": code, "src/db/x.ts": ""})


def test_an_apostrophe_may_be_part_of_an_imported_path():
    assert hits("typescript", {"src/ui/a.ts": 'import "../db/it\'s"', "src/db/it's.ts": ""}, to=["src/db/it's.ts"])


@pytest.mark.parametrize(
    "code",
    [
        "export {}\n/// <reference path='../db/x.ts' />",
        "// <reference path='../db/x.ts' />",
        "/* /// <reference path='../db/x.ts' /> */",
        "/// <reference lib='../db/x.ts' />",
    ],
)
def test_a_comment_that_is_no_reference_imports_nothing(code):
    assert not hits("typescript", {"src/ui/a.ts": code, "src/db/x.ts": ""})


def test_a_reference_to_types_names_their_package():
    assert hits("typescript", {"src/ui/a.ts": "/// <reference types='node' />"}, to=["node"])


@pytest.mark.parametrize(("name", "ending"), [("../db/x", ".js"), ("../db/x.mjs", ".mjs"), ("../db/x", ".jsx")])
def test_declarations_beside_a_script_do_not_hide_it(name, ending):
    files = {"src/ui/a.js": f"require('{name}')", "src/db/x.d.ts": "", f"src/db/x{ending}": ""}
    assert hits("typescript", files, to=[f"src/db/x{ending}"])


@pytest.mark.parametrize("name", ["../..", "../../", "../../."])
@pytest.mark.parametrize(("path", "main"), [("index.ts", ""), ("start.js", "start.js"), ("start.js", "./start")])
def test_the_folder_of_the_project_is_imported_like_others(name, path, main):
    files = {"src/ui/a.ts": f"import x from '{name}'", path: "", "package.json": package("p", main=main)}
    assert hits("typescript", files, to=[path])


def test_the_entry_point_of_a_package_comes_before_its_index():
    files = {"src/ui/a.ts": "import '../db'", "src/db/index.js": "", "src/db/m.js": ""}
    assert hits("typescript", files | {"src/db/package.json": package("d", main="m.js")}, to=["src/db/m.js"])


@pytest.mark.parametrize(("name", "path"), [("./x.mjs", "src/db/x.d.mts"), ("./x.cjs", "src/db/x.d.cts")])
def test_declarations_alone_stand_for_their_script(name, path):
    assert hits("typescript", {"src/ui/a.ts": f"import '../db/{name}'", path: ""}, to=[path])


@pytest.mark.parametrize("name", ["node:test", "test", "test/reporters"])
def test_a_package_of_others_is_not_a_folder_of_its_name(name):
    assert not hits("typescript", {"src/ui/a.ts": f"import '{name}'", "test/a.ts": ""}, to=["test"])


def test_a_builtin_module_of_node_has_two_names():
    assert hits("typescript", {"src/ui/a.ts": "import 'node:fs'", "src/db/x.ts": ""}, to=["fs"])


@pytest.mark.parametrize(
    ("code", "files"),
    [
        ("// import '../db/x'\nconst s = `import '../db/x'`", {}),
        ("import '@a/db'", {"tests/db/package.json": package("@a/db", main="../../src/db/x.ts")}),
        (
            "import '@/x'",
            {
                "src/ui/tsconfig.json": ALIAS,
                "src/ui/src/x.ts": "",
                "src/db/tsconfig.json": ALIAS,
                "src/db/src/x.ts": "",
            },
        ),
    ],
    ids=["comments and strings", "a package outside of the workspace", "the alias of another package"],
)
def test_what_is_no_import_of_typescript_is_not_taken_for_one(code, files):
    assert not hits("typescript", {"src/ui/a.ts": code, "src/db/x.ts": "", **files})


GO = {"go.mod": "module x.y/z\n", "db/b.go": "package db"}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("ui/a.go", 'import _ "x.y/z/db"'),
        ("ui/a.go", "import (\n\t. `x.y/z/db`\n)"),
        ("ui/a_windows.go", 'import "x.y/z/db"'),
        ("ui/a.go", 'import "x.y/z/db/internal/q"'),
    ],
)
def test_an_import_of_go_is_found(path, code):
    assert hits("go", GO | {"db/internal/q/q.go": "package q", "ui/o.go": "package ui", path: f"package ui\n{code}"})


def test_a_package_of_gos_library_is_not_a_folder_of_its_name():
    files = {"go.mod": "module example.org/m", "ui/a.go": 'package ui\nimport "log"', "log/a.go": "package log"}
    assert not hits("go", files, to=["log"])
    assert hits("go", files, to=["std/log"])


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("ui/a_test.go", 'package ui\nimport "x.y/z/db"'),
        ("ui/a_test.go", 'package ui_test\nimport "x.y/z/db"'),
        ("ui/testdata/a.go", 'package ui\nimport "x.y/z/db"'),
        ("ui/_old/a.go", 'package ui\nimport "x.y/z/db"'),
        ("ui/gen.go", '//go:build ignore\n\npackage main\nimport "x.y/z/db"'),
    ],
)
def test_what_go_does_not_build_into_a_package_is_not_imported_by_it(path, code):
    assert not hits("go", GO | {"ui/o.go": "package ui", path: code})


JAVA = {
    "db/Db.java": "package acme.db; public class Db { public static class In {} }",
    "ui/B.java": "package acme.ui;\nimport acme.db.Db;\nclass B { static int C; Db db; }",
}


@pytest.mark.parametrize(
    "code",
    [
        "import static acme.db.Db.go;\nclass A {}",
        "import static acme.db.Db.*;\nclass A {}",
        "import acme.db.*;\nclass A { Db db; }",
        "import acme.db.Db.In;\nclass A { In in; }",
        "class A { Object o = new acme.db.Db(); }",
        "class A<T extends acme.db.Db> {}",
        "class A { void f() { acme.db.Db.go(); } }",
        "@acme.db.Db class A {}",
        "class A { B b; }",
        "class A { int c = B.C; }",
        "class A implements B { class B {} }",
    ],
)
def test_what_a_class_of_java_uses_is_found(code):
    assert hits("java", JAVA | {"ui/A.java": f"package acme.ui;\n{code}"})


@pytest.mark.parametrize(
    "code",
    [
        "import acme.db.*;\nclass A { int i; }",
        'class A { String s = "acme.db.Db"; /* acme.db.Db */ }',
        "class A { class B {} B b; }",
        "import java.util.B;\nclass A { B b; }",
        "class A { static final int B = 1; int c = B; }",
    ],
)
def test_what_a_class_of_java_does_not_use_is_not_found(code):
    assert not hits("java", JAVA | {"ui/A.java": f"package acme.ui;\n{code}"})


def test_a_second_class_of_a_file_of_java_belongs_to_it():
    files = {"db/Two.java": "package acme.db;\npublic class Two {}\nclass More {}"}
    assert hits("java", files | {"ui/A.java": "package acme.ui;\nclass A { acme.db.More m; }"})


CRATE = {
    "Cargo.toml": '[package]\nname = "my-app"\n[dependencies]\nhttp-client = "1"',
    "src/lib.rs": "pub mod ui;\npub mod db;\npub mod free;\npub use db::Db;\npub struct Own;\n",
    "src/db.rs": "pub struct Db;",
    "src/free.rs": "pub struct Free;",
}


@pytest.mark.parametrize(
    "code",
    [
        "use crate::{free::Free, db::{self as d, Db}};",
        "use super::db;",
        "fn f() { crate::db::open(); }",
        "struct S { db: crate::db::Db }",
        'fn f() { println!("{}", crate::db::N); }',
        "mod inner { fn f() { super::super::db::open(); } }",
        "use crate::Db;",
        "use my_app::db::Db;",
        "mod inner { pub use super::other::Db; }\nmod other { pub use self::super::super::db::Db; }",
        "pub mod below;",
    ],
)
def test_a_path_of_rust_is_found(code):
    assert hits("rust", CRATE | {"src/ui.rs": code, "src/ui/below.rs": "use super::super::db::Db;"})


@pytest.mark.parametrize(
    "code",
    [
        "mod inner { pub use super::below::X; }",
        "mod inner { fn f() { super::below::x(); } }",
        "mod inner { mod deep { fn f() { super::super::below::x(); } } }",
        "mod inner { pub mod below; pub use self::below::X; }",
        "mod inner { pub mod below; mod deep { pub use super::below::X; } }",
        "mod inner { pub mod below; }\npub use inner::below::X;",
        "mod inner { pub mod deep { pub use super::super::below::X; } pub use deep::X; }\npub use inner::X;",
    ],
)
def test_a_path_from_an_inner_module_of_rust_leads_to_modules_below_its_file(code):
    name = "src/ui/inner/below.rs" if "mod below" in code else "src/ui/below.rs"
    files = {"src/ui.rs": code, name: "use crate::db::Db;", "src/far.rs": "use crate::ui::f;"}
    assert hits("rust", CRATE | files, **{"from": ["crate::far"]})


@pytest.mark.parametrize(
    "path",
    ["crate::prelude::Db", "crate::prelude::deep::Again", "super::prelude::Db", "my_app::prelude::{deep::Again}"],
)
def test_what_an_inner_module_of_rust_re_exports_is_of_the_module_that_declares_it(path):
    prelude = "pub mod prelude {\n    pub use super::db::Db;\n    pub mod deep { pub use super::Db as Again; }\n}\n"
    files = {"src/lib.rs": f"{CRATE['src/lib.rs']}{prelude}", "src/ui.rs": f"use {path};"}
    assert hits("rust", CRATE | files, direct_only=True)
    assert not hits("rust", CRATE | files, to=["crate::free"], direct_only=True)


def test_a_function_of_rust_may_have_the_name_of_an_inner_module():
    lib = f"{CRATE['src/lib.rs']}pub use db::fetch;\npub mod fetch {{ pub struct Error; }}\n"
    files = CRATE | {"src/lib.rs": lib, "src/free.rs": "use crate::fetch::Error;"}
    assert hits("rust", files | {"src/ui.rs": "use crate::fetch;"}, direct_only=True)
    assert not hits("rust", files, direct_only=True, **{"from": ["crate::free"]})


def test_an_inner_module_of_rust_may_have_the_name_of_a_crate():
    code = "mod http_client { use http_client::Get; }\nmod other { use ::http_client::Get; }"
    for one in code.split("\n"):
        assert hits("rust", CRATE | {"src/ui.rs": one}, to=["http_client"])


@pytest.mark.parametrize(
    "code",
    [
        "use crate::Own;\nuse crate::free::Free;",
        '// crate::db\nconst S: &str = "crate::db::Db"; fn f() { println!("crate::db::N"); }',
        "#[cfg(test)]\nmod tests { use super::*; use crate::db::Db; }",
        "#[cfg(test)]\nuse crate::db::Db;",
        "#[cfg(test)]\nmod below;",
        "mod db { pub fn open() {} } mod other { use super::db; }",
        "mod db { pub fn open() {} }\nmod other { fn f() { super::db::open(); } }\npub use db::open;",
        "#[cfg(test)]\nmod tests { pub use crate::db::Db; }\nuse self::tests::Db;",
        "mod inner { pub use super::below::X; }\n#[cfg(test)]\nmod below;",
    ],
)
def test_what_is_no_path_to_a_module_of_rust_is_not_taken_for_one(code):
    lib = CRATE["src/lib.rs"].replace("pub use db::Db;\n", "")
    files = (
        CRATE | {"src/lib.rs": lib, "src/ui/below.rs": "use crate::db::Db;"}
        if "below" in code
        else CRATE | {"src/lib.rs": lib}
    )
    assert not hits("rust", files | {"src/ui.rs": code})


def test_a_crate_of_others_is_found_where_it_is_written():
    assert hits("rust", CRATE | {"src/ui.rs": "fn f() { http_client::get(); }"}, to=["http_client"])


@pytest.mark.parametrize(
    ("path", "manifest"), [("src/bin/tool/main.rs", ""), ("core/main.rs", '[[bin]]\nname = "t"\npath = "core/main.rs"')]
)
def test_a_program_of_rust_is_a_crate_of_its_own(path, manifest):
    folder = path.rpartition("/")[0]
    files = {"Cargo.toml": f'[package]\nname = "x"\n{manifest}', path: "mod db;\nmod ui;", f"{folder}/db.rs": ""}
    name = folder.removeprefix("src/").replace("/", "::")
    rule = {"from": [f"crate::{name}::ui"], "to": [f"crate::{name}::db"]}
    assert hits("rust", files | {f"{folder}/ui.rs": "use crate::db::Db;"}, **rule)


def test_a_module_of_rust_may_be_in_another_file():
    files = {"src/lib.rs": 'pub mod ui;\n#[path = "odd/place.rs"]\npub mod db;', "src/odd/place.rs": "pub struct Db;"}
    assert hits("rust", CRATE | files | {"src/ui.rs": "use crate::db::Db;", "src/db.rs": ""})
