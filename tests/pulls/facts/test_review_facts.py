"""Which facts a diff has, and which look-alikes have none: pairs of pull requests, asked for by the tool."""

import pytest
from village import list_facts, village

pytestmark = pytest.mark.anyio

CODE = "".join(f"    x{number} = {number}\n" for number in range(30))
WORKFLOW = ".github/workflows/ci.yml"


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


async def test_a_permission_that_a_workflow_had_anywhere_is_not_gained(tmp_path):
    """It may move to another job or workflow, and without a block the repository's default applied."""
    other = ".github/workflows/docs.yml"
    jobs = "jobs:\n  a:\n    steps: []\n" + "# filler\n" * 9
    job = "  b:\n    permissions:\n      contents: write\n"
    old, bare = f"permissions: {{}}\n{jobs}{job}", ".github/workflows/bare.yml"
    moved, again, unlimited, partly, new = await list_facts(
        tmp_path,
        {WORKFLOW: old, bare: jobs},
        {WORKFLOW: f"permissions: {{}}\n{jobs}", other: old},
        {WORKFLOW: old.replace("{}", "\n  contents: write")},
        {bare: f"permissions:\n  contents: write\n  id-token: write\n{jobs}"},
        {WORKFLOW: jobs + job},
        {other: old},
    )
    assert moved == again == partly == []
    assert unlimited == [f"{bare}: line 3: the workflow gains permissions: id-token: write"]
    assert new == [f"{other}: line 16: the new workflow has permissions: contents: write"]


async def test_comments_with_a_marker_are_quoted(tmp_path):
    tree = {"a.py": "A = 1\n# TODO: move\n", "b.py": "B = 1\n"}
    new, text, moved, prose, empty, within, code = await list_facts(
        tmp_path,
        tree,
        {"a.py": tree["a.py"] + "C = 2  # FIXME(ada): halve it\n"},
        {"a.py": tree["a.py"] + 'C = "TODO"\nD = """a # TODO-list"""\n'},
        {"a.py": "A = 1\n", "b.py": "B = 1\n# TODO: move\n"},
        {"c.md": "# TODO\n"},
        {"a.py": tree["a.py"] + "C = 2  # FIXME:\n"},
        {"a.ts": "f(1 /* TODO: halve it */, 2)\n"},
        {"a.ts": "f(1 /* TODO , 'inc' */)\n"},
    )
    assert within == ["a.ts: line 1: a comment says: TODO: halve it"]
    assert new == ["a.py: line 3: a comment says: FIXME(ada): halve it"]
    assert text == moved == prose == empty == code == []


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


async def test_a_table_that_another_step_of_the_diff_creates_is_new(tmp_path):
    steps = {
        "db/migrations/001_a.up.sql": "CREATE TABLE hats (id int);\n",
        "db/migrations/001_a.down.sql": "DROP TABLE hats;\n",
    }
    alter = "ALTER TABLE hats ADD COLUMN size int;\n"
    later = {
        "db/migrations/002_b.up.sql": alter,
        "db/migrations/002_b.down.sql": "ALTER TABLE hats DROP COLUMN size;\n",
    }
    together, alone = await list_facts(tmp_path, {"z": "z\n"}, steps | later, later)
    assert together == []
    assert len(alone) == 1


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
    assert gone == ["tests/test_hat.py: a test was removed: test_b"]
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
    assert grown == ["Untested: at least 20 lines of code more in src/hat.py, and no test was changed."]
    assert tested == moved == comments == other == example == docstring == generated == suite == page == view == []


async def test_an_example_in_the_documentation_of_rust_is_a_test(tmp_path):
    tree = {"src/a.rs": "fn a() {}\n", "tests/a.rs": "fn b() {}\n"}
    code = "fn c() {\n" + "    a();\n" * 30 + "}\n"
    plain, example = await list_facts(tmp_path, tree, {"src/a.rs": code}, {"src/a.rs": f"/// ```\n/// c();\n{code}"})
    assert plain == ["Untested: at least 20 lines of code more in src/a.rs, and no test was changed."]
    assert example == []


async def test_lines_behind_the_beginning_of_the_tests_of_a_file_of_rust_are_tests(tmp_path):
    """No line of the diff may show that they belong to them."""
    code = "fn a() {\n" + "    f();\n" * 40 + "}\n"
    module = "\n" * 9 + "#[cfg(test)]\n#[rustfmt::skip]\nmod checks {\n" + "    a();\n" * 9 + "}\n"
    tree = {"src/a.rs": f"fn a() {{}}\n{module}", "tests/a.rs": "fn b() {}\n"}
    tested, untested = await list_facts(
        tmp_path, tree, {"src/a.rs": code + module.replace("}", "    b();\n}")}, {"src/a.rs": code + module}
    )
    assert tested == []
    assert untested == ["Untested: at least 20 lines of code more in src/a.rs, and no test was changed."]


@pytest.mark.parametrize(
    "mark", ["    [Test]\n", "    [Fact]\n", "    @Test\n", "TEST_F(Hat, Falls) {\n", 'TEST_CASE("hat") {\n']
)
async def test_a_mark_of_a_test_shows_tests_wherever_they_are(tmp_path, mark):
    tree = {"src/A.cs": "class A {}\n", "tests/ATests.cs": "class B {}\n"}
    code = "class A {\n" + "  f();\n" * 40 + "}\n"
    plain, marked = await list_facts(tmp_path, tree, {"src/A.cs": code}, {"src/A.cs": mark + code})
    assert (len(plain), marked) == (1, [])


async def test_the_lines_of_files_that_shrink_do_not_count(tmp_path):
    """They reduce the whole, but the text is about the files that grow."""
    tree = {"src/a.py": "".join(f"a = {number}\n" for number in range(9)), "tests/test_a.py": "A = 1\n"}
    small, large = ("".join(f"{name} = {number}\n" for number in range(count)) for name, count in (("b", 9), ("c", 40)))
    one, several, compensated = await list_facts(
        tmp_path,
        tree,
        {"src/a.py": "a = 0\n", "src/c.py": large},
        {"src/b.py": small, "src/c.py": large},
        {"src/a.py": "a = 0\n", "src/b.py": small},
    )
    assert one == ["Untested: at least 20 lines of code more in src/c.py, and no test was changed."]
    assert several == ["Untested: at least 30 lines of code more in src/c.py and others, and no test was changed."]
    assert compensated == []


async def test_of_lines_that_move_between_files_the_least_number_is_told(tmp_path):
    """A file that gives lines away does not grow."""
    moved, new = ("".join(f"{name} = {number}\n" for number in range(count)) for name, count in (("m", 40), ("n", 30)))
    tree = {"src/a.py": moved, "src/b.py": "B = 1\n", "src/c.py": "C = 1\n", "tests/test_a.py": "A = 1\n"}
    grows, largest = await list_facts(
        tmp_path,
        tree,
        {"src/a.py": "M = 1\n", "src/b.py": "B = 1\n" + moved, "src/c.py": "C = 1\n" + new},
        {"src/a.py": "M = 1\n", "src/b.py": f"B = 1\nb = 2\n{moved}", "src/c.py": "C = 1\n" + new},
    )
    assert grows == ["Untested: at least 20 lines of code more in src/c.py, and no test was changed."]
    assert largest == ["Untested: at least 20 lines of code more in src/c.py and others, and no test was changed."]


async def test_code_that_is_rewritten_shorter_or_divided_into_other_lines_does_not_grow(tmp_path):
    """The files that replace longer ones grow, but there is less to test. The same code in other lines is not new."""
    old, new = ("".join(f"{name} = {number}\n" for number in range(count)) for name, count in (("m", 50), ("n", 40)))
    wide = "".join(f"f{number}(one, two, three)\n" for number in range(9))
    divided = wide.replace("(", "(\n    ").replace(", ", ",\n    ").replace(")", ",\n)")
    tree = {"src/a.py": old, "src/b.py": "B = 1\n", "src/c.py": wide, "tests/test_a.py": "A = 1\n"}
    tools = {"src/perf-test-utils/a.py": new, "src/HatPerformanceTester/a.py": new}
    facts = await list_facts(
        tmp_path, tree, {"src/a.py": None, "src/b.py": f"B = 1\n{new}"}, {"src/c.py": divided}, tools
    )
    assert facts == [[], [], []]


async def test_files_that_tests_expect_or_use_are_tests(tmp_path):
    tree = {"src/a.ts": "A\n", "spec/a.js": "B\n"}
    code = {"src/a.ts": "const a = 1;\n" * 31}
    others = [{"src/a.snap": "A\n"}, {"a.tests.ts": "A\n"}, {"src/fixtures/a.json": "1\n"}, {"src/latest.json": "1\n"}]
    *like, other = await list_facts(tmp_path, tree, *({**code, **one} for one in others))
    assert like == [[], [], []]
    assert other == ["Untested: at least 20 lines of code more in src/a.ts, and no test was changed."]


async def test_data_beside_tests_alone_belongs_to_them(tmp_path):
    tree = {"b/run/c_test.go": "package c\n", "b/b.go": "package b\n", "b/b_test.go": "package b\n"}
    code = "package b\n\n" + "func f() { g() }\n" * 30
    beside, other = await list_facts(
        tmp_path, tree, {"b/b.go": code, "b/run/data/a.txt": "x\n"}, {"b/b.go": code, "b/data/a.txt": "x\n"}
    )
    assert beside == []
    assert other == ["Untested: at least 20 lines of code more in b/b.go, and no test was changed."]


async def test_a_manifest_of_swift_is_no_code_of_the_product(tmp_path):
    tree = {"Sources/a.swift": "let a = 1\n", "Tests/aTests.swift": "let b = 1\n", "Package.swift": "let p = 1\n"}
    manifest = "let package = Package(\n" + "  a(),\n" * 30 + ")\n"
    assert await list_facts(tmp_path, tree, {"Package@swift-5.5.swift": manifest}) == [[]]


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


@pytest.mark.parametrize(
    ("title", "told"),
    [
        ("Use the new one", {"package.json", "a.py"}),
        ("Build with @acme/fast-build", {"a.py"}),
        ("Make a fast server", {"package.json", "a.py"}),
        ("Remove find_hat", {"package.json"}),
        ("Drop the finding of hats", {"package.json"}),
        ("Find hats faster", {"package.json", "a.py"}),
        ("Remove a function", {"package.json", "a.py"}),
        ('Revert "Find hats with other words"', {"package.json"}),
        ("Reverting to an older server is possible", {"package.json", "a.py"}),
    ],
)
async def test_what_a_title_names_or_reverts_is_not_pointed_at(tmp_path, title, told):
    """A title that says that something goes may name a part of it. A revert may well add a dependency again."""
    manifest = '{\n  "dependencies": {\n    "one": "^1.0.0"\n  }\n}\n'
    tree = {"package.json": manifest, "a.py": "def find_hat():\n    pass\n"}
    changes = {"package.json": manifest.replace('"one"', '"@acme/fast-build": "^3.1.0",\n    "one"'), "a.py": "A = 1\n"}
    async with village(tmp_path, tree) as here:
        answer = await here.suggest(here.pull(title, changes))
    assert {file["path"] for file in answer["files"] if file["focus_points"]} == told


@pytest.mark.parametrize(
    ("title", "path", "old", "new"),
    [
        ("Skip test_a on Windows", "tests/test_a.py", "def test_a():\n", "@pytest.mark.skip\ndef test_a():\n"),
        ("Sort the TODOs", "src/a.py", "A = 1\n", "A = 1  # TODO: sort it\n"),
        ("Remove deprecated code", "src/a.py", "def find():\n    pass\n", "A = 1\n"),
        ("Remove the helmets package", "helmets/a.go", "package helmets\n\nfunc Do() {}\n", "package helmets\n"),
        ("Remove the tests of helmets", "tests/test_a.py", "def test_helmet():\n    do()\n", "A = 1\n"),
    ],
)
async def test_a_title_may_tell_what_happens_to_tests_and_comments(tmp_path, title, path, old, new):
    async with village(tmp_path, {path: old}) as here:
        answers = [await here.suggest(here.pull(name, {path: new})) for name in ("Change", title)]
    assert [len(answer["files"][0]["focus_points"]) for answer in answers] == [1, 0]


@pytest.mark.parametrize(("title", "is_told"), [("Change", False), ("Refactor hats", True), ("Add a reformer", False)])
async def test_a_title_may_tell_that_no_test_is_needed(tmp_path, title, is_told):
    async with village(tmp_path, {"src/a.py": "A = 1\n", "tests/test_a.py": "B = 1\n"}) as here:
        answer = await here.suggest(here.pull(title, {"src/a.py": f"def f():\n{CODE}"}))
    assert (answer["review_checklist"] == []) is is_told


async def test_a_title_does_not_lower_the_risk(tmp_path):
    """Its words come from outside."""
    async with village(tmp_path, {"a.py": "def find_hat():\n    pass\n"}) as here:
        pulls = [here.pull(title, {"a.py": "A = 1\n"}) for title in ("Change", "Remove find_hat", "Revert it")]
        files = [(await here.suggest(pull))["files"][0]["risk_score"] for pull in pulls]
        scores = [(await here.impact(pull))["risk_score"] for pull in pulls]
    assert files == scores == [2, 2, 2]


async def test_a_comment_that_the_file_has_already_is_a_copy(tmp_path):
    tree = {"src/a.py": "# TODO: halve it\nA = 1\n"}
    copied, other = await list_facts(
        tmp_path,
        tree,
        {"src/a.py": f"{tree['src/a.py']}# TODO: halve it\nB = 1\n"},
        {"src/a.py": f"{tree['src/a.py']}# TODO: double it\nB = 1\n"},
    )
    assert copied == []
    assert other == ["src/a.py: line 3: a comment says: TODO: double it"]


async def test_a_line_of_a_string_of_python_is_no_comment(tmp_path):
    """Its quotes may be far above."""
    text = 'def f():\n    """Convert it.\n' + "\n    More.\n" * 9
    tree = {"src/a.py": f'{text}    """\n    return 1\n'}
    inside = tree["src/a.py"].replace('    """\n', '    # TODO: convert it\n    """\n')
    code = tree["src/a.py"].replace("return", "# TODO: convert it\n    return")
    facts = await list_facts(tmp_path, tree, {"src/a.py": inside}, {"src/a.py": code})
    assert facts == [[], ["src/a.py: line 22: a comment says: TODO: convert it"]]


async def test_a_long_comment_is_cut_without_a_length(tmp_path):
    """It may go on behind what was read."""
    (found,) = await list_facts(tmp_path, {"z": "z\n"}, {"src/a.py": f"# TODO: {'many words ' * 20}\n# and more\n"})
    assert found[0].startswith("src/a.py: line 1: a comment says: TODO: many words")
    assert found[0].endswith("…")


@pytest.mark.parametrize(
    "after", ["/* eslint-disable import/first */", "// eslint-disable-next-line import/first", "/// Counts them."]
)
async def test_a_comment_does_not_go_on_in_another_one(tmp_path, after):
    (found,) = await list_facts(tmp_path, {"z": "z\n"}, {"src/a.js": f"// TODO: remove it\n{after}\nf();\n"})
    assert found == ["src/a.js: line 1: a comment says: TODO: remove it"]


async def test_a_comment_goes_on_within_its_block(tmp_path):
    (found,) = await list_facts(
        tmp_path, {"z": "z\n"}, {"src/a.js": "/* TODO: remove it\n * with all others. */\nf();\n"}
    )
    assert found == ["src/a.js: line 1: a comment says: TODO: remove it with all others."]


async def test_a_comment_ends_where_documentation_begins(tmp_path):
    rust = "// TODO: move it\n/// Counts all hats.\nfn a() {}\n"
    documented = "/// TODO: move it\n/// to the other one.\nfn a() {}\n"
    facts = await list_facts(tmp_path, {"z": "z\n"}, {"src/a.rs": rust}, {"src/a.rs": documented})
    assert facts == [
        ["src/a.rs: line 1: a comment says: TODO: move it"],
        ["src/a.rs: line 1: a comment says: TODO: move it to the other one."],
    ]


async def test_a_comment_of_scripts_and_one_with_another_marker_are_no_facts(tmp_path):
    tree = {"src/a.py": "# TODO: dead hats?\n", "src/b.py": "B = 1\n", "benchmarks/b.py": "B = 1\n"}
    renamed, script, product = await list_facts(
        tmp_path,
        tree,
        {"src/a.py": "# FIXME: dead hats?\n"},
        {"benchmarks/b.py": "# TODO: be quicker\n"},
        {"src/b.py": "# TODO: be quicker\n"},
    )
    assert renamed == script == []
    assert product == ["src/b.py: line 1: a comment says: TODO: be quicker"]
