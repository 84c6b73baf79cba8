"""Which facts a diff has, and which look-alikes have none: pairs of pull requests, asked for by the tool."""

import pytest
from village import village

pytestmark = pytest.mark.anyio

CODE = "".join(f"    x{number} = {number}\n" for number in range(30))
WORKFLOW = ".github/workflows/ci.yml"


async def list_facts(tmp_path, tree, *pulls):
    """Return, for each pull request, its facts as `path: text`; those of the whole diff come from the checklist."""
    found = []
    async with village(tmp_path, tree) as here:
        for changes in pulls:
            answer = await here.suggest(here.pull("Change", changes))
            rows = [f"{file['path']}: {point}" for file in answer["files"] for point in file["focus_points"]]
            items = [item for section in answer["review_checklist"] for item in section["items"]]
            rows += [item["guidance"].partition(". ")[2] for item in items if "Untested" in item["guidance"]]
            found.append(rows)
    return found


async def test_dependencies_are_named_with_their_versions(tmp_path):
    manifest = '{\n  "dependencies": {\n    "one": "^1.0.0",\n    "two": "^2.0.0"\n  }\n}\n'
    tree = {"package.json": manifest, "go.mod": "module a\n\nrequire (\n\tx.io/a v1.0.0 // indirect\n)\n"}
    added, major, minor, direct = await list_facts(
        tmp_path,
        tree,
        {"package.json": manifest.replace('"two"', '"new": "^3.1.0",\n    "two"')},
        {"package.json": manifest.replace("^1.0.0", "^2.0.0")},
        {"package.json": manifest.replace("^1.0.0", "^1.9.0")},
        {"go.mod": tree["go.mod"].replace(" // indirect", "")},
    )
    assert added == ["package.json: line 4: dependency added: new ^3.1.0"]
    assert major == ["package.json: line 3: may be incompatible by semantic versioning: one ^1.0.0 → ^2.0.0"]
    assert minor == direct == []


async def test_what_starts_the_code_and_what_moves_is_no_new_dependency(tmp_path):
    npm = '{\n  "engines": {\n    "node": ">= 1.0.0"\n  }\n}\n'
    cfg = "[options]\ninstall_requires =\n    attrs>=19.2.0\n"
    engine, provided, moved = await list_facts(
        tmp_path,
        {"package.json": npm, "setup.cfg": cfg},
        {"package.json": npm.replace('0"', '0",\n    "iojs": ">= 1.0.0"')},
        {"composer.json": '{\n  "provide": {\n    "psr/log-implementation": "~1.0"\n  }\n}\n'},
        {"setup.cfg": "[options]\n", "pyproject.toml": '[project]\ndependencies = ["attrs>=19.2.0"]\n'},
    )
    assert engine == provided == moved == []


async def test_a_dependency_that_moves_between_manifests_is_not_new(tmp_path):
    tree = {"requirements.txt": "one==1.0\ntwo==2.0\n", "requirements-dev.txt": "three==3.0\n"}
    moved, compiled = await list_facts(
        tmp_path,
        tree,
        {"requirements.txt": "one==1.0\n", "requirements-dev.txt": "three==3.0\ntwo==2.0\n"},
        {"requirements.txt": "deep==5.0\n    # via one\none==1.0\ntwo==2.0\n"},
    )
    assert moved == compiled == []


async def test_the_reason_for_a_suggested_package_is_no_version(tmp_path):
    manifest = '{\n  "require": {\n    "a/b": "^1.0"\n  },\n  "suggest": {\n    "c/d": "Needed for x (^1.0)"\n  }\n}\n'
    changed = manifest.replace('x (^1.0)"', 'y (^2.0)",\n    "e/f": "Used by z (^3.0)."')
    (found,) = await list_facts(tmp_path, {"composer.json": manifest}, {"composer.json": changed})
    assert found == []


async def test_a_plugin_of_another_group_is_another_one(tmp_path):
    """What else has a version in a POM does not count, nor does a further POM: others may have its dependencies."""
    block = "<{0}>\n<groupId>{1}</groupId>\n<artifactId>{2}</artifactId>\n<version>{3}</version>\n</{0}>\n"
    plugins = block.format("plugin", "org.a", "p", "0.6.1") + block.format("signature", "s", "level-1", "6.0")
    old = f"<project>{plugins}</project>"
    child = f"<project>{block.format('parent', 'a', 'up', '4.0-SNAPSHOT')}</project>"
    one = block.format("dependency", "a", "d", "${v}")
    profiles = f"<project><properties><v>1</v><v>2</v></properties>{one}</project>"
    other, major, level, own, further, released, profiled = await list_facts(
        tmp_path,
        {"pom.xml": old, "c/pom.xml": child, "e/pom.xml": profiles},
        {"pom.xml": old.replace("org.a", "io.b").replace("0.6.1", "3.1.0")},
        {"pom.xml": old.replace("0.6.1", "3.1.0")},
        {"pom.xml": old.replace("level-1", "level-2")},
        {"pom.xml": old.replace("0.6.1", "2.0.0-SNAPSHOT")},
        {"b/pom.xml": f"<project>{block.format('dependency', 'a', 'd', '2.0')}</project>"},
        {"c/pom.xml": child.replace("SNAPSHOT", "beta")},
        {"e/pom.xml": profiles.replace("<v>2</v>", "<v>3</v>")},
    )
    assert other == ["pom.xml: line 3: dependency added: io.b:p 3.1.0"]
    assert major == ["pom.xml: line 3: may be incompatible by semantic versioning: org.a:p 0.6.1 → 3.1.0"]
    assert level == own == further == released == profiled == []


async def test_packages_of_the_same_vendor_are_no_new_dependencies(tmp_path):
    npm = '{\n  "name": "@a/b",\n  "dependencies": {\n    "@a/c": "^1.0.0",\n    "d": "^1.0.0"\n  }\n}\n'
    composer = '{\n  "name": "a/b",\n  "require": {\n    "a/c": "^1.0"\n  }\n}\n'
    scoped, vendor = await list_facts(tmp_path, {"z": "z\n"}, {"p/package.json": npm}, {"q/composer.json": composer})
    assert scoped == ["p/package.json: line 5: dependency added: d ^1.0.0"]
    assert vendor == []


async def test_a_manifest_is_read_whole(tmp_path):
    """Lines far from those that change decide what a name belongs to."""
    filler = "".join(f'    "f{number}": "1.0.0",\n' for number in range(9))
    tables = [
        f'  "{key}": {{\n{filler}    "{name}": "1.0.0"\n  }}'
        for key, name in (("dependencies", "a"), ("overrides", "b"))
    ]
    npm = "{\n" + ",\n".join(tables) + "\n}\n"
    python = '[project]\ndependencies = [\n  "one>=1.0",\n]\nkeywords = [\n  "a>=1",\n]\n'
    pom = "<project>\n<properties>\n<d.version>1.0</d.version>\n</properties>\n<dependency>\n<groupId>g</groupId>\n"
    pom += "<artifactId>d</artifactId>\n<version>${d.version}</version>\n</dependency>\n</project>\n"
    overridden, added, keyword, property_, broken, peer = await list_facts(
        tmp_path,
        {
            "package.json": npm,
            "q/package.json": '{"peerDependencies": {"d": "1 || 2"}}',
            "pyproject.toml": python,
            "pom.xml": pom,
        },
        {"package.json": npm.replace('"b": "1.0.0"', '"b": "2.0.0",\n    "c": "1.0.0"')},
        {"package.json": npm.replace('"a": "1.0.0"', '"a": "1.0.0",\n    "c": "1.0.0"')},
        {"pyproject.toml": python.replace("a>=1", "b>=2")},
        {"pom.xml": pom.replace("1.0", "2.0")},
        {"package.json": npm.replace('"a": "1.0.0"', '"a": "1.0.0",\n    "c": "1.0.0",')},
        {"q/package.json": '{"peerDependencies": {"d": "1 || 2"}, "devDependencies": {"d": "2"}}'},
    )
    assert overridden == keyword == broken == []
    assert peer == ["q/package.json: line 1: dependency added: d 2"]
    assert added == ["package.json: line 13: dependency added: c 1.0.0"]
    assert property_ == ["pom.xml: line 3: may be incompatible by semantic versioning: g:d 1.0 → 2.0"]


async def test_of_several_definitions_of_a_name_one_is_removed(tmp_path):
    """Another type may fit, but not another number of arguments."""
    old = "public class A {\n  public void f(int a) {}\n  public void f(String a) {}\n"
    old += "  public void f(int a, int b) {}\n  public void g() {}\n}\n"
    (found,) = await list_facts(
        tmp_path, {"A.java": old}, {"A.java": "public class A {\n  public void f(int a) {}\n}\n"}
    )
    assert found == ["A.java: 2 public definitions were removed: one definition of A.f, method A.g"]


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


async def test_a_definition_within_a_macro_is_not_removed(tmp_path):
    changes = {"a.rs": "// 1\n", "b.rs": "pin! {\n    pub struct A<T> {\n    }\n}\n"}
    assert await list_facts(tmp_path, {"a.rs": "pub struct A<T> {\n}\n"}, changes) == [[]]


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


async def test_the_names_of_overloads_are_stated_once(tmp_path):
    old = "public class A {\n  public void f(int a) {}\n  public void f(char a) {}\n  public void g(int a) {}\n}\n"
    (found,) = await list_facts(
        tmp_path, {"A.java": old}, {"A.java": old.replace("int a", "int a, X b").replace("char a", "char a, Y b")}
    )
    assert found == ["A.java: line 2: 3 public signatures changed: method A.f (2), method A.g"]


async def test_other_types_are_no_facts(tmp_path):
    """Only a compiler knows whether one fits in place of another."""
    tree = {"A.java": "public class A {}\n", "B.java": "public class B {\n  public A f(int a) {}\n}\n"}
    renamed = {"A.java": "public class C {}\n", "B.java": tree["B.java"].replace("A f", "C f")}
    only, more = await list_facts(
        tmp_path, tree, renamed, {**renamed, "B.java": renamed["B.java"].replace("int a", "int a, int b")}
    )
    assert only == ["A.java: class A was removed"]
    assert more == [
        "A.java: class A was removed",
        "B.java: line 2: B.f was `public A f(int a)`, is `public C f(int a, int b)`",
    ]


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
        "a/src/open.rs: 2 public definitions were removed: function f, type S",
        "a/src/shut/deep.rs: type S was removed",
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
    assert await list_facts(tmp_path, tree, changes) == [["src/body/aggregate.rs: type Sum was removed"]]


async def test_nothing_was_removed_from_a_file_with_conflict_markers(tmp_path):
    text = "pub fn f() {}\n\npub fn g() {}\n"
    marked = "<<<<<<< HEAD\npub fn f( {}\n||||||| base\npub fn f() {{}\n=======\n}\n>>>>>>> topic\n"
    (found,) = await list_facts(tmp_path, {"a.rs": text}, {"a.rs": marked})
    assert found == ["a.rs: line 1: a merge conflict marker"]


async def test_changed_signatures_are_shown_whole(tmp_path):
    rust = "pub trait T {\n    fn f(\n        &self,\n        a: X,\n    ) -> R;\n}\n"
    java = "public class A {\n  public A(int a) {}\n  public A() {}\n}\n"
    (found,) = await list_facts(
        tmp_path,
        {"a.rs": rust, "A.java": java},
        {"a.rs": rust.replace("a: X", "a: X, b: Y"), "A.java": java.replace("  public A() {}\n", "")},
    )
    assert found == [
        "A.java: one definition of A.A was removed: `public A()`",
        "a.rs: line 2: T.f was `fn f( &self, a: X, ) -> R`, is `fn f( &self, a: X, b: Y, ) -> R`",
    ]


async def test_a_workflow_is_reported_if_it_may_do_more(tmp_path):
    old = "permissions:\n  contents: read\n  issues: write\njobs:\n  a:\n    steps: []\n"
    more, less, same, unlimited = await list_facts(
        tmp_path,
        {WORKFLOW: old},
        {WORKFLOW: old.replace("contents: read", "contents: write")},
        {WORKFLOW: old.replace("  issues: write\n", "")},
        {WORKFLOW: old.replace("  issues: write\n", "").replace("contents", "issues: write\n  contents")},
        {WORKFLOW: old.partition("jobs")[1] + old.partition("jobs")[2]},
    )
    assert more == [f"{WORKFLOW}: line 2: the workflow gains permissions: contents: write"]
    assert less == same == []
    assert unlimited == [
        f"{WORKFLOW}: line 1: the workflow's permissions are no longer limited: the repository's default applies"
    ]


async def test_comments_with_a_marker_are_quoted(tmp_path):
    tree = {"a.py": "A = 1\n# TODO: move\n", "b.py": "B = 1\n"}
    new, text, moved, prose, empty, within = await list_facts(
        tmp_path,
        tree,
        {"a.py": tree["a.py"] + "C = 2  # FIXME(ada): halve it\n"},
        {"a.py": tree["a.py"] + 'C = "TODO"\nD = """a # TODO-list"""\n'},
        {"a.py": "A = 1\n", "b.py": "B = 1\n# TODO: move\n"},
        {"c.md": "# TODO\n"},
        {"a.py": tree["a.py"] + "C = 2  # FIXME:\n"},
        {"a.ts": "f(1 /* TODO: halve it */, 2)\n"},
    )
    assert within == ["a.ts: line 1: a comment says: TODO: halve it"]
    assert new == ["a.py: line 3: a comment says: FIXME(ada): halve it"]
    assert text == moved == prose == empty == []


async def test_a_comment_is_quoted_over_several_lines(tmp_path):
    """Code that is commented out does not belong to it."""
    prose, code = await list_facts(
        tmp_path,
        {"z": "z\n"},
        {"a.go": "package a\n\n// TODO: use b once the least\n// version is 2.\n//\n// Not so.\nvar a = 1\n"},
        {"a.py": "# FIXME: this is kept for some reason\n# case(a=1)\n"},
    )
    assert prose == ["a.go: line 3: a comment says: TODO: use b once the least version is 2."]
    assert code == ["a.py: line 1: a comment says: FIXME: this is kept for some reason"]


async def test_a_comment_that_changes_is_not_new(tmp_path):
    tree = {"a.go": "package a\n\n// TODO: delete the class A in the next version.\nvar a = 1\n"}
    changed, replaced, tagged = await list_facts(
        tmp_path,
        tree,
        {"a.go": tree["a.go"].replace("A", "B")},
        {"a.go": tree["a.go"].replace("delete the class A in the next version", "warn of a wrong number")},
        {"b.cs": "class B {}\n/// <remarks>TODO: link it</remarks>\n"},
    )
    assert changed == []
    assert replaced == ["a.go: line 3: a comment says: TODO: warn of a wrong number."]
    assert tagged == ["b.cs: line 2: a comment says: TODO: link it"]


async def test_a_migration_is_reported_for_what_it_does_to_existing_tables(tmp_path):
    begin = "from django.db import migrations\n\n\nclass Migration(migrations.Migration):\n    operations = [\n"
    tree = {"app/migrations/0001_a.py": f"{begin}    ]\n"}
    alter = '        migrations.AddField(\n            model_name="hat",\n        ),\n    ]\n'
    create = f'{begin}        migrations.CreateModel(\n            name="Bag",\n        ),\n'
    alters, creates, comment, rewritten, helper = await list_facts(
        tmp_path,
        tree,
        {"app/migrations/0002_b.py": begin + alter},
        {"app/migrations/0002_b.py": create + alter.replace("hat", "bag")},
        {"app/migrations/0001_a.py": f"# Generated\n{begin}    ]\n"},
        {"app/migrations/0001_a.py": f"{begin}        migrations.RunSQL('SELECT 1'),\n    ]\n"},
        {"app/migrations/runner.py": "def run():\n    execute('DROP TABLE a')\n"},
    )
    assert alters == [
        "app/migrations/0002_b.py: line 6: a migration has operations on existing tables or rows: AddField"
    ]
    assert creates == comment == helper == []
    assert rewritten == ["app/migrations/0001_a.py: an existing migration was modified: 1 line of code changed"]


async def test_data_is_dropped_by_the_part_that_is_applied(tmp_path):
    step = "db/migrate/20260101000000_a.rb"
    up = "class A < ActiveRecord::Migration[8.0]\n  def up\n    {}\n  end\n\n  def down\n    {}\n  end\nend\n"
    dropped, reversed_, again, kept = await list_facts(
        tmp_path,
        {"z": "z\n"},
        {step: up.format("remove_column :hats, :size", "x")},
        {step: up.format("x", "remove_column :hats, :size")},
        {"db/migrations/20260101_a.sql": "DROP TABLE IF EXISTS hats;\nCREATE TABLE hats (id int);\n"},
        {"db/migrations/20260102_a.sql": "ALTER TABLE a DROP COLUMN b;\nALTER TABLE a RENAME COLUMN new_b TO b;\n"},
    )
    assert dropped == [f"{step}: line 3: a migration drops data: column hats.size"]
    assert reversed_ == again == []
    assert [fact for fact in kept if "drops" in fact] == []


async def test_tests_are_removed_if_they_are_nowhere_else(tmp_path):
    test = "def test_a():\n    assert 1\n\n\ndef test_b():\n    assert 2\n"
    tree = {"tests/test_hat.py": test, "hat.py": "HAT = 1\n", "tests/support.py": "A = 1\n"}
    gone, renamed, moved, with_code, support = await list_facts(
        tmp_path,
        tree,
        {"tests/test_hat.py": test.partition("\n\n\n")[0]},
        {"tests/test_hat.py": test.replace("test_b", "test_c")},
        {"tests/test_hat.py": None, "tests/test_cap.py": test.replace("assert 1", "assert 3")},
        {"tests/test_hat.py": None, "hat.py": None},
        {"tests/support.py": None},
    )
    assert gone == ["tests/test_hat.py: 1 test removed: test_b"]
    assert renamed == moved == with_code == support == []


async def test_a_test_of_go_that_becomes_part_of_another_is_not_removed(tmp_path):
    old = "package a\n\nfunc TestA(t *testing.T) {\n}\n\nfunc TestB(t *testing.T) {\n}\n"
    new = 'package a\n\nfunc TestAll(t *testing.T) {\n\tt.Run("A", testA)\n\tt.Run("B", testB)\n}\n'
    assert await list_facts(tmp_path, {"a_test.go": old}, {"a_test.go": new}) == [[]]


async def test_a_disabled_test_is_quoted_with_its_reason(tmp_path):
    test = "import pytest\n\n\ndef test_a():\n    assert 1\n"
    skipped = test.replace("def", '@pytest.mark.skip("slow")\ndef')
    go = "package a\n\nfunc TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n}\n"
    build = '#if !MONO\n    [Fact]\n#else\n    [Fact(Skip = "files")]\n#endif\n'
    csharp = f"public class A\n{{\n{build}    public void B() {{ }}\n}}\n"
    new, reason, condition, other = await list_facts(
        tmp_path,
        {"tests/test_a.py": test, "tests/test_b.py": skipped},
        {"tests/test_a.py": skipped},
        {"tests/test_b.py": skipped.replace("slow", "still slow")},
        {"a_test.go": go},
        {"tests/ATests.cs": csharp},
    )
    assert new == ['tests/test_a.py: line 4: a test is disabled: @pytest.mark.skip("slow")']
    assert reason == condition == other == []


async def test_untested_code_is_reported_where_there_are_tests(tmp_path):
    tree = {
        "src/hat.py": "HAT = 1\n",
        "tests/test_hat.py": "A = 1\n",
        "web/a.ts": "A\n",
        "src/old.py": f"def f():\n{CODE}",
    }
    doc = 'def f():\n    """Do it.\n\n    Return more.\n{}    """\n'
    tree["src/doc.py"] = doc.format("")
    grown, tested, moved, comments, other, example, docstring, generated, suite, page, view = await list_facts(
        tmp_path,
        tree,
        {"src/hat.py": f"def f():\n{CODE}"},
        {"src/hat.py": f"def f():\n{CODE}", "tests/test_cap.py": "B = 1\n"},
        {"src/hat.py": f"def f():\n{CODE}", "src/old.py": "OLD = 1\n"},
        {"src/hat.py": "# x\n" * 30},
        {"web/a.ts": "const a = 1;\n" * 30},
        {"examples/hat.py": f"def f():\n{CODE}"},
        {"src/doc.py": doc.format(CODE)},
        {"src/hat.py": f"# @generated by a tool\ndef f():\n{CODE}"},
        {"src/hat.py": f"def f():\n{CODE}", "src/suite.py": "def test_hat():\n    pass\n"},
        {"docs-site/hat.py": f"def f():\n{CODE}"},
        {"src/hat.blade.php": "<p>\n</p>\n" * 30},
    )
    assert grown == ["Untested: 30 lines of code more in src/hat.py, and no test was changed."]
    assert tested == moved == comments == other == example == docstring == generated == suite == page == view == []


async def test_data_beside_tests_alone_belongs_to_them(tmp_path):
    tree = {"b/run/c_test.go": "package c\n", "b/b.go": "package b\n", "b/b_test.go": "package b\n"}
    code = "package b\n\n" + "func f() { g() }\n" * 30
    beside, other = await list_facts(
        tmp_path, tree, {"b/b.go": code, "b/run/data/a.txt": "x\n"}, {"b/b.go": code, "b/data/a.txt": "x\n"}
    )
    assert beside == []
    assert other == ["Untested: 30 lines of code more in b/b.go, and no test was changed."]


async def test_a_manifest_of_swift_is_no_code_of_the_product(tmp_path):
    tree = {"Sources/a.swift": "let a = 1\n", "Tests/aTests.swift": "let b = 1\n", "Package.swift": "let p = 1\n"}
    manifest = "let package = Package(\n" + "  a(),\n" * 30 + ")\n"
    assert await list_facts(tmp_path, tree, {"Package@swift-5.5.swift": manifest}) == [[]]


async def test_public_definitions_are_reported_by_the_rules_of_the_language(tmp_path):
    tree = {
        "hat.py": "def f(a, *, b=1):\n    pass\n\n\ndef g():\n    pass\n",
        "_cap.py": "def f(a):\n    pass\n",
        "internal/a.go": "package a\n\nfunc F() {}\n",
        "examples/a.py": "def f(a):\n    pass\n",
        "a.rs": "pub fn f<'a>(a: &'a str) {}\n",
    }
    breaks, fits, private, exported = await list_facts(
        tmp_path,
        tree,
        {"hat.py": tree["hat.py"].replace("def f(a,", "def f(a, c,").replace("def g", "def _g")},
        {
            "hat.py": tree["hat.py"].replace("*, b=1", "*, a2=0, b=1").replace("f(a", "f(a: int"),
            "a.rs": "pub fn f(a: &str) {}\n",
        },
        {"_cap.py": "A = 1\n", "internal/a.go": "package a\n", "examples/a.py": "A = 1\n"},
        {"hat.py": "from _cap import g\n\n\n" + tree["hat.py"].partition("\n\n\n")[0]},
    )
    assert breaks == [
        "hat.py: function g was removed",
        "hat.py: line 1: f was `def f(a, *, b=1)`, is `def f(a, c, *, b=1)`",
    ]
    assert fits == private == exported == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("test_files/a.py", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        ("tests/test_a.py", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        ("docs/a.py", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
        ("a.py", "your-api-key-goes-here-42a"),
        ("a.py", "user_password_reset_v2_form"),
    ],
)
async def test_made_up_secrets_are_masked_and_no_fact(tmp_path, path, text):
    async with village(tmp_path, {"z": "z\n"}) as here:
        found = await here.suggest(here.pull("Change", {path: f'API_KEY = "{text}"\n'}))
    assert [file["focus_points"] for file in found["files"]] == [[]]
    assert text not in str(found)


async def test_a_real_secret_is_a_fact(tmp_path):
    changes = {"a.py": 'API_KEY = "q7Rk2pX9vTz4LmW8sB1c"\nTOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"\n'}
    (found,) = await list_facts(tmp_path, {"z": "z\n"}, changes)
    assert found == ["a.py: line 1: a string looks like a secret", "a.py: line 2: a string looks like a secret"]


async def test_a_marker_of_a_conflict_is_a_fact_beside_its_end_only(tmp_path):
    conflict, quoted = await list_facts(
        tmp_path,
        {"z": "z\n"},
        {"a.py": "<<<<<<< HEAD\nA = 1\n=======\nA = 2\n>>>>>>> other\n"},
        {"a.py": '"""\n<<<<<<< HEAD\n"""\n'},
    )
    assert conflict == ["a.py: line 1: a merge conflict marker"]
    assert quoted == []
