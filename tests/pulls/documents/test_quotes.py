"""What decision records and guidelines say of a change: stithy-archdocs serves them, and the core gives them."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st
from village import village

from stithy_pulls.documents import document_quotes
from stithy_pulls.documents.document_quotes import QUOTE, find_mention, list_path_names

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("patient_documents")]

TREE = {"app/pay/horn.py": "a\n", "app/pay/bend.py": "b\n", "Makefile": "all:\n", "far.py": "c\n"}
SETTINGS = '[archdocs]\nroot = "project"\n'
DECISION = (
    "# 1. {title}\n\nDate: 2026-01-05\n\n## Status\n\nAccepted\n\n## Context\n\n{text}\n\n## Decision\n\nSo be it.\n"
)


@pytest.fixture
def adr(tmp_path):
    """Write decision records of a project: `adr(text, …)`, numbered from 1 on."""

    def write(*texts):
        folder = tmp_path / "project/docs/adr"
        folder.mkdir(parents=True)
        for number, text in enumerate(texts, 1):
            (folder / f"{number:04}-of-it.md").write_text(DECISION.format(title=f"Decision {number}", text=text))

    return write


@pytest.mark.parametrize("tool", ["impact", "suggest"])
async def test_a_document_that_speaks_of_a_changed_file_is_quoted_with_its_line(tmp_path, adr, tool):
    adr("Payments in `app/pay/horn.py` round half up.", "Nothing of it.")
    async with village(tmp_path, TREE, SETTINGS) as here:
        found = await getattr(here, tool)(here.pull("Change", {"app/pay/horn.py": "x\n"}))
    (quote,) = found["documents"]
    assert (quote["path"], quote["line"]) == ("app/pay/horn.py", 11)
    assert quote["words"] == "Payments in `app/pay/horn.py` round half up."
    assert quote["uri"].startswith("architecture://adr/")
    assert "accepted" in quote["about"]
    assert f"Document: {quote['uri']}: " in found["text"]


async def test_without_a_mention_nothing_is_quoted(tmp_path, adr):
    adr("We talk about app and pay, horn.py and docs, and of https://git.example/app/pay/horn.py alone.")
    async with village(tmp_path, TREE, SETTINGS) as here:
        found = await here.impact(here.pull("Change", {"app/pay/horn.py": "x\n"}))
    assert "documents" not in found
    assert "Document" not in found["text"]


async def test_the_nearest_five_are_quoted_and_the_others_are_counted(tmp_path, adr):
    adr("See app/.", "See app/pay/**.", *["See app/pay/bend.py:3."] * 5)
    async with village(tmp_path, TREE, SETTINGS) as here:
        found = await here.suggest(here.pull("Change", {"app/pay/horn.py": "x\n", "app/pay/bend.py": "x\n"}))
    assert [quote["path"] for quote in found["documents"]] == ["app/pay/bend.py"] * 5
    assert "2 more documents of the project mention the changed files." in found["notes"]


async def test_unread_documents_are_counted(tmp_path, adr, monkeypatch):
    monkeypatch.setattr(document_quotes, "MOST_READ", 1)
    adr("See `far.py`.", "See `far.py`.")
    async with village(tmp_path, TREE, SETTINGS) as here:
        found = await here.impact(here.pull("Change", {"far.py": "x\n"}))
    assert len(found["documents"]) == 1
    assert any(note.startswith("1 document of the project not searched") for note in found["notes"])


@pytest.mark.parametrize(
    ("place", "is_quoted"),
    [("{}/ada/anvil.git", True), ("{}/smith/hammer.git", False), ("https://a.example/b/anvil", False)],
)
async def test_the_documents_of_another_repository_say_nothing(tmp_path, adr, monkeypatch, place, is_quoted):
    """The server runs in a clone: of a fork of this repository, or of quite another one."""
    adr("See `far.py`.")
    monkeypatch.chdir(tmp_path / "project")
    async with village(tmp_path, TREE, SETTINGS) as here:
        pr = here.pull("Change", {"far.py": "x\n"})
        url = here.world.url
        subprocess.run(["git", "init", "-q"], check=True)
        subprocess.run(["git", "remote", "add", "origin", place.format(url)], check=True)
        found = await here.impact(pr)
    assert ("documents" in found) is is_quoted


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("`Makefile` builds it", "Makefile"),
        ("Makefile builds it", None),
        ("see ./app/pay/horn.py.", "app/pay/horn.py"),
        ("see [it](app/pay/horn.py#L3)", "app/pay/horn.py"),
        ("see app/pay/horn.py:12-14:", "app/pay/horn.py"),
        ("all of `app/pay/*`!", "app/pay/"),
        ("all of app/pay", "app/pay/"),
        ("all of `app`", "app/"),
        ("all of app", None),
        ("my/app/pay/horn.py", None),
        ("app/pay/horn.pyc", None),
        ("../app/pay/horn.py", None),
        ("app/ first\nthen app/pay/ and app/pay/horn.py", "app/pay/horn.py"),
    ],
)
def test_a_path_is_distinguished_from_words(text, path):
    found = find_mention(text, list_path_names(["app/pay/horn.py", "Makefile"]))
    assert (found.path if found else None) == path


def test_a_long_line_is_quoted_around_the_path():
    found = find_mention(f"{'x ' * 500}see app/a.py now{' y' * 500}", list_path_names(["app/a.py"]))
    assert "see app/a.py now" in found.words
    assert len(found.words) <= QUOTE + 2


@given(st.text(alphabet="ab/.*`:# \n", max_size=80))
def test_whatever_stands_there_the_line_has_the_path(text):
    found = find_mention(text, list_path_names(["a/b/a.b", "b"]))
    if found is not None:
        assert found.path.rstrip("/") in text.split("\n")[found.line - 1]
