"""Who should review a change: real histories, asked for by the tool."""

import pytest
from village import village

from stithy_core.spi import UserKind

pytestmark = pytest.mark.anyio

LINES = "".join(f"line {number}\n" for number in range(1, 11))


def edit_lines(*numbers, text=LINES):
    for number in numbers:
        text = text.replace(f"line {number}\n", f"new {number}\n")
    return text


def by_name(found):
    return {row.get("username", row.get("name")): row for row in found["suggested_reviewers"]}


async def test_the_authors_of_the_touched_lines_are_counted(tmp_path):
    """Two of four touched lines are Ada's, one is Bob's, one the author's own."""
    async with village(tmp_path, {"a.py": ""}) as here:
        here.commit("Write", {"a.py": LINES})
        here.commit("Two", {"a.py": edit_lines(2, 3)}, "ada")
        here.commit("Six", {"a.py": edit_lines(2, 3, 6)}, "bob")
        pr = here.pull("Change", {"a.py": edit_lines(2, 3, 6).replace("new", "newer").replace("line 9", "nine")})
        found = by_name(await here.impact(pr))
    assert {name: row["written_lines"] for name, row in found.items()} == {"ada": 2, "bob": 1}
    assert found["ada"]["terms"]["wrote"] == pytest.approx(2 * found["bob"]["terms"]["wrote"], abs=0.02)
    assert found["ada"]["reason"] == "wrote 2 of 4 changed lines, in 1 file"


async def test_an_added_line_touches_the_line_before_it(tmp_path):
    async with village(tmp_path, {"a.py": LINES}) as here:
        here.commit("Five", {"a.py": edit_lines(5)}, "ada")
        pr = here.pull("Add", {"a.py": edit_lines(5).replace("new 5\n", "new 5\nmore\nand more\n")})
        found = by_name(await here.impact(pr))
    assert found["ada"]["reason"] == "wrote 1 of 1 changed line, in 1 file"


async def test_code_owners_own_all_touched_lines_of_their_files(tmp_path):
    owners = "*.py @ada\ndocs/ @smith/writers\n"
    async with village(tmp_path, {"a.py": LINES, "docs/b.md": LINES, "CODEOWNERS": owners}) as here:
        here.commit("Ada", {"c.py": "1\n"}, "ada")
        pr = here.pull("Both", {"a.py": edit_lines(1, 2, 3), "docs/b.md": edit_lines(4)})
        found = await here.impact(pr)
    ada = by_name(found)["ada"]
    assert ada["owned_files"] == 1
    assert "owns 1 of 2 files (CODEOWNERS, line 1)" in ada["reason"]
    (team,) = found["suggested_teams"]
    assert (team["username"], team["kind"], team["confidence"]) == ("smith/writers", "team", 0.25)


async def test_teams_take_no_place_of_a_person(tmp_path):
    """Six teams own the file, and the one who wrote it is still suggested."""
    teams = " ".join(f"@smith/team{number}" for number in range(6))
    async with village(tmp_path, {"a.py": LINES, "CODEOWNERS": f"* {teams}\n"}) as here:
        here.commit("Two", {"a.py": edit_lines(2)}, "ada")
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(3)}))
    assert set(by_name(found)) == {"ada"}
    assert len(found["suggested_teams"]) == 5
    assert "Team: @smith/team0 1:" in found["text"]


def merge_by(here, pull, merger):
    here.world.merge(pull, actor=here.user(merger))


async def test_who_merged_earlier_changes_comes_before_who_wrote_the_lines(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        here.commit("Write", {"a.py": edit_lines(2)}, "ada")
        for number in range(3):
            merge_by(here, here.pull(f"Change {number}", {"b.py": edit_lines(number + 1)}, "eve"), "bob")
        pr = here.pull("Again", {"a.py": edit_lines(2, 3)}, "eve")
        found = await here.impact(pr)
    assert next(iter(by_name(found))) == "bob"
    assert by_name(found)["bob"]["reason"] == (
        "merged or reviewed 3 of the last 3 changes, 3 close to these files, 3 of this author"
    )


async def test_the_terms_sum_up_to_the_score(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "CODEOWNERS": "*.py @bob\n"}) as here:
        here.commit("Write", {"a.py": edit_lines(2)}, "bob")
        merge_by(here, here.pull("First", {"a.py": edit_lines(2, 3)}, "eve"), "bob")
        found = await here.impact(here.pull("Second", {"a.py": edit_lines(2, 3, 4)}, "eve"))
    bob = by_name(found)["bob"]
    assert {"decided_here", "decided_author", "decided_last", "owns", "active"} <= set(bob["terms"])
    assert bob["confidence"] == pytest.approx(sum(bob["terms"].values()))
    assert f"@bob {bob['confidence']:g} = " in found["text"]


async def test_merging_an_own_change_does_not_count_as_a_review(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        merge_by(here, here.pull("Own", {"b.py": edit_lines(1)}, "bob"), "bob")
        found = await here.impact(here.pull("Other", {"a.py": edit_lines(1)}, "smith"))
    assert "bob" not in by_name(found)


async def test_nobody_is_suggested_only_with_the_reason(tmp_path):
    async with village(tmp_path, {"a.py": LINES}) as here:
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(1)}))
    assert found["suggested_reviewers"] == []
    assert any(note.startswith("No reviewer is suggested: only its authors") for note in found["notes"])


async def test_reviewers_in_trailers_are_known_without_the_forge(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        here.commit("Ada", {"c.py": "1\n"}, "ada")
        here.commit("Fix\n\nReviewed-by: Ada <ada@sandbox.invalid>", {"b.py": edit_lines(1)}, "eve")
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(1)}, "eve"))
    assert "merged or reviewed 1 of the last 1 change" in by_name(found)["ada"]["reason"]


async def test_each_reviewer_of_one_trailer_counts(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        here.commit("Ada", {"c.py": "1\n"}, "ada")
        here.commit("Bob", {"d.py": "1\n"}, "bob")
        people = "Ada <ada@sandbox.invalid>, Bob <bob@sandbox.invalid>"
        here.commit(f"Fix\n\nReviewers: {people}", {"b.py": edit_lines(1)}, "eve")
        found = by_name(await here.impact(here.pull("Change", {"a.py": edit_lines(1)}, "eve")))
    assert all("merged or reviewed 1 of" in found[name]["reason"] for name in ("ada", "bob"))


async def test_earlier_reviewers_are_named_with_what_they_reviewed(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        first = here.pull("First", {"a.py": edit_lines(1)})
        here.world.add_review(first, "approved", "", here.user("ada"))
        here.world.merge(first)
        other = here.pull("Elsewhere", {"b.py": edit_lines(1)})
        here.world.add_review(other, "approved", "", here.user("bob"))
        here.world.merge(other)
        pr = here.pull("Second", {"a.py": edit_lines(1, 2)})
        found = by_name(await here.impact(pr))
    assert set(found) == {"ada"}
    assert found["ada"]["reviewed"] == [first.number]


async def test_neither_the_author_nor_bots_are_suggested(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "CODEOWNERS": "* @smith @ada\n"}) as here:
        here.user("mender", kind=UserKind.BOT)
        here.commit("Repair", {"a.py": edit_lines(2)}, "mender")
        here.commit("More", {"b.py": "1\n"})
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(3)}, "ada"))
    assert set(by_name(found)) == {"smith"}
    assert found["left_out"] == [{"username": "mender", "why": "a bot"}]


@pytest.mark.parametrize("login", ["k8s-ci-robot", "bors", "release-bot"])
async def test_bots_that_merge_with_ordinary_accounts_are_left_out(tmp_path, login):
    async with village(tmp_path, {"a.py": LINES}) as here:
        merge_by(here, here.pull("First", {"a.py": edit_lines(1)}, "eve"), login)
        found = await here.impact(here.pull("Second", {"a.py": edit_lines(1, 2)}, "eve"))
    assert login not in by_name(found)
    assert {"username": login, "why": "a bot"} in found["left_out"]


@pytest.mark.parametrize("name", ["Anne Le Bot", "Anne Talbot", "Anne Hébot"])
async def test_a_person_whose_name_looks_like_a_bot_is_suggested(tmp_path, name):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        here.commit(f"Fix\n\nReviewed-by: {name} <anne@example.com>", {"b.py": edit_lines(1)}, "eve")
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(1)}, "eve"))
    assert name in by_name(found)


async def test_another_address_of_the_author_is_not_suggested(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        here.commit("Fix\n\nReviewed-by: eve <eve@home.example>", {"b.py": edit_lines(1)}, "ada")
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(1)}, "eve"))
    assert "eve" not in by_name(found)


async def test_two_addresses_of_one_name_are_one_person(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "b.py": LINES}) as here:
        merge_by(here, here.pull("First", {"b.py": edit_lines(1)}, "eve"), "Zoë O'Hara")
        here.commit("Fix\n\nReviewed-by: Zoë O'Hara <zoe@home.example>", {"b.py": edit_lines(1, 2)}, "eve")
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(1)}, "eve"))
    assert "merged or reviewed 2 of the last 2 changes" in by_name(found)["Zoë O'Hara"]["reason"]


async def test_owners_inactive_for_a_year_are_left_out_and_reported(tmp_path):
    async with village(tmp_path, {"a.py": LINES, "CODEOWNERS": "*.py @gone\n"}) as here:
        here.commit("Old", {"a.py": edit_lines(2)}, "ada")
        here.wait(400)
        here.commit("New", {"b.py": "1\n"}, "bob")
        pr = here.pull("Change", {"a.py": edit_lines(3)})
        found = await here.impact(pr)
    assert found["suggested_reviewers"] == []
    assert {row["username"] for row in found["left_out"]} == {"ada", "gone"}


async def test_a_year_less_a_day_is_not_a_year(tmp_path):
    async with village(tmp_path, {"a.py": LINES}) as here:
        here.commit("Old", {"a.py": edit_lines(2)}, "ada")
        here.wait(360)
        pr = here.pull("Change", {"a.py": edit_lines(3)})
        assert set(by_name(await here.impact(pr))) == {"ada"}


async def test_a_commit_that_only_reformats_is_ignored(tmp_path):
    """As `.git-blame-ignore-revs` says."""
    async with village(tmp_path, {"a.py": LINES}) as here:
        here.commit("Write", {"a.py": edit_lines(2)}, "ada")
        sha = here.commit("Reformat", {"a.py": edit_lines(2).replace("new 2", "new  2 ;")}, "bob")
        here.commit("Ignore", {".git-blame-ignore-revs": f"{sha}  # reformatted\nnonsense\n{'0' * 40}\n"})
        pr = here.pull("Change", {"a.py": LINES})
        assert set(by_name(await here.impact(pr))) == {"ada"}


async def test_an_author_without_an_account_has_a_name_and_no_guess(tmp_path):
    """Nobody can compare the first commit of all with what was before it."""
    async with village(tmp_path, {"a.py": LINES}) as here:
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(3)}, "ada"))
    (row,) = found["suggested_reviewers"]
    assert (row["name"], "username" in row) == ("smith", False)
    assert found["unknown"][0]["field"] == "suggested_reviewers[0].username"
    assert "sandbox.invalid" not in str(found)


async def test_requested_reviewers_are_marked(tmp_path):
    async with village(tmp_path, {"a.py": LINES}) as here:
        here.commit("Two", {"a.py": edit_lines(2)}, "ada")
        pr = here.pull("Change", {"a.py": edit_lines(3)}, requested_reviewers=(here.user("ada"),))
        found = await here.impact(pr)
    assert found["suggested_reviewers"][0]["already"] == "requested"
    assert ", already requested: wrote 1 of 2 changed lines" in found["text"]


async def test_errors_of_code_owners_cost_their_own_lines_alone(tmp_path):
    owners = "!docs @ada\n*.py @ada\n*.py not-an-owner\n"
    async with village(tmp_path, {"a.py": LINES, "CODEOWNERS": owners}) as here:
        here.commit("Ada", {"b.py": "1\n"}, "ada")
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(1)}))
    assert by_name(found)["ada"]["owned_files"] == 1
    assert any("2 invalid lines ignored: line 1: patterns cannot be negated" in note for note in found["notes"])


async def test_a_merged_one_is_read_as_it_was(tmp_path):
    async with village(tmp_path, {"a.py": LINES}) as here:
        here.commit("Two", {"a.py": edit_lines(2)}, "ada")
        pr = here.pull("Change", {"a.py": edit_lines(3)})
        before = await here.impact(pr)
        here.world.merge(pr)
        after = await here.impact(pr)
    assert before["changes"] == after["changes"]
    assert by_name(after)["ada"]["confidence"] == by_name(before)["ada"]["confidence"]
    assert "The pull request is merged." in after["notes"]


async def test_without_git_no_reviewer_is_suggested(tmp_path):
    async with village(tmp_path, {"a.py": LINES}, '[pulls]\ngit = ""\n') as here:
        found = await here.impact(here.pull("Change", {"a.py": edit_lines(3)}))
    assert (found["found_by"], found["changes"]["additions"]) == ("forge", 1)
    assert "suggested_reviewers" not in found
    assert any(row["field"] == "suggested_reviewers" for row in found["unknown"])
