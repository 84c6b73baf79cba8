"""A revert is known by the content of files, and not by its message."""

import pytest
from village import village

pytestmark = pytest.mark.anyio

ONE, TWO, THREE = ("def bend():\n    return 1\n", "def bend():\n    return 2\n", "def bend():\n    return 3\n")
BACK = TWO.replace("bend", "fold")
"""Code with a line that was there before a revert."""


async def list_terms(here, changes, title="Again"):
    found = await here.impact(here.pull(title, changes))
    return {term["fact"].partition(":")[0]: term["fact"] for term in found["risk_terms"]}


async def test_code_that_was_reverted_lately_says_so(tmp_path):
    async with village(tmp_path, {"a.py": ONE, "b.py": ONE, "notes.md": "1\n"}) as here:
        here.commit("Bend twice", {"a.py": TWO, "b.py": TWO, "notes.md": "2\n"})
        here.commit("Work as before", {"a.py": ONE, "b.py": ONE, "notes.md": "2\n"})
        terms = await list_terms(here, {"a.py": BACK})
        other = await list_terms(here, {"a.py": THREE})
    assert "(Work as before), which undid" in terms["reverted"]
    assert "(Bend twice)" in terms["reverted"]
    assert "reverted" not in other


async def test_lines_that_came_back_before_are_not_brought_back(tmp_path):
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Bend twice", {"a.py": TWO})
        here.commit("Revert it", {"a.py": ONE})
        here.commit("Fold", {"a.py": ONE + BACK})
        terms = await list_terms(here, {"a.py": ONE + BACK + BACK.replace("fold", "roll")})
    assert "reverted" not in terms


async def test_changes_since_the_branch_began_are_not_undone_by_it(tmp_path):
    """The pull request does not know them."""
    async with village(tmp_path, {"a.py": ONE, "z": "z\n"}) as here:
        here.commit("Bend twice", {"a.py": TWO})
        pull = here.pull("Again", {"a.py": ONE})
        here.commit("Bend thrice", {"a.py": THREE})
        here.commit("Bend twice again", {"a.py": TWO})
        found = await here.impact(pull)
    (fact,) = (term["fact"] for term in found["risk_terms"] if term["fact"].startswith("revert:"))
    assert "(Bend twice)" in fact
    assert "later" not in fact


async def test_a_revert_of_several_changes_counts_them(tmp_path):
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Bend twice", {"a.py": TWO})
        here.commit("Bend thrice", {"a.py": THREE})
        here.commit("Revert the bending", {"a.py": ONE})
        terms = await list_terms(here, {"a.py": THREE.replace("bend", "fold")})
    assert "(Bend twice) and 1 later change" in terms["reverted"]


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


async def test_a_pull_request_that_calls_itself_a_revert_needs_no_fact_about_it(tmp_path):
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Bend twice", {"a.py": TWO})
        terms = await list_terms(here, {"a.py": ONE}, 'Revert "Bend twice"')
    assert "revert" not in terms


async def test_comments_that_are_restored_are_no_revert(tmp_path):
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Explain", {"a.py": f"# why\n{ONE}"})
        terms = await list_terms(here, {"a.py": ONE})
    assert "revert" not in terms


async def test_code_that_is_only_deleted_is_no_revert(tmp_path):
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Add b", {"b.py": TWO})
        terms = await list_terms(here, {"b.py": None})
    assert "revert" not in terms


async def test_code_that_is_only_moved_restores_nothing(tmp_path):
    """Its content was there before, but the pull request does not change it."""
    async with village(tmp_path, {"a.py": ONE}) as here:
        here.commit("Bend twice", {"a.py": TWO})
        here.commit("Work as before", {"a.py": ONE})
        terms = await list_terms(here, {"a.py": None, "b.py": ONE})
        beside = await list_terms(here, {"a.py": None, "b.py": ONE, "c.py": THREE})
    assert "revert" not in terms
    assert "revert" not in beside


async def test_a_file_that_goes_to_a_third_place_is_not_restored(tmp_path):
    """Although another one is as before it was moved first. Where it comes back to its place, all is restored."""
    async with village(tmp_path, {"a.py": ONE, "list.py": "A = 'a'\n"}) as here:
        here.commit("Move it", {"a.py": None, "b.py": ONE, "list.py": "A = 'b'\n"})
        third = await list_terms(here, {"b.py": None, "c.py": ONE, "list.py": "A = 'a'\n"})
        back = await list_terms(here, {"b.py": None, "a.py": ONE, "list.py": "A = 'a'\n"})
    assert "revert" not in third
    assert "it restores 2 code files as before" in back["revert"]


async def test_code_of_the_first_commit_that_was_deleted_is_no_revert(tmp_path):
    async with village(tmp_path, {"a.py": ONE, "b.py": ONE}) as here:
        here.commit("Remove it", {"a.py": None})
        found = await here.impact(here.pull("Again", {"a.py": TWO}))
    assert "unknown" not in found
    assert not [term for term in found["risk_terms"] if term["fact"].startswith("reverted")]


async def test_a_revert_of_several_files_counts_once_among_those_compared(tmp_path):
    """Few reverts without the word are compared with what they undo; one of three files is one of them."""
    one, two, back = ({f"{name}.py": f"{text}# {name}\n" for name in "abc"} for text in (ONE, TWO, BACK))
    async with village(tmp_path, one | {"z.py": ONE}) as here:
        here.commit("Bend all", two)
        here.commit("Work as before", one)
        here.commit("Bend the last", {"z.py": TWO})
        here.commit("Straighten it", {"z.py": ONE})
        found = await here.impact(here.pull("Again", back | {"z.py": BACK}))
    assert [term["count"] for term in found["risk_terms"] if term["fact"].startswith("reverted")] == [4]


@pytest.mark.parametrize(
    ("subject", "is_revert"), [('Revert "Bend twice"', True), ("Straighten a part", False), ("Bump it", False)]
)
async def test_lockdown_withholds_subjects_and_still_reads_them(tmp_path, subject, is_revert):
    settings = "[serve]\nlockdown = true\n"
    async with village(tmp_path, {"a.py": ONE, "b.py": ONE}, settings) as here:
        whole = subject == "Bump it"
        here.commit("Bend twice", {"a.py": TWO} if whole else {"a.py": TWO, "b.py": TWO})
        here.commit(subject, {"a.py": ONE})
        terms = await list_terms(here, {"a.py": BACK})
    assert ("reverted" in terms) is is_revert
    assert subject not in str(terms)
