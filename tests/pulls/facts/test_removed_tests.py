"""Which removed tests are facts: by the names of tests in several languages, and by the code that they test."""

import pytest
from village import village

pytestmark = pytest.mark.anyio

DEF = "def test_{}():\n    assert 1\n\n\n"


async def list_facts(tmp_path, tree, *pulls):
    """Return, for each pull request, its facts about tests as `path: text`."""
    found = []
    async with village(tmp_path, {"z": "z\n", **tree}) as here:
        for changes in pulls:
            answer = await here.suggest(here.pull("Change", changes))
            rows = [f"{file['path']}: {point}" for file in answer["files"] for point in file["focus_points"]]
            found.append([row for row in rows if "test" in row.partition(": ")[2]])
    return found


async def test_a_rewritten_test_replaces_no_other(tmp_path):
    """A name on both sides is one test, and not the new name of the removed one."""
    old = "".join(DEF.format(name).replace("1", name) for name in "abc")
    found, moved = await list_facts(
        tmp_path,
        {"tests/test_hat.py": old, "tests/test_cap.py": DEF.format("z")},
        {"tests/test_hat.py": DEF.format("b").replace("1", "b") + DEF.format("a").replace("1", "2")},
        {"tests/test_hat.py": old.partition("def test_c")[0] + DEF.format("z"), "tests/test_cap.py": "A = 1\n"},
    )
    assert found == ["tests/test_hat.py: a test was removed, renamed or merged: test_c"]
    assert moved == ["tests/test_hat.py: a test was removed, renamed or merged: test_c"]


async def test_names_of_tests_are_read_to_their_end(tmp_path):
    go = 'package a\n\nfunc TestA(t *testing.T) {\n\tt.Run("no user", a)\n\tt.Run("no \\"b\\"", b)\n\tc()\n}\n'
    script = 'it("doesn\'t fall", () => {})\nit(\'keeps\', f)\nit(`a "b"`, f)\n'
    kotlin = "class A {\n    @Test\n    fun `a hat is (not) a cap`() {\n        f()\n    }\n}\n"
    goes, scripts, kotlins = await list_facts(
        tmp_path,
        {"a_test.go": go, "a.test.js": script, "test/HatTest.kt": kotlin},
        {"a_test.go": "".join(line for line in go.splitlines(keepends=True) if "no " not in line)},
        {"a.test.js": "it('keeps', f)\n"},
        {"test/HatTest.kt": "class A {\n}\n"},
    )
    assert goes == ['a_test.go: tests were removed: no user, no \\"b\\"']
    assert scripts == ['a.test.js: tests were removed: doesn\'t fall, a "b"']
    assert kotlins == ["test/HatTest.kt: a test was removed: a hat is (not) a cap"]


async def test_two_subtests_that_begin_alike_are_two(tmp_path):
    old = 'package a\n\nfunc TestA(t *testing.T) {\n\tt.Run("no user", a)\n\tt.Run("no name", b)\n}\n'
    (found,) = await list_facts(tmp_path, {"a_test.go": old}, {"a_test.go": old.replace('\tt.Run("no user", a)\n', "")})
    assert found == ["a_test.go: a test was removed: no user"]


async def test_a_method_is_a_test_only_near_a_mark(tmp_path):
    """At most six lines are between, and lines of the other side of the diff do not count."""

    def write(lines):
        between = "".join(f'    @Tag("{number}")\n' for number in range(lines))
        return f"class A {{\n    @Test\n{between}    void a() {{\n    }}\n}}\n"

    tree = {"test/ATest.java": write(6), "test/BTest.java": write(7), "test/CTest.java": "void a() {\n}\nA b;\n"}
    near, far, none = await list_facts(tmp_path, tree, *({path: "A b;\n"} for path in tree))
    assert near == ["test/ATest.java: a test was removed: a"]
    assert far == none == []


async def test_the_tests_of_deleted_code_go_with_it(tmp_path):
    """The code is the nearest file that the test's file is named after; "it" in "Commit" belongs to its name.

    Where code becomes less altogether, nobody knows which tests it had.
    """
    tree = {
        "src/Commit.java": "class Commit {}\n",
        "test/CommitTest.java": "class CommitTest {\n    @Test\n    void a() {\n    }\n}\n",
        "a/utils.py": "A = 1\n",
        "b/utils.py": "B = 1\n",
        "tests/a/test_utils.py": DEF.format("a"),
        "tests/b/test_utils.py": DEF.format("b"),
    }
    java, own, less, other = await list_facts(
        tmp_path,
        tree,
        {"src/Commit.java": None, "test/CommitTest.java": None},
        {"a/utils.py": None, "tests/a/test_utils.py": None},
        {"a/utils.py": None, "tests/b/test_utils.py": None},
        {"a/utils.py": None, "tests/b/test_utils.py": None, "c.py": "C = 1\nD = 2\n"},
    )
    assert java == own == less == []
    assert other == ["tests/b/test_utils.py: a file of tests was deleted: test_b"]


async def test_the_tests_of_a_deleted_module_go_with_it(tmp_path):
    tree = {
        "a/src/main/A.java": "class A {}\n",
        "b/src/main/B.java": "class B {}\n",
        "b/src/main/C.java": "class C {}\n",
    }
    tests = {f"{folder}/src/test/XTest.java": "class X {\n  @Test void a() {}\n}\n" for folder in "ab"}
    gone = dict.fromkeys([*tests, "a/src/main/A.java", "b/src/main/B.java"]) | {"b/src/main/D.java": "class D {}\n" * 3}
    found, copied = await list_facts(
        tmp_path,
        {**tree, **tests, "Godeps/_workspace/a/a_test.go": "package a\n\nfunc TestA(t *testing.T) {\n}\n"},
        gone,
        {"Godeps/_workspace/a/a_test.go": None},
    )
    assert copied == []
    assert found == ["b/src/test/XTest.java: a file of tests was deleted: a"]


async def test_a_test_that_is_awaited_is_a_test(tmp_path):
    old = "test('a', async t => {\n})\n"
    new = "describe('c', async () => {\n  await test('b', async t => {\n  })\n  await t.test('d', f)\n})\n"
    assert await list_facts(tmp_path, {"a.test.js": old}, {"a.test.js": new}) == [[]]


async def test_the_disabled_tests_of_a_file_are_one_fact(tmp_path):
    old = "describe('a', f)\nit('b', f)\nit('c', f)\n"
    ruby = 'it "falls" do\nend\n'
    several, one = await list_facts(
        tmp_path,
        {"a.test.js": old, "spec/a_spec.rb": ruby},
        {"a.test.js": old.replace("describe(", "describe.skip(").replace("it('c", "it.skip('c")},
        {"spec/a_spec.rb": ruby.replace("it ", "xit ")},
    )
    assert several == ["a.test.js: line 1: tests are disabled, the first by: describe.skip('a', f)"]
    assert one == ['spec/a_spec.rb: line 1: a test is disabled: xit "falls" do']


async def test_a_test_whose_code_stays_under_another_name_is_renamed(tmp_path):
    """So it is if its name goes on in a table, or its code in another file."""
    old = DEF.format("a").replace("1", "one()\n    assert two()") + DEF.format("b")
    renamed, tabled, moved = await list_facts(
        tmp_path,
        {"tests/test_hat.py": old, "a.test.js": "it('adds', f)\nit('divides', f)\n"},
        {"tests/test_hat.py": old.replace("test_a", "test_d").partition("def test_b")[0]},
        {"a.test.js": "it.each(['adds', 'divides'])('%s', f)\n"},
        {
            "tests/test_hat.py": DEF.format("b"),
            "tests/test_cap.py": old.partition("\n\n")[0].replace("test_a", "check"),
        },
    )
    assert renamed == ["tests/test_hat.py: a test was removed, renamed or merged: test_b"]
    assert tabled == moved == []


async def test_a_test_whose_code_goes_on_in_the_one_above_is_not_removed(tmp_path):
    """Its brace stands in a line of its own."""
    form = "    public function test{0}(): void\n    {{\n        {0}();\n        {0}(2);\n    }}\n"
    one, two = form.format("A"), form.format("B")
    merged = one.replace("    }\n", "        B();\n        B(2);\n    }\n")
    gone = two.replace("B(", "C(").replace("testC", "testB")
    tree = {
        "tests/ATest.php": f"<?php\nclass ATest\n{{\n{one}{two}}}\n",
        "tests/BTest.php": f"<?php\nclass BTest\n{{\n{gone}}}\n",
    }
    facts = await list_facts(
        tmp_path,
        tree,
        {"tests/ATest.php": f"<?php\nclass ATest\n{{\n{merged}}}\n"},
        {"tests/BTest.php": "<?php\nclass BTest\n{\n}\n"},
    )
    assert facts == [[], ["tests/BTest.php: a test was removed: testB"]]


async def test_a_name_that_another_group_of_the_file_has_still_is_not_removed(tmp_path):
    old = "describe('a', () => {\n  it('is sent', f)\n})\ndescribe('b', () => {\n  it('is sent', g)\n"
    old += "  it('is read', g)\n})\n"
    same, other = await list_facts(
        tmp_path,
        {"a.test.js": old},
        {"a.test.js": old.replace("  it('is sent', f)\n", "")},
        {"a.test.js": old.replace("  it('is read', g)\n", "")},
    )
    assert same == []
    assert other == ["a.test.js: a test was removed: is read"]


async def test_a_function_within_another_one_and_an_empty_one_are_no_tests(tmp_path):
    """An empty one replaces that of a base, which runs again without it."""
    inner = "def learn():\n    def test_function():\n        one()\n\n    return test_function\n\n\n"
    empty = "class TestA(Mixin):\n    def test_a(self):\n        pass\n\n    def test_b(self):\n        one()\n"
    (found,) = await list_facts(
        tmp_path,
        {"tests/test_a.py": inner, "tests/test_b.py": empty},
        {"tests/test_a.py": "A = 1\n", "tests/test_b.py": "B = 1\n"},
    )
    assert found == ["tests/test_b.py: a test was removed: test_b"]


async def test_a_test_that_another_changed_file_has_already_is_not_removed(tmp_path):
    tree = {"tests/test_a.py": DEF.format("a"), "tests/test_b.py": DEF.format("a").replace("1", "2")}
    changes = {"tests/test_a.py": "A = 1\n", "tests/test_b.py": f"{tree['tests/test_b.py']}B = 1\n"}
    assert await list_facts(tmp_path, tree, changes) == [[]]


async def test_a_function_of_swift_with_parameters_or_a_result_is_no_test(tmp_path):
    helper = "    func testsByID(_ tests: [A]) -> [A] {\n    }\n"
    old = "struct A {\n" + helper + "    static func testAll() {\n    }\n    func testing() {\n    }\n}\n"
    assert await list_facts(tmp_path, {"Tests/A.swift": old}, {"Tests/A.swift": "struct A {\n}\n"}) == [[]]


async def test_a_test_of_xctest_may_lose_its_prefix(tmp_path):
    old = "class ATests: XCTestCase {\n    func testFalls() {\n        f()\n    }\n}\n"
    new = "struct ATests {\n    @Test func falls() {\n        #expect(g())\n    }\n}\n"
    assert await list_facts(tmp_path, {"Tests/ATests.swift": old}, {"Tests/ATests.swift": new}) == [[]]


async def test_where_many_tests_are_disabled_another_one_is_a_custom(tmp_path):
    """They may need something, and run with it."""
    test = "#[test]\n#[ignore]\nfn {}() {{\n    f();\n}}\n\n"
    many, few = ("".join(map(test.format, names)) for names in ("abcde", "ab"))
    custom, new = await list_facts(
        tmp_path,
        {"tests/a.rs": many, "tests/b.rs": few},
        {"tests/a.rs": many + test.format("z")},
        {"tests/b.rs": few + test.format("z")},
    )
    assert custom == []
    assert new == ["tests/b.rs: line 14: a test is disabled: #[ignore]"]


CONDITIONS = {
    "tests/test_a.py": (
        "def test_a():\n    pass\n",
        '@pytest.mark.xfail(\n    sys.platform == "win32",\n    reason="b",\n)\n',
    ),
    "e2e/a.spec.ts": (
        "test('a', async () => {})\n",
        "test.skip(\n  project.name !== 'chromium',\n  'once is enough',\n)\n",
    ),
}


@pytest.mark.parametrize("path", CONDITIONS)
async def test_a_test_that_is_disabled_under_a_condition_runs_elsewhere(tmp_path, path):
    test, mark = CONDITIONS[path]
    always = mark.replace('  sys.platform == "win32",\n', "").replace("project.name !== ", "")
    found, disabled = await list_facts(tmp_path, {path: test}, {path: mark + test}, {path: always + test})
    assert found == []
    assert len(disabled) == 1


async def test_new_files_of_tests_may_have_the_removed_ones(tmp_path):
    old = "it('a', f)\nit('b', f)\n"
    facts = await list_facts(
        tmp_path, {"a.test.js": old}, {"a.test.js": None, "a.spec.ts": "it('does c', g)\nit('does d', g)\n"}
    )
    assert facts == [[]]


async def test_a_test_that_is_expected_to_fail_is_not_disabled(tmp_path):
    old = "def test_a():\n    assert 1\n"
    expected, both, comment, build = await list_facts(
        tmp_path,
        {"tests/test_a.py": old, "tests/ATests.cs": "class A {\n    [Fact]\n    void B() {}\n}\n"},
        {"tests/test_a.py": f"@pytest.mark.xfail\n{old}"},
        {"tests/test_a.py": f"@pytest.mark.xfail\n{old}@pytest.mark.skip\n{old.replace('_a', '_b')}"},
        {"tests/test_a.py": f"# not @pytest.mark.skip\n{old}"},
        {"tests/ATests.cs": 'class A {\n#if MONO\n    [Trait]\n    [Fact(Skip = "x")]\n#endif\n    void B() {}\n}\n'},
    )
    assert expected == ["tests/test_a.py: line 1: a test is expected to fail: @pytest.mark.xfail"]
    assert both == ["tests/test_a.py: line 1: tests are disabled or expected to fail, the first by: @pytest.mark.xfail"]
    assert comment == build == []


async def test_a_mark_in_the_line_of_a_test_is_its_own(tmp_path):
    """A method within does not get it."""
    java = "class A {\n    @Test public void a() {\n        new B() {\n    public void b() {}\n        };\n    }\n}\n"
    csharp = "class A {\n    [Fact] public void C() { }\n    public void D() { }\n}\n"
    (found,) = await list_facts(
        tmp_path,
        {"test/ATest.java": java, "test/ATests.cs": csharp},
        {"test/ATest.java": "class A {\n}\n", "test/ATests.cs": "class A {\n}\n"},
    )
    assert found == ["test/ATest.java: a test was removed: a", "test/ATests.cs: a test was removed: C"]


async def test_a_deleted_file_of_tests_may_be_rewritten_beside_it(tmp_path):
    old = "".join(map(DEF.format, "abc"))
    beside, other = await list_facts(
        tmp_path,
        {"tests/test_hat.py": old},
        {"tests/test_hat.py": None, "tests/test_hats.py": DEF.format("d").replace("1", "9")},
        {"tests/test_hat.py": None, "tests/b/test_cap.py": DEF.format("d").replace("1", "9")},
    )
    assert beside == []
    assert other == ["tests/test_hat.py: a file of tests was deleted: test_a, test_b, test_c"]


async def test_the_added_tests_are_those_of_the_file(tmp_path):
    old = "it('a', f)\nit('b', f)\nit('c', f)\n"
    other = {"b/other.test.js": "it('e', g)\n"}
    own, elsewhere = await list_facts(
        tmp_path,
        {"a.test.js": old},
        {"a.test.js": "it('d', f)\n", **other},
        {"a.test.js": "it('a', f)\n", **other},
    )
    assert own == ["a.test.js: tests were removed, renamed or merged: a, b, c"]
    assert elsewhere == ["a.test.js: tests were removed, renamed or merged: b, c"]


async def test_tests_of_xctest_and_phpunit_are_tests(tmp_path):
    """A test that is ported to one of them is not removed. Helpers of Go and fixtures do not count."""
    swift = "class A: XCTestCase {\n    func testB() {\n        f()\n    }\n}\n"
    php = "<?php\nclass ATest\n{\n    public function testB()\n    {\n    }\n}\n"
    tree = {"ATests/ATests.swift": swift, "tests/ATest.php": php, "ATests/BTests.swift": 'it("does b") {\n}\n'}
    tree |= {"a_test.go": "package a\n\nfunc testB() {\n}\n", "test/fixtures/a.test.js": "it('a', f)\n"}
    tree |= {"tests/_files/ATest.php": php}
    gone, ported = await list_facts(
        tmp_path,
        tree,
        {path: "A\n" for path in tree if path != "ATests/BTests.swift"},
        {"ATests/BTests.swift": swift},
    )
    assert sorted(gone) == [
        "ATests/ATests.swift: a test was removed: testB",
        "tests/ATest.php: a test was removed: testB",
    ]
    assert ported == []


async def test_a_marked_method_of_php_is_a_test(tmp_path):
    """With a mark, a test needs no prefix: one that gets a mark instead has another name, and is not removed."""
    named = "<?php\nclass ATest\n{\n    public function testB(): void\n    {\n    }\n}\n"
    marked = named.replace("    public function testB", "    #[Test]\n    public function b")
    documented = named.replace("    public function testB", "    /** @test */\n    public function b")
    found = await list_facts(
        tmp_path,
        {"tests/ATest.php": named, "tests/BTest.php": marked, "tests/CTest.php": documented},
        {"tests/ATest.php": marked},
        {"tests/ATest.php": documented},
        {"tests/BTest.php": "<?php\n"},
        {"tests/CTest.php": "<?php\n"},
    )
    assert found == [[], [], ["tests/BTest.php: a test was removed: b"], ["tests/CTest.php: a test was removed: b"]]


CASES = {
    "tests/a.rs": ("#[test]\nfn {}() {{\n    f();\n}}\n\n", "#[test]\n#[case(1)]\nfn c(#[case] a: u8) {\n}\n"),
    "tests/test_a.py": (DEF, '@pytest.mark.parametrize("a", [1, 2])\ndef test_c(a):\n    assert a\n'),
    "a.test.js": ("it('{}', f)\n", "it.each([1, 2])('c %s', f)\n"),
}


@pytest.mark.parametrize("path", CASES)
async def test_a_removed_test_may_be_a_case_of_another_one(tmp_path, path):
    form, cases = CASES[path]
    old = form.format("a") + form.format("b")
    changed, removed = await list_facts(tmp_path, {path: old + cases}, {path: cases + cases}, {path: cases})
    assert changed == []
    assert len(removed) == 1


async def test_the_tests_of_a_removed_definition_go_with_it(tmp_path):
    """In a file that loses more definitions than it gains: else it may have another name. Where code becomes less, the
    other removed tests of the file are about it as well.
    """
    code = "def halve(a):\n    return a // 2\n\n\ndef double(a):\n    return a * 2\n\n\n"
    one, other = (DEF.format(name).replace("1", f"{name}(1)") for name in ("halve", "double"))
    tree = {"src/hat.py": code, "tests/test_all.py": one + other + "A = 1\n"}
    less = code.partition("def double")[0]
    gone, both, renamed, grown = await list_facts(
        tmp_path,
        tree,
        {"src/hat.py": less, "tests/test_all.py": one + "A = 1\n"},
        {"src/hat.py": less, "tests/test_all.py": "A = 1\n"},
        {"src/hat.py": code.replace("double", "twice"), "tests/test_all.py": one + "A = 1\n"},
        {"src/hat.py": less + "A = 2\n" * 9, "tests/test_all.py": "A = 1\n"},
    )
    assert gone == both == []
    assert renamed == ["tests/test_all.py: a test was removed: test_double"]
    assert grown == ["tests/test_all.py: a test was removed: test_halve"]


async def test_the_tests_of_a_setting_go_with_it(tmp_path):
    """A shorter file has its name nowhere anymore."""
    settings = "class Config\n  preference :mails_from, default: 1\n  preference :mails_to, default: 1\nend\n"
    test = "it 'sends' do\n  expect(Config.{}).to be 1\nend\n"
    tree = {"lib/config.rb": settings, "spec/config_spec.rb": test.format("mails_to") + test.format("mails_from")}
    tree["spec/config_spec.rb"] = tree["spec/config_spec.rb"].replace("'sends'", "'sends to'", 1)
    kept = {"spec/config_spec.rb": tree["spec/config_spec.rb"].partition("it 'sends' do")[0]}
    gone, alone = await list_facts(
        tmp_path, tree, {**kept, "lib/config.rb": settings.replace("  preference :mails_from, default: 1\n", "")}, kept
    )
    assert gone == []
    assert alone == ["spec/config_spec.rb: a test was removed: sends"]
