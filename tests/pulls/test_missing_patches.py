"""Files whose lines the forge leaves out, and git is not there to read: what kind of file each counts as."""

import pytest

from stithy_testing import connect

pytestmark = pytest.mark.anyio


def row(name, status, additions=0, deletions=0, **fields):
    counts = {"additions": additions, "deletions": deletions, "changes": additions + deletions}
    return {"filename": name, "status": status, **counts, **fields}


@pytest.mark.parametrize(
    ("file", "is_binary"),
    [
        (row("a.py", "changed"), True),
        (row("a.py", "changed", additions=2), False),
        (row("a.py", "changed", deletions=2), False),
        (row("a.py", "renamed", previous_filename="b.py"), False),
    ],
    ids=["nothing counted", "added", "removed", "renamed"],
)
async def test_a_file_without_a_patch_is_binary_if_nothing_is_counted(shop, served, app_of, file, is_binary):
    """A forge counts no line of a binary file. A renamed file may have none because its lines are the same."""
    shop.commit("Begin", {"a.py": "A = 1\n"})
    shop.branch("work")
    shop.commit("Change", {"a.py": "A = 2\n"})
    pr = shop.pull(1, "work")
    served.more |= {"/pulls/1/files": [file], "/pulls/1.diff": "", "/pulls/1/commits": []}
    async with connect(app_of(served, '[pulls]\ngit = ""\n')) as client:
        result = await client.call_tool("get_review_suggestions", {"pr": pr})
    assert not result.is_error, result.content[0].text
    (found,) = result.structured_content["files"]
    assert any("not read" in point for point in found["focus_points"]) is not is_binary
