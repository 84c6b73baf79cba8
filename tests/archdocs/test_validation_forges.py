"""validate-against-pattern on pull requests: of GitHub's double, and of recorded servers."""

import json

import pytest
from github_double.stage import recording_of, serving
from github_double.world import World
from lab import CASSETTES, RECORDED

from stithy_testing import Tape, connect, make_app, playback

pytestmark = pytest.mark.anyio

RULE = {
    "id": "no-print",
    "language": "python",
    "severity": "error",
    "rule": {"pattern": "print($$$A)"},
    "invalid": ["print(1)"],
}
PATTERN = f"# Quiet\n\n```yaml ast-grep\n{json.dumps(RULE)}\n```\n"
READING = ("lab-reading-get-files-lists-them", "lab-reading-get-diff-joined-is-the-diff-to-the-byte")


async def validate_pull_request(folder, url, kind, pr):
    path = folder / "mcp/resources/patterns/quiet.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(PATTERN)
    lines = f'[archdocs]\nroot = "{folder}"\n[forges.far]\nkind = "{kind}"\nurl = "{url}"\n'
    async with connect(make_app(folder, lines)) as client:
        answer = await client.call_tool("validate-against-pattern", {"pattern_name": "quiet", "pr": pr})
    assert not answer.is_error, answer.content[0].text
    return answer.structured_content, answer.content[0].text


@pytest.fixture
def hub(request, tmp_path):
    """GitHub with a pull request; `files` are what it changes."""

    async def validate_change(before, **files):
        world = World()
        repository = world.add_repository("lab", before)
        world.push(repository, "greet", "Greet", {path.replace("__", "."): text for path, text in files.items()})
        world.add_pull(repository, "Greet", "greet")
        with serving(recording_of(request, "archdocs"), world) as served:
            return await validate_pull_request(tmp_path, served.url, "github", "far:smith/lab#1")

    return validate_change


async def test_only_new_lines_of_a_pull_request_of_github_are_judged(hub):
    found, _ = await hub({"a.py": "print(0)\n"}, a__py="print(0)\nx = 1\nprint(x)\n")
    assert (found["verdict"], [(row["file"], row["line"]) for row in found["violations"]]) == (
        "violations",
        [("a.py", 3)],
    )


async def test_a_file_of_github_without_a_patch_makes_nothing_compliant(hub):
    found, text = await hub({"logo.py": b"\x89PNG"}, logo__py=b"\x89PNG2", b__py="x = 1\n")
    (left,) = found["not_checked"]
    assert (found["verdict"], found["compliant"], left["what"]) == ("not_checkable", False, "logo.py")
    assert "not checked: logo.py: GitHub leaves the patch out" in text


async def test_a_pull_request_of_github_that_breaks_nothing_is_compliant(hub):
    found, _ = await hub({"a.py": "x = 0\n"}, a__py="x = 1\n")
    assert (found["verdict"], found["files_checked"]) == ("compliant", 1)


@pytest.fixture(params=RECORDED)
def recorded(request):
    """Return a function that replays recordings of one server."""

    def playing(*names):
        tape = Tape.read([CASSETTES / request.param / f"{name}.yaml" for name in names])
        return playback(tape, hosts=[f"{request.param}.example"])

    return playing


async def test_new_lines_of_a_recorded_pull_request_are_judged(recorded, tmp_path):
    with recorded(*READING) as url:
        found, text = await validate_pull_request(tmp_path, url, "gitea", "far:stithy-admin/lab-reading#1")
    places = [(row["file"], row["line"]) for row in found["violations"]]
    assert places[:2] == [("hello.py", 1), ("more.py", 1)]
    assert "602 violations" in text  # one in each of the 600 lines of more.py, and in "with space.py"


async def test_unchecked_files_of_a_recorded_pull_request_are_counted(recorded, tmp_path):
    with recorded("code-patches") as url:
        found, _ = await validate_pull_request(tmp_path, url, "gitea", "far:stithy-admin/code#1")
    left = {row["what"]: row["reason"] for row in found["not_checked"]}
    assert (found["verdict"], left["logo.bin"]) == ("not_checkable", "the file is binary")
    assert "no grammar" in left["more.txt"]
