"""`compliant` means that every rule for the code ran: a rule that cannot be read or used prevents it."""

import os

import pytest

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

FENCE = "```"
GOOD = "id: no-eval\nlanguage: python\nrule: {pattern: eval($A)}\ninvalid: [eval(x)]"
GO = "id: no-panic\nlanguage: go\nrule: {pattern: panic($A)}\ninvalid: ['package a\\nfunc f() { panic(1) }']"
BAD = {
    "no YAML": "id: [broken",
    "an alias": "id: &a x\nlanguage: python\nrule: {pattern: *a}",
    "no grammar": "id: rows\nlanguage: sqll\nrule: {pattern: SELECT}",
    "no rule": "id: nothing\nlanguage: python",
    "the id twice": GOOD,
    "a wrong severity": "id: x\nlanguage: python\nseverity: fatal\nrule: {pattern: exec($A)}",
    "an empty block": "",
}


def block(text, kind="ast-grep"):
    return f"{FENCE}yaml {kind}\n{text}\n{FENCE}\n"


def document(*blocks, before=""):
    return f"{before}# Rules\n\n## Rules\n\n" + "\n".join(blocks)


@pytest.fixture
def validate(tmp_path, monkeypatch):
    """Hold code against a document, and return the answer."""
    monkeypatch.chdir(tmp_path)

    async def validate(text, name="p", path="mcp/resources/patterns/p.md", config="", **arguments):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        given = {"pattern_name": name} | ({"code": "x = 1\n", "language": "python"} | arguments)
        if "files" in arguments:
            given = {"pattern_name": name} | arguments
        async with connect(make_app(tmp_path, f'[archdocs]\nroot = "."\n{config}')) as client:
            result = await client.call_tool("validate-against-pattern", given)
        return result.structured_content if not result.is_error else result.content[0].text

    return validate


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
async def test_one_unreadable_rule_prevents_approval(validate, bad):
    """(FIX-28)."""
    answer = await validate(document(block(GOOD), block(bad)))
    assert (answer["compliant"], answer["verdict"]) == (False, "not_checkable")
    assert "line" in answer["why"]
    assert answer["not_checked"]
    assert answer["rules_checked"] == ["no-eval"]


async def test_a_rule_behind_one_that_cannot_be_read_in_the_same_block_is_used(validate):
    """(FIX-28)."""
    answer = await validate(document(block(f"id: x\nlanguage: python\n---\n{GOOD}")), code="eval(x)\n")
    assert (answer["verdict"], answer["rules_checked"]) == ("violations", ["no-eval"])
    assert answer["why"].startswith("rule x (line ")


async def test_rules_beyond_the_limit_are_no_approval(validate):
    """Of 400 rules 200 were used, and code that breaks rule 399 was compliant (FIX-28)."""
    rules = [f"id: r{n}\nlanguage: python\nrule: {{pattern: f{n}($A)}}\ninvalid: [f{n}(1)]" for n in range(205)]
    answer = await validate(document(*map(block, rules)), code="f204(1)\n")
    assert (answer["compliant"], answer["verdict"]) == (False, "not_checkable")
    assert "only the first 200 rules" in answer["why"]


@pytest.mark.parametrize(
    "unread",
    [
        "id: x\nlanguage: go\nseverity: fatal\nrule: {pattern: f($A)}",
        "id: x\nlanguage: plsql\nrule: {pattern: SELECT}",
    ],
    ids=["Go", "PL/SQL"],
)
async def test_a_rule_for_another_language_keeps_no_code_from_being_compliant(validate, unread):
    """What an unreadable rule would not have checked is not touched by it, but it is listed (FIX-28)."""
    answer = await validate(document(block(GOOD), block(unread)))
    assert answer["compliant"] is True
    assert any(row["what"] == "rule x" for row in answer["not_checked"])


async def test_the_scope_of_an_unread_rule_is_that_of_its_globs(validate, tmp_path):
    """(FIX-28)."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("x = 1\n")
    (tmp_path / "src/b.pyi").write_text("x: int\n")
    unread = "id: x\nlanguage: python\nfiles: ['*.pyi']\nseverity: fatal\nrule: {pattern: f($A)}"
    text = document(block(GOOD), block(unread))
    assert (await validate(text, files=["src/*.py"]))["compliant"] is True
    assert (await validate(text, files=["src/*.pyi"]))["compliant"] is False


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("id: [broken", "invalid YAML"),
        (BAD["an alias"], "aliases (*name) are not supported"),
        ("id: rows\nlanguage: cobol\nrule: {pattern: SELECT}", "unsupported language 'cobol'"),
    ],
)
async def test_why_tells_a_rule_that_cannot_be_read_from_none(validate, bad, why):
    """(FIX-28)."""
    answer = await validate(document(block(bad)))
    assert answer["verdict"] == "not_checkable"
    assert why in answer["why"]
    assert "prose" not in answer["why"]
    assert (await validate("# Rules\n\nBe kind.\n"))["why"].startswith("the document has no rules, only prose")


async def test_invalid_front_matter_prevents_approval(validate):
    """(FIX-28)."""
    before = "---\npolicy:\n  imports: [{disallow: [os]}\n---\n"
    answer = await validate(document(block(GOOD), before=before))
    assert (answer["verdict"], "front matter is not valid YAML" in answer["why"]) == ("not_checkable", True)


COMMENTS = [
    ("p.md", f"# P\n\n## Rules\n\n{block(GOOD)}\n<!--\n{block(GO)}\n-->\n", ["no-eval"]),
    ("p.md", f"# P\n\n## Rules\n\n<!-- old: -->\n{block(GOOD)}", ["no-eval"]),
    ("p.md", f"# P\n\nWrite `<!--` so.\n\n{block(GOOD)}", ["no-eval"]),
    (
        "p.rst",
        "P\n=\n\n.. old rules:\n\n   .. code-block:: yaml\n      :class: ast-grep\n\n      {go}\n\n{good}",
        ["no-eval"],
    ),
    ("p.rst", "P\n=\n\n..\n\n{good}", ["no-eval"]),
]


@pytest.mark.parametrize(("name", "text", "rules"), COMMENTS)
async def test_a_rule_in_a_comment_does_not_count(validate, name, text, rules):
    """(FIX-28)."""
    directive = ".. code-block:: yaml\n   :class: ast-grep\n\n" + "".join(f"   {line}\n" for line in GOOD.split("\n"))
    text = text.replace("{go}", GO.replace("\n", "\n      ")).replace("{good}", directive)
    answer = await validate(text, path=f"mcp/resources/patterns/{name}")
    assert answer["rules_checked"] == rules
    go = await validate(text, path=f"mcp/resources/patterns/{name}", code="package a\n", language="go")
    assert go["verdict"] == "not_checkable"


async def test_prose_beside_a_rule_is_in_the_checklist_and_a_comment_is_not(validate):
    """(FIX-28)."""
    text = document(block(GOOD)) + "\nRepositories must be final.\n\n<!--\nThey must be red.\n- old point\n-->\n"
    points = [point["text"] for point in (await validate(text))["checklist"]]
    assert points == ["Repositories must be final."]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
async def test_globs_pass_over_fifos(validate, tmp_path):
    """A FIFO hung the call, and its thread for ever (FIX-28)."""
    (tmp_path / "src").mkdir()
    os.mkfifo(tmp_path / "src/a.py")
    (tmp_path / "src/b.py").write_text("x = 1\n")
    answer = await validate(document(block(GOOD)), files=["src/**/*"])
    assert (answer["compliant"], answer["files_checked"]) == (True, 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize("name", [".adr-dir", ".stithy-baseline.json"])
async def test_a_fifo_in_the_place_of_a_setting_hangs_nothing(validate, tmp_path, name):
    """(FIX-28)."""
    os.mkfifo(tmp_path / name)
    answer = await validate(document(block(GOOD)), config='baseline = ".stithy-baseline.json"\n')
    assert "is not a regular file" in answer if "baseline" in name else answer["compliant"]


async def test_a_pattern_may_be_named_by_its_path_in_the_project(validate):
    """(FIX-28)."""
    answer = await validate(document(block(GOOD)), name="mcp/resources/patterns/p.md")
    assert answer["compliant"] is True


async def test_a_too_large_pattern_is_reported(validate):
    """(FIX-28)."""
    text = document(block(GOOD)) + "x" * (2 << 20)
    answer = await validate(text, config="most_file_mb = 1\n")
    assert "p.md was not read" in answer
    assert "more than" in answer
