"""GitHub's API alone, without git: its double answers, or what it answered once."""

import pytest
from github_double.stage import recording_of, serving
from github_double.world import World

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PROGRAM = "".join(f"print({number})\n" for number in range(1, 31))
PR = "smith/hello#1"


@pytest.fixture
def world():
    """A repository with a pull request, number 1, of two commits."""
    made = World()
    repository = made.add_repository("hello", {"README.md": "# Hello\n", "old.py": PROGRAM})
    made.push(
        repository,
        "greet",
        "Add hello.py",
        {"hello.py": PROGRAM.replace("print", "greet"), ".github/workflows/ci.yml": "on: push\n"},
    )
    made.push(repository, "greet", "feat!: Drop old.py", {"old.py": None}, begin="greet")
    made.add_pull(repository, "Greet everybody", "greet")
    return made


@pytest.fixture
def ask(request, world, tmp_path):
    """Call a tool, and give its object with its text."""

    async def call_tool(tool, **arguments):
        with serving(recording_of(request, "pulls"), world) as served:
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
            app = make_app(tmp_path, f'{settings}[pulls]\ngit = ""\n', environ={"HUB_TOKEN": world.token})
            async with connect(app) as client:
                result = await client.call_tool(tool, {"pr": PR, **arguments})
        assert not result.is_error, result.content[0].text
        return result.structured_content | {"text": result.content[0].text}

    return call_tool


async def test_what_the_api_tells_of_an_impact(world, ask):
    found = await ask("analyze_pr_impact", depth="detailed")
    assert found["changes"] == {"files_changed": 3, "additions": 31, "deletions": 30, "commits": 2}
    assert {area["category"] for area in found["impact_areas"]} == {"backend", "infrastructure"}
    assert {row["field"] for row in found["unknown"]} == {"suggested_reviewers", "symbols", "tests"}
    assert "Read from the forge's API only" in found["notes"][0]


async def test_earlier_ones_are_compared_by_their_titles(world, ask):
    repository = world.repository("smith/hello")
    world.push(repository, "again", "Again", {"again.py": "again\n"})
    earlier = world.add_pull(repository, "Greet everybody!", "again")
    earlier.state = "closed"
    found = await ask("analyze_pr_impact")
    (row,) = found["similar_prs"]
    assert (row["number"], row["outcome"], row["similarity_score"]) == (2, "closed", 0.4)
    assert [term["term"] for term in row["terms"]] == ["title"]


async def test_what_the_api_tells_a_reviewer(world, ask):
    found = await ask("get_review_suggestions")
    files = {file["path"]: file for file in found["files"]}
    assert files["hello.py"]["diff_excerpt"].startswith("@@ -0,0 +1,30 @@\n+greet(1)\n")
    assert files["old.py"]["status"] == "deleted"
    assert files[".github/workflows/ci.yml"]["focus_points"] == []
    assert found["context"]["breaking_changes_detected"] is True
    assert found["context"]["breaking_changes"][0]["evidence"] == "feat!: Drop old.py"


@pytest.mark.contract
async def test_github_lists_3_000_files_and_that_is_said(world, ask):
    """The sums are GitHub's own then, not those of what was read."""
    edit = {f"many/{number}.py": f"{number}\n" for number in range(3_050)}
    world.push(world.repository("smith/hello"), "greet", "Many", edit, begin="greet")
    found = await ask("analyze_pr_impact")
    assert found["changes"]["files_changed"] == 3_053
    assert any(note.startswith("Only 3,000 files were read") for note in found["notes"])
