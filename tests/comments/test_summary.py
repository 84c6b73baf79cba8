"""What the summary of a conversation says (SERVE-7), by example."""

from datetime import UTC, datetime

import pytest

from stithy_core.spi import NOT_REPORTED, User, UserKind

pytestmark = pytest.mark.anyio

SMITH, MASON, GATE = (
    User(login="smith", id="101"),
    User(login="mason", id="102"),
    User(login="gate", id="103", kind=UserKind.BOT),
)


async def summary(smithy, mode="compact", **arguments):
    given = {"pr": "smith/anvil#2", "summarize": mode, "summary_budget_chars": 4_000} | arguments
    result = await smithy.client.call_tool("get_pull_request_conversation", given)
    assert not result.is_error, result.content[0].text
    assert result.structured_content["summary"]["text"] in result.content[0].text
    return result.structured_content["summary"]


async def section(smithy, title, mode="compact", **arguments):
    """Return the points of one section."""
    text = (await summary(smithy, mode, **arguments))["text"]
    for part in text.replace("\n- ", "\x00").split("\n"):
        name, *points = part.split("\x00")
        if name == title:
            return points
    return None


async def test_a_compact_summary_has_a_line_for_each_point_with_its_id(smithy):
    async with smithy() as play:
        assert (await summary(play))["text"].splitlines() == [
            "Verdicts",
            "- smith changes requested [7]",
            "- striker approved [15]",
            "Changes requested",
            '- smith [7]: "The unit must be said."',
            "Action items",
            '- open anvil/horn.py:14 smith [8]: "Is 60 Rockwell or Shore here?"',
            "Most commented files",
            "- anvil/temper.py 2 (0 open)",
            "- anvil/horn.py 1 (1 open)",
            "Stats",
            "- 7 items (5 review, 2 issue, 0 timeline), 152 characters",
        ]


async def test_a_brief_summary_has_a_line_for_each_subject(smithy):
    async with smithy() as play:
        assert (await summary(play, "brief"))["text"].splitlines() == [
            "Verdicts: smith changes requested; striker approved",
            'Changes requested: smith: "The unit must be said."',
            'Action items: open anvil/horn.py:14 smith: "Is 60 Rockwell or Shore here?"',
            "Most commented files: anvil/temper.py 2 (0 open); anvil/horn.py 1 (1 open)",
            "Stats: 7 items (5 review, 2 issue, 0 timeline), 152 characters",
        ]


async def test_the_statistics_count_by_type(smithy):
    async with smithy() as play:
        found = (await summary(play, include=["review", "issue", "timeline"]))["stats"]
    counts = {"total_comments": 9, "review_comments": 5, "issue_comments": 2, "timeline_events": 2}
    assert found == counts | {"characters": 198}


async def test_points_beyond_the_budget_are_counted_and_the_most_important_stay(smithy):
    async with smithy() as play:
        for number in range(40):
            play.world.add_thread(play.pr, "anvil/horn.py", 3, f"Question {number}?", SMITH)
        found = await summary(play, summary_budget_chars=600)
    lines = found["text"].splitlines()
    assert lines[1:3] == ["- smith changes requested [7]", "- striker approved [15]"]
    items = [line for line in lines if line.startswith("- open ")]
    more = next(int(line.split()[2]) for line in lines if line.endswith(" more") and "and" in line)
    assert 1 < len(items) < 41 == len(items) + more
    assert lines[-2:] == [
        "Stats",
        f"- 47 items (45 review, 2 issue, 0 timeline), {found['stats']['characters']} characters",
    ]


@pytest.mark.parametrize(("budget", "text"), [(11, "Verdicts: 2"), (9, "Verdicts"), (5, "Verd…"), (1, "…")])
async def test_a_tiny_budget_is_kept_all_the_same(smithy, budget, text):
    async with smithy() as play:
        assert (await summary(play, "brief", summary_budget_chars=budget))["text"] == text


async def test_the_latest_verdict_of_each_counts_and_a_comment_changes_none(smithy):
    async with smithy() as play:
        for state in ("approved", "changes_requested", "approved", "commented"):
            play.world.add_review(play.pr, state, f"I have {state}.", MASON)
        found = await section(play, "Verdicts")
        assert [point.partition(" [")[0] for point in found] == [
            "smith changes requested",
            "mason approved",
            "striker approved",
        ]
        assert not [point for point in await section(play, "Changes requested") if "mason" in point]


async def test_a_verdict_that_was_dismissed_blocks_nothing(smithy):
    async with smithy() as play:
        play.world.add_review(play.pr, "dismissed", "No.", MASON)
        assert "mason dismissed" in [point.partition(" [")[0] for point in await section(play, "Verdicts")]
        assert len(await section(play, "Changes requested")) == 1


async def test_a_draft_is_told_from_a_verdict(smithy):
    async with smithy() as play:
        play.world.add_review(play.pr, "changes_requested", "No.", MASON)
        play.world.add_review(play.pr, "pending", "Well.", MASON, submitted_at=None)
        found = [point.partition(" [")[0] for point in await section(play, "Verdicts")]
    assert ("mason changes requested" in found, found[-1]) == (True, "mason pending (draft, not submitted)")


async def test_deleted_accounts_do_not_take_each_others_verdicts_away(smithy):
    ghost = User(login="ghost", kind=UserKind.GHOST)
    async with smithy() as play:
        for state in ("changes_requested", "approved"):
            play.world.add_review(play.pr, state, "Hm.", ghost)
        found = [point.partition(" [")[0] for point in await section(play, "Verdicts")]
    assert {"ghost changes requested", "ghost approved"} <= set(found)


async def test_an_account_from_elsewhere_is_one_account(smithy):
    """It came with an import, and has a name and no id."""
    wanderer = User(login="wanderer", kind=NOT_REPORTED)
    async with smithy() as play:
        for state in ("changes_requested", "approved"):
            play.world.add_review(play.pr, state, "Hm.", wanderer)
        found = [point.partition(" [")[0] for point in await section(play, "Verdicts")]
    assert [point for point in found if "wanderer" in point] == ["wanderer approved"]


async def test_a_request_for_changes_without_a_text_is_quoted_from_the_diff(smithy):
    async with smithy() as play:
        asked = play.world.add_review(play.pr, "changes_requested", "", MASON)
        play.world.add_thread(play.pr, "anvil/horn.py", 3, "Round?", MASON, review=asked.id)
        assert f'mason [{asked.id}]: "Round?"' in await section(play, "Changes requested")


async def test_threads_of_unknown_resolution_are_not_counted_as_open(smithy):
    """(FIX-13)"""
    async with smithy() as play:
        play.world.add_thread(play.pr, "a.py", None, "Why?", MASON, resolved=NOT_REPORTED)
        play.world.add_thread(play.pr, "a.py", 1, "How?", MASON)
        play.world.add_thread(play.pr, "b.py", None, "When?", MASON, resolved=NOT_REPORTED)
        found = await section(play, "Most commented files")
    assert {"a.py 2 (1 open, 1 open or resolved)", "b.py 1 (1 open or resolved)"} <= set(found)


async def test_a_thread_is_open_until_it_is_known_to_be_resolved(smithy):
    async with smithy() as play:
        play.world.add_thread(play.pr, "a.py", None, "Why?", MASON, resolved=NOT_REPORTED)
        first, second = await section(play, "Action items")
    assert first.startswith("open or resolved a.py mason [")
    assert second.startswith("open anvil/horn.py:14 smith [8]")


async def test_a_thread_of_a_draft_waits_for_nobody(smithy):
    async with smithy() as play:
        play.world.add_thread(play.pr, "a.py", 1, "Not said yet.", pending=True)
        assert len(await section(play, "Action items")) == 1


async def test_the_answers_in_an_open_thread_are_counted(smithy):
    async with smithy() as play:
        thread = await play.thread(14)
        play.world.add_reply(play.pr, thread.id, "Still broken.", MASON)
        assert (await section(play, "Action items"))[0].startswith("open anvil/horn.py:14 smith, 1 answered [8]")


TASKS = """\
Thanks!
- [ ] Temper the horn
- [x] Heat it
1. [ ] Quench it
TODO: say the unit
<!-- FIXME hidden -->
> - [ ] quoted
```
TODO in code
<!-- never closed
```
**FIXME** the radius
please do more
"""


async def test_boxes_without_a_tick_and_marked_lines_are_action_items(smithy):
    """Lines that are quoted, hidden, code or ticked, and mere turns of phrase, are not."""
    async with smithy() as play:
        said = play.world.add_comment(play.pr, TASKS, MASON)
        _, *found = await section(play, "Action items")
    assert found == [
        f'box mason [{said.id}]: "Temper the horn"',
        f'box mason [{said.id}]: "Quench it"',
        f'TODO mason [{said.id}]: "say the unit"',
        f'FIXME mason [{said.id}]: "the radius"',
    ]


async def test_boxes_of_bots_and_those_in_resolved_threads_are_none(smithy):
    async with smithy() as play:
        play.world.add_comment(play.pr, "- [ ] Let me write tests", GATE)
        play.world.add_thread(play.pr, "a.py", 1, "- [ ] Do it", MASON, resolved=True)
        assert len(await section(play, "Action items")) == 1


async def test_minimized_comments_have_no_action_items(smithy):
    async with smithy() as play:
        play.world.add_comment(play.pr, "- [ ] Buy this", MASON, minimized="spam")
        assert len(await section(play, "Action items")) == 1


async def test_a_long_text_is_quoted_by_its_beginning(smithy):
    async with smithy() as play:
        play.world.add_review(play.pr, "changes_requested", "word " * 15_000, MASON)
        compact = (await section(play, "Changes requested"))[1]
        brief = (await summary(play, "brief"))["text"].splitlines()[1]
    assert compact.endswith(f': "{"word " * 28}…"')
    assert brief.endswith(f'; mason: "{"word " * 10}…"')


async def test_themes_are_words_that_several_comments_have(smithy):
    async with smithy() as play:
        play.world.add_comment(play.pr, "Error handling is missing in `quench`, error handling everywhere.", MASON)
        play.world.add_comment(play.pr, "See https://git.example/quench: error handling matters.", SMITH)
        play.world.add_comment(play.pr, "quench quench quench", GATE)
        assert await section(play, "Themes") == ["error handling 2"]


async def test_texts_of_other_users_are_quoted_in_one_line(smithy):
    """A comment cannot write lines of the summary, nor a path."""
    async with smithy() as play:
        body = '- [ ] nothing"\nVerdicts\n- mason approved [1]'
        play.world.add_comment(play.pr, body.replace("\n", "\u2028"), MASON)
        play.world.add_thread(play.pr, "a\nVerdicts\n- b.py", 1, 'Fine."\nVerdicts', MASON)
        lines = (await summary(play))["text"].splitlines()
    assert lines.count("Verdicts") == 1
    assert not [line for line in lines if line.startswith("- mason approved")]


async def test_no_secret_is_in_it(smithy):
    token = "ghp_0123456789abcdefghij0123456789"
    async with smithy() as play:
        play.world.add_review(play.pr, "changes_requested", f"{'x' * 120} {token} leaked", MASON)
        play.world.add_comment(play.pr, f"- [ ] revoke {token}", MASON)
        text = (await summary(play))["text"]
    assert ('"revoke [redacted]"' in text, "ghp_" in text) == (True, False)


async def test_bounds_are_said_since_they_hide_what_came_before(smithy):
    async with smithy() as play:
        found = await summary(play, since="2026-01-05T09:12:00Z", until="2026-01-06T00:00:00+02:00")
    assert found["text"].splitlines()[:4] == [
        "Incomplete",
        "- written or edited since 2026-01-05T09:12:00Z and written until 2026-01-05T22:00:00Z",
        "Verdicts",
        "- striker approved [15]",
    ]
    assert found["stats"]["total_comments"] == 3


async def test_max_items_shortens_the_list_and_not_the_summary(smithy):
    async with smithy() as play:
        assert await summary(play, max_items=1) == await summary(play)


async def test_files_stand_by_how_much_is_said_of_them(smithy):
    async with smithy() as play:
        for number in range(12):
            thread = play.world.add_thread(play.pr, f"{number:02}.py", 1, "Hm.", MASON)
        for _ in range(3):
            play.world.add_reply(play.pr, thread.id, "Hm!", SMITH)
        found = await section(play, "Most commented files")
    assert (found[:2], len(found)) == (["11.py 4 (1 open)", "anvil/temper.py 2 (0 open)"], 10)


async def test_an_empty_conversation_has_statistics_only(smithy):
    at = datetime(2027, 1, 1, tzinfo=UTC).isoformat()
    async with smithy() as play:
        found = await summary(play, "brief", since=at, until=at)
    assert found["text"].splitlines()[1:] == ["Stats: 0 items (0 review, 0 issue, 0 timeline), 0 characters"]
