"""What a reviewer is shown: real histories, asked for by the tool."""

import pytest
from village import village

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(1, 11))
HORN = "def bend(iron):\n    return 1\n\n\ndef strike(iron):\n    return 2\n"


def points(found):
    return {file["path"]: file["focus_points"] for file in found["files"]}


async def test_focus_points_are_facts_with_lines(tmp_path):
    tree = {
        "a.py": "x = 1\n",
        "package.json": '{\n  "dependencies": {\n    "one": "1.0.0"\n  }\n}\n',
        "yarn.lock": "a\n",
    }
    changes = {
        "a.py": 'x = 1\nAPI_KEY = "q7Rk2pX9vTz4LmW8sB1c"\n# TODO: hide it\n',
        "package.json": '{\n  "dependencies": {\n    "one": "1.1.0",\n    "two": "2.0.0"\n  }\n}\n',
        "sub/yarn.lock": "b\n",
        "yarn.lock": "c\n",
    }
    async with village(tmp_path, tree) as here:
        found = points(await here.suggest(here.pull("Change", changes)))
    assert found["a.py"] == [
        "line 2: a string looks like a secret",
        "line 3: a comment says: TODO: hide it",
    ]
    assert found["package.json"] == ["line 4: dependency added: two 2.0.0"]
    assert "yarn.lock" not in found  # its manifest changed as well


async def test_a_lock_file_is_named_without_its_lines(tmp_path):
    async with village(tmp_path, {"Cargo.lock": "a\n", "Cargo.toml": "[package]\n"}) as here:
        found = await here.suggest(here.pull("Change", {"Cargo.lock": "b\n"}))
    assert found["files"] == []
    assert found["left_out_files"] == {"lock": ["Cargo.lock"]}


async def test_a_new_optional_parameter_breaks_no_call(tmp_path):
    async with village(tmp_path, {"horn.py": HORN}) as here:
        pr = here.pull("Change", {"horn.py": HORN.replace("strike(iron)", "strike(iron, force=1)")})
        found = await here.suggest(pr)
    assert points(found)["horn.py"] == []
    assert found["context"]["breaking_changes"][0]["certain"] is False


async def test_the_riskiest_file_is_first(tmp_path):
    changes = {"long.py": LINES * 9, ".github/workflows/a.yml": "permissions:\n  contents: write\n"}
    async with village(tmp_path, {"b": "b\n"}) as here:
        found = await here.suggest(here.pull("Change", changes))
    assert [file["path"] for file in found["files"]] == [".github/workflows/a.yml", "long.py"]


async def test_generated_files_are_left_out_by_name(tmp_path):
    changes = {"dist/a.js": "x\n", "a.min.js": "x\n", "vendor/b.go": "x\n", "a_pb2.py": "x\n", "src/a.js": "x\n"}
    async with village(tmp_path, {"b": "b\n"}) as here:
        found = await here.suggest(here.pull("Change", changes))
    assert [file["path"] for file in found["files"]] == ["src/a.js"]
    assert found["left_out_files"]["vendored"] == ["vendor/b.go"]


async def test_a_hunk_says_in_which_function_it_is(tmp_path):
    body = "".join(f"        self.x{number} = {number}\n" for number in range(9))
    old = f"class Horn:\n    def bend(self):\n{body}        return 1\n"
    async with village(tmp_path, {"horn.py": old}) as here:
        found = await here.suggest(here.pull("Change", {"horn.py": old.replace("return 1", "return 2")}))
    assert found["files"][0]["diff_excerpt"].splitlines()[0].endswith("@@ def bend(self):")


@pytest.mark.parametrize("most", [1, 2, 7, 40])
async def test_no_more_lines_are_shown_than_were_asked_for(tmp_path, most):
    changes = {f"{name}.py": LINES for name in "abc"}
    async with village(tmp_path, {"z": "z\n"}) as here:
        found = await here.suggest(here.pull("Change", changes), max_diff_lines=most)
    shown = sum(file.get("lines_shown", 0) for file in found["files"])
    left = sum(file.get("lines_left_out", 0) for file in found["files"])
    assert (shown <= most, shown + left) == (True, 33)


async def test_without_a_diff_the_facts_are_there(tmp_path):
    async with village(tmp_path, {"z": "z\n"}) as here:
        found = await here.suggest(here.pull("Change", {"a.py": "# FIXME: x\n"}), include_diff=False)
    assert "diff_excerpt" not in found["files"][0]
    assert points(found) == {"a.py": ["line 1: a comment says: FIXME: x"]}


async def test_focus_areas_choose_files_and_questions(tmp_path):
    changes = {"a.py": 'password = "q7Rk2pX9vTz4LmW8sB1c"\n', "b.py": "# TODO\n", "docs/c.md": "c\n"}
    async with village(tmp_path, {"z": "z\n"}) as here:
        pr = here.pull("Change", changes)
        secure = await here.suggest(pr, focus_areas=["Security"])
        docs = await here.suggest(pr, focus_areas=["docs"])
        fast = await here.suggest(pr, focus_areas=["performance"])
    assert (list(points(secure)), list(points(docs))) == (["a.py"], ["docs/c.md"])
    assert "2 files outside of focus_areas are omitted." in secure["notes"]
    assert len(fast["files"]) == 3
    assert any("Unknown focus_areas ignored: performance" in note for note in fast["notes"])


async def test_questions_are_asked_only_where_the_diff_gives_cause(tmp_path):
    async with village(tmp_path, {"z": "z\n", "tests/test_a.py": "def test_a(): pass\n"}) as here:
        plain = await here.suggest(here.pull("Plain", {"z": "y\n"}))
        found = await here.suggest(here.pull("Drop", {"tests/test_a.py": None}))
    assert plain["review_checklist"] == []
    (section,) = found["review_checklist"]
    assert (section["category"], section["items"][0]["question"]) == ("tests", "What covers its cases now?")
    assert "tests/test_a.py" in section["items"][0]["guidance"]


async def test_issues_and_pull_requests_are_distinguished(tmp_path):
    async with village(tmp_path, {"z": "z\n"}) as here:
        issue = here.world.add_issue(here.repository, "Too soft")
        other = here.pull("Other", {"y": "y\n"})
        url = f"{here.world.url}/smith/anvil/pulls/{other.number}"
        body = f"Fixes #{issue.number}, after {url}, not `#77`, as in other/repo#5 and #404."
        found = (await here.suggest(here.pull("Change", {"z": "x\n"}, body=body)))["context"]
    assert found["related_issues"] == [issue.number]
    assert found["mentioned_prs"] == [other.number]
    assert found["mentioned_elsewhere"] == ["other/repo#5"]
    assert found["mentioned_unknown"] == ["#404"]


async def test_a_public_name_that_is_gone_breaks(tmp_path):
    async with village(tmp_path, {"horn.py": HORN}) as here:
        found = await here.suggest(here.pull("Change", {"horn.py": HORN.replace("def strike", "def _strike")}))
    assert found["context"]["breaking_changes_detected"] is True
    assert found["context"]["breaking_changes"][0]["evidence"] == "function strike was removed"
    assert points(found)["horn.py"] == ["function strike was removed"]


async def test_a_new_signature_may_break_callers(tmp_path):
    async with village(tmp_path, {"horn.py": HORN}) as here:
        pr = here.pull("Change", {"horn.py": HORN.replace("strike(iron)", "strike(iron, force)")})
        found = await here.suggest(pr)
    assert "breaking_changes_detected" not in found["context"]
    (change,) = found["context"]["breaking_changes"]
    assert change["certain"] is False
    assert change["evidence"] == "strike was `def strike(iron)`, is `def strike(iron, force)`"


@pytest.mark.parametrize("message", ["feat!: Harden", "fix(api)!: Harden", "Harden\n\nBREAKING CHANGE: it rings"])
async def test_a_commit_may_say_that_it_breaks(tmp_path, message):
    async with village(tmp_path, {"z": "z\n"}) as here:
        found = (await here.suggest(here.pull(message, {"z": "y\n"})))["context"]
    assert found["breaking_changes_detected"] is True
    assert found["breaking_changes"][0]["said_by"] == "commit"


async def test_a_moved_function_is_not_certainly_removed(tmp_path):
    async with village(tmp_path, {"horn.py": HORN, "b.py": "B = 1\n"}) as here:
        strike = "def strike(iron):\n    return 2\n"
        pr = here.pull("Move", {"horn.py": HORN.replace(strike, ""), "b.py": f"B = 1\n{strike}"})
        found = (await here.suggest(pr))["context"]
    assert [one["certain"] for one in found["breaking_changes"]] == [False]


async def test_without_git_definitions_are_unknown_and_the_diff_is_there(tmp_path):
    async with village(tmp_path, {"a.py": LINES}, '[pulls]\ngit = ""\n') as here:
        found = await here.suggest(here.pull("Change", {"a.py": "1\n"}))
    assert "breaking_changes_detected" not in found["context"]
    assert "+1" in found["files"][0]["diff_excerpt"]
    assert "git is disabled" in found["notes"][0]


async def test_pages_give_every_file_once(tmp_path):
    changes = {f"src/{number:03}.py": f"{number}\n" + LINES for number in range(400)}
    async with village(tmp_path, {"z": "z\n"}) as here:
        pr = here.pull("Many", changes)
        seen, more = [], {}
        while more is not None:
            found = await here.suggest(pr, **more)
            seen += [file["path"] for file in found["files"]]
            more = {"cursor": found["nextCursor"]} if "nextCursor" in found else None
    assert sorted(seen) == sorted(changes)


async def test_a_break_in_title_and_commit_is_reported_once(tmp_path):
    async with village(tmp_path, {"a.txt": "x\n"}) as here:
        found = await here.suggest(here.pull("feat!: Forget x", {"a.txt": "y\n"}))
    assert [one["evidence"] for one in found["context"]["breaking_changes"]] == ["feat!: Forget x"]


@pytest.mark.parametrize(
    ("path", "before", "after", "breaks"),
    [
        ("a.py", "LIMIT = 1\n", "MOST = 1\n", None),
        ("a.ts", "export const limit = 1\n", "const limit = 1\n", None),
        ("a.go", "package a\n\nvar Limit = 1\n", "package a\n", None),
        ("a.rs", "pub const LIMIT: u8 = 1;\n", "\n", None),
        ("a.c", "int limit(void);\n", "\n", None),
        ("a.py", "LIMIT = 1\n", "LIMIT = 2\n", False),
        ("a.py", "_limit = 1\n", "\n", False),
        ("a.py", "def f():\n    limit = 1\n", "def f():\n    most = 1\n", False),
        ("a.txt", "limit = 1\n", "\n", False),
    ],
)
async def test_the_absence_of_breaks_is_reported_for_examined_files_only(tmp_path, path, before, after, breaks):
    async with village(tmp_path, {path: before, "b": "b\n"}) as here:
        found = await here.suggest(here.pull("Change", {path: after}))
    assert found["context"].get("breaking_changes_detected") is breaks


async def test_breaking_changes_that_the_text_omits_are_counted(tmp_path):
    functions = "".join(f"def f{number}(a):\n    return {number}\n\n\n" for number in range(8))
    async with village(tmp_path, {"horn.py": functions}) as here:
        found = await here.suggest(here.pull("Change", {"horn.py": functions.replace("(a)", "(a, b)")}))
    assert len(found["context"]["breaking_changes"]) == 8
    assert "and 3 more breaking changes, in breaking_changes" in found["text"].splitlines()
