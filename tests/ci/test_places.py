"""Files of other machines and of packages are those of the repository, as far as its list of files says which."""

import pytest
from ci_play import ANVIL, BRANCH, ci_play

from stithy_ci.failing.repository_paths import is_elsewhere
from stithy_core.spi import Listing, NotFound

pytestmark = pytest.mark.anyio

SUREFIRE = """[INFO] Running org.x.HornTest
[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in org.x.HornTest
[ERROR] org.x.HornTest.rings -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <1> but was: <2>
\tat org.x.HornTest.rings(HornTest.java:7)

[INFO] Results:
[ERROR] Failures:
[ERROR]   HornTest.rings:7 expected: <1> but was: <2>
[INFO]
[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0
"""
PACKAGED, WHOLE = "org/x/HornTest.java", "horn/src/test/java/org/x/HornTest.java"


async def path_in(folder, *files, log=SUREFIRE, **fields):
    async with ci_play(folder) as at:
        at.world.add_commit(ANVIL, BRANCH, "Add tests", dict.fromkeys(files, ""))
        for name, value in fields.items():
            setattr(at.forge.changes, name, value)
        at.run(unit=log)
        (entry,) = (await at.find())["failures"]
    return entry["file_path"], entry["line_number"]


async def test_a_class_in_its_package_is_a_file_of_the_repository(tmp_path):
    assert await path_in(tmp_path, WHOLE, "other/HornTest.java") == (WHOLE, 7)


async def test_an_ambiguous_path_stays_unchanged(tmp_path):
    assert await path_in(tmp_path, WHOLE, WHOLE.replace("horn/", "anvil/")) == (PACKAGED, 7)


async def test_a_repository_without_the_file_changes_nothing(tmp_path):
    assert await path_in(tmp_path, "README") == (PACKAGED, 7)


async def test_a_path_of_another_machine_is_mapped(tmp_path):
    log = "/opt/ci/anvil/src/a.c:3:1: error: 'x' undeclared (first use in this function)\nmake: *** [a.o] Error 1\n"
    assert await path_in(tmp_path, "src/a.c", "lib/a.c", log=log) == ("src/a.c", 3)


async def test_a_list_that_cannot_be_had_or_is_cut_changes_nothing(tmp_path):
    async def absent(*_):
        raise NotFound("this commit does not exist")

    async def some(*_):
        return Listing((WHOLE,), total=None, cut="there are more")

    for number, tree in enumerate((absent, some)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert await path_in(folder, WHOLE, tree=tree) == (PACKAGED, 7)


async def test_it_is_asked_for_once_and_only_where_a_path_needs_it(tmp_path):
    asked = []
    async with ci_play(tmp_path) as at:

        async def tree(_, commit):
            asked.append(commit)
            return Listing((WHOLE,))

        at.forge.changes.tree = tree
        at.run(unit="FAILED tests/test_a.py::test_a - assert 0\n=== 1 failed in 0.1s ===\n")
        await at.find()
        assert asked == []
        at.run(name="java", unit=SUREFIRE)
        await at.find()
        await at.find()
    assert len(asked) == 1


@pytest.mark.parametrize("path", ["/x/a.py", "C:\\x\\a.cs", "org/x/T.java", "T.scala", "T.cs", "../a.py"])
def test_paths_that_are_none_of_the_repository(path):
    assert is_elsewhere(path)


@pytest.mark.parametrize("path", ["", "a.py", "src/a.test.js", "Tests/A.cs", "t.rb"])
def test_paths_that_may_be(path):
    assert not is_elsewhere(path)
