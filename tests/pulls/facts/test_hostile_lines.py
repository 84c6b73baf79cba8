"""Lines that are written to keep a regular expression busy: each took minutes or hours, and takes a moment."""

import pytest
from village import village

pytestmark = pytest.mark.anyio

LONG = 4_000
HEAD = "from alembic import op\n\n\n"
LINES = {
    "comments of comments": ("a.js", f"{'// ' * LONG}\n" * 40),
    "the beginning of a method": ("test/ATest.kt", f"@Test\nfun{' ' * LONG}"),
    "an indented line of a workflow": (".github/workflows/ci.yml", " " * LONG),
    "blank lines of go.mod": ("go.mod", "\n" * 40_000 + "x"),
    "a call with many arguments": ("m/migrations/0001_a.py", "migrations.Migration\nRunPython(" + ",\n" * 100_000),
    "tests of one class": ("tests/test_a.py", "class TestA:\n" + "    def test_a(self):\n" * 40_000),
    "a long name of a table": ("db/migrate/20260101000000_a.rb", f"create{'table' * 200_000}"),
    "a downgrade without an end": ("migrations/versions/a.py", f"{HEAD}def downgrade():{chr(10) * 40_000}x"),
}


@pytest.mark.parametrize("case", LINES)
async def test_a_hostile_line_takes_no_long_time(tmp_path, case):
    path, text = LINES[case]
    async with village(tmp_path, {"z": "z\n"}) as here:
        found = await here.suggest(here.pull("Change", {path: text + "\n"}))
    assert [file["path"] for file in found["files"]] == [path]


async def test_a_trailing_comma_after_many_is_compared(tmp_path):
    async with village(tmp_path, {"a.js": "export function f([a]) {}\n"}) as here:
        found = await here.suggest(here.pull("Change", {"a.js": f"export function f([{',' * 60_000}a]) {{}}\n"}))
    assert [file["path"] for file in found["files"]] == ["a.js"]


async def test_the_beginning_of_tests_is_searched_in_hostile_code(tmp_path):
    """Attributes alone, each of which may be the first one of a module of tests."""
    tree = {"src/a.rs": "fn a() {}\n", "tests/a.rs": "fn b() {}\n"}
    async with village(tmp_path, tree) as here:
        found = await here.suggest(here.pull("Change", {"src/a.rs": "fn a() {}\n" + "#[cfg(test)\n" * 24_000}))
    assert [file["path"] for file in found["files"]] == ["src/a.rs"]


async def test_a_hostile_version_is_compared_with_the_title(tmp_path):
    manifest = '{{"dependencies": {{"one": "{}"}}}}\n'
    async with village(tmp_path, {"package.json": manifest.format("^1.0.0")}) as here:
        found = await here.suggest(here.pull("Use one 2", {"package.json": manifest.format("2" + "=" * 100_000)}))
    assert [file["path"] for file in found["files"]] == ["package.json"]


REMOVED = {
    "blank lines of Python": ("a.py", "class A:\n    def lost(self):\n        pass\n", "\n" * 90_000),
    "blank lines of PHP": ("a.php", "<?php\nclass A {\n  public function lost() {}\n}\n", "\n" * 90_000),
}


@pytest.mark.parametrize("case", REMOVED)
async def test_a_name_that_goes_from_a_hostile_file_is_compared(tmp_path, case):
    path, text, run = REMOVED[case]
    kept = "".join(line for line in text.splitlines(keepends=True) if "ost()" not in line and "lost(self)" not in line)
    async with village(tmp_path, {path: text}) as here:
        found = await here.suggest(here.pull("Change", {path: kept + run}))
    assert [file["path"] for file in found["files"]] == [path]


INDEXES = {
    "blanks": f"export{' ' * LONG}" * 40 + f"import{' ' * 60_000}",
    "open braces": "export { a, " * 15_000,
    "one open brace": "export {" + "import export type " * 9_000,
    "open comments": "/*" * 90_000,
    "open strings": "export * from './a\n" * 9_000,
    "objects": "module.exports = { a: " * 8_000,
}


@pytest.mark.parametrize("case", INDEXES)
async def test_a_hostile_index_is_read_in_time(tmp_path, case):
    tree = {"package.json": '{"version": "1.0.0"}', "index.js": f"{INDEXES[case]}\n"}
    async with village(tmp_path, {**tree, "a.js": "export function f() {}\n"}) as here:
        found = await here.suggest(here.pull("Change", {"a.js": "// none\n"}))
    assert [(file["path"], file["focus_points"]) for file in found["files"]] == [("a.js", [])]
