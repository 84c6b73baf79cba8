"""A revert is known by the content of files, and not by its message."""

import pytest
from village import village

pytestmark = pytest.mark.anyio

ONE, TWO, THREE = ("def bend():\n    return 1\n", "def bend():\n    return 2\n", "def bend():\n    return 3\n")


async def list_terms(here, changes):
    found = await here.impact(here.pull("Again", changes))
    return {term["fact"].partition(":")[0]: term["fact"] for term in found["risk_terms"]}


async def test_code_that_was_reverted_lately_says_so(tmp_path):
    async with village(tmp_path, {"a.py": ONE, "b.py": ONE, "notes.md": "1\n"}) as here:
        here.commit("Bend twice", {"a.py": TWO, "b.py": TWO, "notes.md": "2\n"})
        here.commit("Work as before", {"a.py": ONE, "b.py": ONE, "notes.md": "2\n"})
        terms = await list_terms(here, {"a.py": THREE})
    assert "(Work as before), which undid" in terms["reverted"]
    assert "(Bend twice)" in terms["reverted"]


async def test_code_that_was_restored_in_part_is_no_revert(tmp_path):
    async with village(tmp_path, {"a.py": ONE, "b.py": ONE}) as here:
        here.commit("Bend twice", {"a.py": TWO, "b.py": TWO})
        here.commit("Work as before", {"a.py": ONE})
        terms = await list_terms(here, {"a.py": THREE})
    assert "reverted" not in terms


async def test_documents_that_were_restored_are_no_revert(tmp_path):
    async with village(tmp_path, {"notes.md": "1\n"}) as here:
        here.commit("Write", {"notes.md": "2\n"})
        here.commit('Revert "Write"', {"notes.md": "1\n"})
        terms = await list_terms(here, {"notes.md": "3\n"})
    assert terms == {}


async def test_a_pull_request_that_restores_all_its_code_is_a_revert(tmp_path):
    async with village(tmp_path, {"a.py": ONE, "b.py": ONE}) as here:
        here.commit("Bend twice", {"a.py": TWO})
        whole = await list_terms(here, {"a.py": ONE, "notes.md": "why\n"})
        part = await list_terms(here, {"a.py": ONE, "b.py": THREE})
    assert "it restores 1 code file as before" in whole["revert"]
    assert "(Bend twice)" in whole["revert"]
    assert "revert" not in part


async def test_code_that_is_only_deleted_is_no_revert(tmp_path):
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Add b", {"b.py": TWO})
        terms = await list_terms(here, {"b.py": None})
    assert "revert" not in terms
