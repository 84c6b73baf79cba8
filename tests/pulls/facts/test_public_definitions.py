"""Which removed and changed definitions are facts, by the rules of several languages."""

import pytest
from village import list_facts

pytestmark = pytest.mark.anyio


async def test_a_name_of_which_one_definition_remains_is_not_removed(tmp_path):
    """Only a compiler knows whether former calls fit another definition: `breaking_changes` lists it as possible."""
    old = "public class A {\n  public void f(int a) {}\n  public void f(String a) {}\n  public void g() {}\n}\n"
    (found,) = await list_facts(
        tmp_path, {"A.java": old}, {"A.java": "public class A {\n  public void f(int a) {}\n}\n"}
    )
    assert found == ["A.java: method A.g was removed"]


TYPES = {
    "Sources/a.swift": ("public enum A {{}}\npublic actor {0} {{}}\n", "actor"),
    "Sources/b.swift": ("public struct A {{}}\npublic enum {0}: String {{}}\n", "enum"),
    "a.rs": ("pub struct A;\npub trait {0} {{}}\n", "trait"),
    "B.java": ("public class A {{}}\npublic enum {0} {{}}\n", "enum"),
    "a.cs": ("public class A {{}}\npublic readonly struct {0} {{}}\n", "struct"),
    "a.go": ("package a\n\ntype A struct{{}}\n\ntype {0} interface{{}}\n", "type"),
}
"""By path, code with a type that can have a name, and the word that declares it."""


@pytest.mark.parametrize("path", TYPES)
async def test_a_removed_type_is_called_what_declares_it(tmp_path, path):
    code, word = TYPES[path]
    facts = await list_facts(tmp_path, {path: code.format("Type")}, {path: code.format("Other")})
    assert facts == [[f"{path}: {word} Type was removed"]]


async def test_the_code_of_an_application_is_not_public(tmp_path):
    tree = {
        "site/manage.py": "A = 1\n",
        "site/a.py": "def f():\n    pass\n",
        "main.go": "package main\n",
        "a/a.go": "package a\n\nfunc F() {}\n",
        "bin/console": "#!php\n",
        "src/A.php": "<?php\nclass A {\n  public function f() {}\n}\n",
        "a.rs": "pub fn f() {}\n",
    }
    changes = {"site/a.py": "A = 1\n", "a/a.go": "package a\n", "src/A.php": "<?php\nclass A {\n}\n", "a.rs": "// 1\n"}
    assert await list_facts(tmp_path, tree, changes) == [["a.rs: function f was removed"]]


CRATE = "[package]\nname = 'a'\n"
PRIVATE = '{"private": true, "version": "1.0.0"}'
PACKAGES = {
    "published": {"Cargo.toml": CRATE, "src/main.rs": "", "package.json": '{"version": "1.0.0"}'},
    "with entries": {"package.json": '{"private": true, "main": "a/a.js"}'},
    "of another registry": {"package.json": '{"private": true}', "jsr.json": "{}"},
    "not parsed": {"Cargo.toml": "[", "package.json": "{"},
    "not published": {"a/Cargo.toml": f"{CRATE}publish = false\n", "package.json": PRIVATE},
    "without a version": {"Cargo.toml": f"{CRATE}publish = []\n", "src/main.rs": "", "package.json": '{"name": "a"}'},
    "of a workspace": {
        "Cargo.toml": "[workspace.package]\npublish = false\n",
        "a/Cargo.toml": f"{CRATE}publish.workspace = true\n",
        "a/package.json": '{"private": true}',
    },
}
"""Manifests; those of the last three say that nobody can install the code."""


@pytest.mark.parametrize("case", PACKAGES)
async def test_what_is_not_published_is_not_public(tmp_path, case):
    code = {"a/a.rs": "pub fn f() {}\n", "a/a.ts": "export function f() {}\n", "a/b/impl/A.java": "public class A {}\n"}
    crate = {"a/Cargo.toml": CRATE, "a/index.ts": "export * from './a';\n", **PACKAGES[case]}
    (found,) = await list_facts(tmp_path, crate | code, dict.fromkeys(code, "// none\n"))
    is_public = list(PACKAGES).index(case) < 4
    assert sorted(found) == (["a/a.rs: function f was removed", "a/a.ts: function f was removed"] if is_public else [])


async def test_a_definition_within_a_macro_is_not_removed(tmp_path):
    changes = {"a.rs": "// 1\n", "b.rs": "pin! {\n    pub struct A<T> {\n    }\n}\n"}
    wrapped = {"a.rs": "pin! {\npub struct A<T> {\n}\n}\n"}  # without a removed line
    assert await list_facts(tmp_path, {"a.rs": "pub struct A<T> {\n}\n"}, changes, wrapped) == [[], []]


async def test_a_name_that_is_exported_by_an_alias_is_not_removed(tmp_path):
    tree = {"src/a.ts": "export function f() {}\n", "src/index.ts": "export { f } from './a';\n"}
    changes = {"src/a.ts": "export function g() {}\n", "src/index.ts": "export {\n  g,\n  g as f,\n} from './a';\n"}
    assert await list_facts(tmp_path, tree, changes) == [[]]


async def test_a_method_of_another_class_of_the_file_may_be_inherited(tmp_path):
    base = "class A:\n    def f(self):\n        pass\n\n\nclass B(A):\n    def g(self):\n        pass\n"
    python = base + "\n    def f(self):\n        return 1\n"
    called = "class C(D):\n    def g(self):\n        pass\n"
    tree = {"a.py": python, "b.py": called + "\n    def get(self):\n        return super().get()\n"}
    assert await list_facts(tmp_path, tree, {"a.py": base}, {"b.py": called}) == [[], []]


async def test_functions_of_php_have_no_case(tmp_path):
    old = "<?php\nclass A {\n  public function getname() {}\n}\n"
    assert await list_facts(tmp_path, {"src/A.php": old}, {"src/A.php": old.replace("getname", "getName")}) == [[]]


async def test_a_method_that_is_inherited_now_is_not_removed(tmp_path):
    """A trait or a further base may have it, and an override is that of a base anyway."""
    php = "<?php\nclass A\n{\n    public function f() {}\n}\n"
    python = "class A:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n"
    java = "public class A {\n    @Override\n    public void f() {}\n    public void g() {}\n    public A() {}\n}\n"
    facts = await list_facts(
        tmp_path,
        {"a.php": php, "a.py": python, "A.java": java},
        {"a.php": php.replace("    public function f() {}", "    use F;")},
        {"a.py": "class A(F):\n    def g(self):\n        pass\n"},
        {"A.java": "public class A {\n    public void g() {}\n}\n"},
        {"a.py": "class A:\n    def g(self):\n        pass\n"},
    )
    assert facts == [[], [], [], ["a.py: method A.f was removed"]]


async def test_a_new_signature_is_no_fact(tmp_path):
    """Most changed signatures are of no interest to reviewers: `breaking_changes` lists all as possible."""
    tree = {"A.java": "public class A {}\n", "B.java": "public class B {\n  public A f(int a) {}\n}\n"}
    changes = {"A.java": "public class C {}\n", "B.java": tree["B.java"].replace("A f(int a)", "C f(int a, int b)")}
    assert await list_facts(tmp_path, tree, changes) == [["A.java: class A was removed"]]


async def test_a_file_of_python_that_no_name_has_is_not_imported(tmp_path):
    code = {"build-script.py": "def f():\n    pass\n", "a-b/c.py": "def g():\n    pass\n"}
    assert await list_facts(tmp_path, code, dict.fromkeys(code, "A = 1\n")) == [["a-b/c.py: function g was removed"]]


async def test_packages_called_internal_are_not_public(tmp_path):
    tree = {"src/org/a/internal/A.java": "public class A { public void f() {} public void g() {} }\n"}
    (found,) = await list_facts(
        tmp_path, tree, {"src/org/a/internal/A.java": "public class A { public void f() {} }\n"}
    )
    assert found == []


async def test_modules_decide_what_a_crate_of_rust_exports(tmp_path):
    function = "pub fn f() {}\npub struct S;\nimpl S {\n    pub fn g() {}\n}\n"
    tree = {
        "a/src/lib.rs": "pub mod open;\nmod shut;\npub use self::open::*;\npub use shut::deep::S;\n",
        "a/src/open.rs": function,
        "a/src/shut/mod.rs": "pub mod deep;\n",
        "a/src/shut/deep.rs": function,
        "b/Cargo.toml": "[lib]\nproc-macro = true\n",
        "b/src/lib.rs": "pub mod part;\n",
        "b/src/part.rs": function,
        "c/src/main.rs": "pub mod part;\n",
        "c/src/part.rs": function,
    }
    changed = {path: "// nothing\n" for path, text in tree.items() if text == function}
    (found,) = await list_facts(tmp_path, tree, changed)
    assert sorted(found) == [
        "a/src/open.rs: public definitions were removed: function f, struct S",
        "a/src/shut/deep.rs: struct S was removed",
    ]


async def test_an_export_within_a_private_module_of_rust_is_not_public(tmp_path):
    tree = {
        "src/lib.rs": "mod proto;\npub mod body;\npub use body::Body;\n",
        "src/proto/mod.rs": "mod encode;\npub use self::encode::Encoder;\n",
        "src/proto/encode.rs": "pub struct Encoder;\nimpl Encoder {\n    pub fn eof() {}\n}\n",
        "src/body.rs": "mod aggregate;\npub use self::aggregate::Sum;\npub struct Body;\n",
        "src/body/aggregate.rs": "pub struct Sum;\n",
    }
    changes = {"src/proto/encode.rs": "pub struct Encoder;\n", "src/body/aggregate.rs": "// nothing\n"}
    assert await list_facts(tmp_path, tree, changes) == [["src/body/aggregate.rs: struct Sum was removed"]]


async def test_an_export_of_another_module_of_rust_has_only_an_equal_name(tmp_path):
    tree = {
        "src/lib.rs": "mod error;\nmod proto;\npub use error::Error;\n",
        "src/error.rs": "pub struct Error;\nimpl Error {\n    pub fn f() {}\n}\n",
        "src/proto/mod.rs": "mod error;\npub(crate) use self::error::Error;\n",
        "src/proto/error.rs": "pub struct Error;\nimpl Error {\n    pub fn f() {}\n}\n",
    }
    changes = dict.fromkeys(("src/error.rs", "src/proto/error.rs"), "pub struct Error;\n")
    assert await list_facts(tmp_path, tree, changes) == [["src/error.rs: function Error.f was removed"]]


async def test_a_trait_of_php_that_is_internal_has_nothing_public(tmp_path):
    """Nor is a method public that is called for unknown names."""
    trait = (
        "trait {0}\n{{\n    public function f() {{}}\n    public function __call($a, $b) {{}}\n    public $c = 1;\n}}\n"
    )
    tree = {
        "src/A.php": "<?php\n/**\n * @internal\n */\n" + trait.format("A"),
        "src/B.php": "<?php\n" + trait.format("B"),
    }
    changes = {
        path: "".join(line for line in text.splitlines(keepends=True) if "function" not in line)
        for path, text in tree.items()
    }
    assert await list_facts(tmp_path, tree, changes) == [["src/B.php: method B.f was removed"]]


async def test_all_of_a_module_of_rust_is_what_that_module_exports(tmp_path):
    function = "pub fn f() {}\npub struct S;\n"
    tree = {
        "src/lib.rs": "mod formats;\nmod whole;\npub use formats::*;\npub use whole::*;\n",
        "src/formats/mod.rs": "mod from;\npub use from::*;\n",
        "src/formats/from.rs": "mod yaml;\npub use yaml::S;\n",
        "src/formats/from/yaml.rs": function,
        "src/whole.rs": "mod deep;\npub use self::deep::*;\n",
        "src/whole/deep.rs": function,
    }
    changes = {path: "// nothing\n" for path, text in tree.items() if text == function}
    (found,) = await list_facts(tmp_path, tree, changes)
    assert sorted(found) == [
        "src/formats/from/yaml.rs: struct S was removed",
        "src/whole/deep.rs: public definitions were removed: function f, struct S",
    ]


async def test_nothing_was_removed_from_a_file_with_conflict_markers(tmp_path):
    text = "pub fn f() {}\n\npub fn g() {}\n"
    marked = "<<<<<<< HEAD\npub fn f( {}\n||||||| base\npub fn f() {{}\n=======\n}\n>>>>>>> topic\n"
    (found,) = await list_facts(tmp_path, {"a.rs": text}, {"a.rs": marked})
    assert found == ["a.rs: line 1: a merge conflict marker"]


async def test_public_definitions_are_reported_by_the_rules_of_the_language(tmp_path):
    tree = {
        "hat.py": "def f(a, *, b=1):\n    pass\n\n\ndef g():\n    pass\n",
        "_cap.py": "def f(a):\n    pass\n",
        "internal/a.go": "package a\n\nfunc F() {}\n",
        "examples/a.py": "def f(a):\n    pass\n",
        "a.rs": "pub fn f<'a>(a: &'a str) {}\n",
    }
    removed, private, exported = await list_facts(
        tmp_path,
        tree,
        {"hat.py": tree["hat.py"].replace("def g", "def _g")},
        {"_cap.py": "A = 1\n", "internal/a.go": "package a\n", "examples/a.py": "A = 1\n"},
        {"hat.py": "from _cap import g\n\n\n" + tree["hat.py"].partition("\n\n\n")[0]},
    )
    assert removed == ["hat.py: function g was removed"]
    assert private == exported == []


NPM = '{"version": "1.0.0"}'
SCRIPT = "export function f() {}\nexport function g() {}\n"
SCRIPTS = {
    "no index": ({}, ""),
    "another export of the index": ({"index.ts": "export { h } from './b';\nimport { f } from './src/a';\nf();\n"}, ""),
    "an equal name in another folder": ({"src/index.ts": "export * from './lib/a';\nexport * from '../a';\n"}, ""),
    "an index above the package": ({"index.ts": "export * from './p/src/a';\n", "p/package.json": NPM}, ""),
    "an index beside the folder": ({"lib/index.ts": "export * from '../src/a';\n"}, ""),
    "comments": ({"index.ts": "// export * from './src/a';\n/*\nexport * from './src/a';\n*/\n"}, ""),
    "a string with marks": ({"index.ts": "const a = '/*';\nexport * from './src/a'; // all\n"}, "fg"),
    "no manifest": ({"package.json": "", "a/package.json": NPM}, "fg"),
    "all": ({"src/index.ts": "export * from './a';\n"}, "fg"),
    "all by a suffix": ({"src/index.mts": "export * from './a.js'\n"}, "fg"),
    "all types": ({"src/index.d.ts": "export type * from './a'\n"}, "fg"),
    "all of a folder above": ({"index.js": 'export*from"./src/a";\n'}, "fg"),
    "all by a name": ({"index.ts": "export * as a from './src/a';\n"}, "fg"),
    "all by an import": ({"index.ts": "import * as a from './src/a';\nexport { a };\n"}, "fg"),
    "one": ({"index.ts": "export { f } from './src/a';\nexport { g } from './src/b';\n"}, "f"),
    "one by another name": ({"index.ts": "export {\n  h,\n  type f as g, // as before\n} from './src/a';\n"}, "f"),
    "two by two files": (
        {"index.ts": "export { f } from './src/a';\n", "src/index.ts": "export type { g } from './a';\n"},
        "fg",
    ),
    "the default": ({"index.ts": "export { default as f } from './src/a';\n"}, "f"),
    "the default by its file": ({"src/f.ts": SCRIPT, "index.ts": "export { default } from './src/f';\n"}, "f"),
    "an import": ({"index.ts": "import { f, g } from './src/a';\nexport { f as h };\n"}, "f"),
    "an import by another name": ({"index.ts": "import { f as h, g } from './src/a';\nexport default h;\n"}, "f"),
    "a default import": ({"index.ts": "import g, { f } from './src/a';\nexport { g };\n"}, "g"),
    "an assigned import": ({"index.ts": "import { g } from './src/a';\nexport = g;\n"}, "g"),
    "an import that follows an export": (
        {"index.ts": "export default h\nimport { f } from './src/a'\nexport const i = 1\n"},
        "",
    ),
    "a required module": ({"index.js": "module.exports = require('./src/a');\n"}, "fg"),
    "a required name": ({"index.cjs": "exports.a = require('./src/a');\n"}, "fg"),
    "a required property": ({"index.js": "module.exports = {\n  b: 1,\n  a: require('./src/a'),\n};\n"}, "fg"),
    "a property of another object": ({"index.js": "const b = { a: require('./src/a') };\n"}, ""),
    "main": ({"package.json": '{"version": "1.0.0", "main": "./src/a.js"}'}, "fg"),
    "main without a suffix": ({"package.json": '{"version": "1.0.0", "main": "src/a"}'}, "fg"),
    "exports": ({"package.json": '{"version": "1.0.0", "exports": {"./a": [{"import": "./src/a.mjs"}]}}'}, "fg"),
    "a pattern of exports": ({"package.json": '{"version": "1.0.0", "exports": {"./*": "./src/*.js"}}'}, "fg"),
    "another pattern": ({"package.json": '{"version": "1.0.0", "exports": {"./*": "./api/*.js"}}'}, ""),
    "a key that names no entry": ({"package.json": '{"version": "1.0.0", "files": ["src/a.ts"]}'}, ""),
    "exports of another registry": ({"package.json": "{}", "jsr.json": '{"exports": "./src/a.ts"}'}, "fg"),
    "an entry": (
        {
            "package.json": '{"version": "1.0.0", "bin": {"a": "lib/main.js"}}',
            "lib/main.ts": "export { g } from '../src/a'\n",
        },
        "g",
    ),
    "a built entry": ({"package.json": '{"version": "1.0.0", "exports": {"./a": "./dist/a.mjs"}}'}, "fg"),
    "a built entry of another folder": ({"package.json": '{"version": "1.0.0", "main": "dist/src/a.js"}'}, ""),
    "a built entry with others": (
        {
            "package.json": '{"version": "1.0.0", "types": "./lib/esm/api/b.d.ts"}',
            "src/api/b.ts": "export { f } from '../a'\n",
        },
        "f",
    ),
    "invalid entries": (
        {"package.json": '{"version": "1.0.0", "main": ["../a", "/a", "..", "a\\u0000", "\\ud800", 1, null]}'},
        "",
    ),
}
"""Files of a package, and the functions that others can import from another file of it."""


@pytest.mark.parametrize("case", SCRIPTS)
async def test_entry_points_decide_what_a_package_of_npm_exports(tmp_path, case):
    files, public = SCRIPTS[case]
    folder = "p/" if "p/package.json" in files else ""
    path = next((path for path, text in files.items() if text == SCRIPT), f"{folder}src/a.ts")
    tree = {name: text for name, text in ({"package.json": NPM, path: SCRIPT} | files).items() if text}
    (found,) = await list_facts(tmp_path, tree, {path: "// none\n"})
    both = ["public definitions were removed: function f, function g"] if len(public) > 1 else []
    texts = both or [f"function {name} was removed" for name in public]
    assert found == [f"{path}: {text}" for text in texts]


async def test_a_method_is_exported_with_its_class(tmp_path):
    script = "export class A {\n  f() {}\n  g() {}\n}\nexport class B {\n  f() {}\n  g() {}\n}\n"
    tree = {"package.json": NPM, "index.ts": "export { A } from './a';\n", "a.ts": script}
    (found,) = await list_facts(tmp_path, tree, {"a.ts": script.replace("  f() {}\n", "")})
    assert found == ["a.ts: method A.f was removed"]


REMAINING = {
    "python": (
        "a.py",
        "class A(B):\n    def f(self):\n        pass\n\n    x = 1\n",
        "    def f(self):\n        pass\n\n",
    ),
    "java": ("A.java", "public class A extends B {\n  public void f() {}\n}\n", "  public void f() {}\n"),
    "php": ("src/A.php", "<?php\nclass A extends B {\n  public function f() {}\n}\n", "  public function f() {}\n"),
    "typescript": ("src/a.ts", "export class A extends B {\n  f() {}\n}\n", "  f() {}\n"),
    "go": ("a.go", "package a\n\ntype A struct {\n\t*b.B\n}\n\nfunc (a A) F() {}\n", "func (a A) F() {}\n"),
    "a system": ("a_windows.go", "package a\n\nfunc F() {}\n", "func F() {}\n"),
    "a proxy": ("a.py", "def f():\n    pass\n\n\ndef __getattr__(name):\n    pass\n", "def f():\n    pass\n\n\n"),
    "a generator": (
        "A.java",
        "import lombok.Data;\n@Data\npublic class A {\n  public int getF() {}\n}\n",
        "  public int getF() {}\n",
    ),
    "an unavailable stub": (
        "Sources/a.swift",
        'public struct A {\n  @available(*, unavailable, renamed: "g")\n  public func f() {}\n}\n',
        '  @available(*, unavailable, renamed: "g")\n  public func f() {}\n',
    ),
}


@pytest.mark.parametrize("case", REMAINING)
async def test_what_another_file_may_still_give_is_not_removed(tmp_path, case):
    path, old, lost = REMAINING[case]
    assert await list_facts(tmp_path, {path: old}, {path: old.replace(lost, "")}) == [[]]


async def test_a_class_without_a_base_has_what_its_file_says(tmp_path):
    old = "class A(metaclass=M):\n    def f(self):\n        pass\n\n    x = 1\n"
    go = "package a\n\ntype A struct {\n\tb B // of all\n}\n\nfunc (a A) F() {}\n"
    facts = await list_facts(
        tmp_path,
        {"a.py": old, "a.go": go},
        {"a.py": "class A(metaclass=M):\n    x = 1\n", "a.go": go.replace("func (a A) F() {}\n", "")},
    )
    assert facts == [["a.py: method A.f was removed", "a.go: method A.F was removed"]]


async def test_an_operator_may_go_on_in_a_type(tmp_path):
    """Added lines are searched for words, and its name has none."""
    old = "public func == (a: A, b: A) -> Bool {\n  return true\n}\npublic func f() {}\n"
    facts = await list_facts(tmp_path, {"Sources/a.swift": old}, {"Sources/a.swift": "public func f() {}\n"})
    assert facts == [[]]


async def test_what_only_some_builds_have_is_not_certain(tmp_path):
    variants = "#if swift(>=3)\n  public func f(_ a: Int) {}\n#else\n  public func f(a: Int) {}\n#endif\n"
    old = f"public struct A {{\n{variants}  public func g(a: Int) {{}}\n}}\n"
    one = old.replace(variants, "  public func f(_ a: Int) {}\n")
    less, more = await list_facts(
        tmp_path, {"Sources/a.swift": old}, {"Sources/a.swift": one}, {"Sources/a.swift": old.replace("g(a", "h(a")}
    )
    assert less == []
    assert more == ["Sources/a.swift: method A.g was removed"]
