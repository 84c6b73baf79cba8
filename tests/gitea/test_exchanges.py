"""Every exchange that a real Gitea or Forgejo had with another client, tried on the plugin (cassettes/README.md).

Those with Forgejo 14 are copies in cassettes/forgejo-14; the others are read in place where they are.
"""

import filecmp
import re

import pytest
from attrs import evolve
from gitea_recorded.comparing import compare_fields
from gitea_recorded.everything import KINDS, map_recordings
from gitea_recorded.exchanges import BESIDE, FORGEJO, RECORDINGS, list_files, read_folder, recording_folder
from gitea_recorded.teller import Stage, Teller
from gitea_recorded.uses import find_use
from lab import CASSETTES, Lab
from worlds import open_forge, open_forges

from stithy_core.spi import operations
from stithy_testing import playback

SERVERS = (FORGEJO, *(BESIDE if RECORDINGS.is_dir() else ()))
FILES = [(server, file) for server in SERVERS for file in list_files(recording_folder(server))]
USED = {
    FORGEJO: (456, 520),
    "forgejo-15": (452, 523),
    "forgejo-16": (449, 520),
    "gitea-1.25": (500, 580),
    "gitea-1.26": (512, 594),
    "gitea-1.27": (517, 599),
}
SAID = {
    FORGEJO: {"comment": 62, "review": 49, "inline comment": 145},
    "forgejo-15": {"comment": 62, "review": 49, "inline comment": 145},
    "forgejo-16": {"comment": 62, "review": 49, "inline comment": 145},
    "gitea-1.25": {"comment": 61, "review": 48, "inline comment": 139},
    "gitea-1.26": {"comment": 62, "review": 45, "inline comment": 142},
    "gitea-1.27": {"comment": 63, "review": 45, "inline comment": 145},
}
WORDS = {"review": '"comments_count":', "inline comment": '"diff_hunk":'}
ASIDE = {
    "06": "a page of the web, which takes no token",
    "30": "no operation opens an issue or a pull request",
    "57": "no operation gives or dismisses a verdict",
}

pytest_there = pytest.mark.skipif(not RECORDINGS.is_dir(), reason="it needs ../shared/recordings beside the project")


@pytest.mark.anyio
@pytest.mark.parametrize(("server", "file"), FILES, ids=lambda name: name)
async def test_results_equal_the_recorded_answers(server, file, tmp_path):
    """Those of Forgejo 15 and 16, too, where they are there (FIX-43)."""
    stage, exchanges = Stage(), [one for one in read_folder(recording_folder(server)) if one.file == file]
    asked = [(one, use.ask) for one in exchanges if (use := find_use(one)).ask]
    with playback(stage) as url:
        async with open_forges(Lab(url, "it", tmp_path), len(asked)) as forges:
            for (exchange, ask), forge in zip(asked, forges, strict=True):
                stage.teller = Teller(exchange)
                await ask(exchange, stage.teller, forge)


@pytest.mark.parametrize("server", SERVERS)
def test_recorded_comments_and_reviews_keep_their_fields(server):
    """Each comment, review and inline comment keeps its id, text, author, times, place and address."""
    count, lost = map_recordings(server)
    assert lost == []
    assert count == SAID[server]


@pytest.mark.parametrize("server", SERVERS)
def test_no_review_and_no_inline_comment_is_overlooked(server):
    """In the text of the answers, each has a field that nothing else has."""
    text = "".join(exchange.text for exchange in read_folder(recording_folder(server)))
    assert {name: text.count(word) for name, word in WORDS.items()}.items() <= SAID[server].items()


def test_a_comment_that_lost_its_text_is_found():
    exchange = next(one for one in read_folder(recording_folder(FORGEJO)) if list(KINDS["comment"].rows(one)))
    row = next(KINDS["comment"].rows(exchange))
    assert compare_fields(KINDS["comment"].mapped(row | {"body": ""}), row, KINDS["comment"].fields).keys() == {"body"}


OTHER = {"title": "x", "state": "x", "created_at": "2000-01-01T00:00:00Z", "merged": True, "labels": [{"name": "x"}]}


@pytest.mark.anyio
@pytest.mark.parametrize("field", OTHER)
async def test_a_result_that_differs_from_the_answer_is_found(field, tmp_path):
    """The comparison is handed another answer than the one that the plugin was given."""
    pulls = (one for one in read_folder(recording_folder(FORGEJO)) if (one.method, one.route) == ("GET", "R/pulls/N"))
    exchange = next(one for one in pulls if one.status == 200)
    stage, planted = Stage(), evolve(exchange, body=exchange.body | {field: OTHER[field]})
    with playback(stage) as url:
        stage.teller = Teller(planted)
        async with open_forge(Lab(url, "it", tmp_path)) as forge:
            with pytest.raises(AssertionError, match=field):
                await find_use(planted).ask(planted, stage.teller, forge)


@pytest.mark.parametrize("server", SERVERS)
def test_every_exchange_is_used_or_named_with_a_reason(server):
    uses = [find_use(exchange) for exchange in read_folder(recording_folder(server))]
    assert None not in uses
    assert all(bool(use.ask) is not bool(use.why) for use in uses)
    assert (sum(bool(use.ask) for use in uses), len(uses)) == USED[server]


def test_the_page_counts_them_as_they_are_counted_here():
    page = " ".join((CASSETTES / "README.md").read_text(encoding="utf-8").split())
    (used, of), others = USED[FORGEJO], [USED[server] for server in BESIDE]
    assert f"each of its {of} exchanges" in page
    assert f"{used} are used in this way; each of the other {of - used} is listed" in page
    assert f"{sum(one for one, _ in others):,} of {sum(one for _, one in others):,} exchanges" in page


@pytest_there
@pytest.mark.parametrize("server", [FORGEJO, *BESIDE])
def test_every_file_is_used_but_those_of_which_it_is_said_why(server):
    reasons = {}
    for exchange in read_folder(RECORDINGS / server):
        reasons.setdefault(exchange.file, set()).add(find_use(exchange).why)
    assert len(reasons) == len(list((RECORDINGS / server).glob("*.yaml")))
    assert {file: {why} for file, why in ASIDE.items()} == {file: why for file, why in reasons.items() if "" not in why}


@pytest_there
def test_the_copies_are_the_recordings():
    there = {path.name for path in (RECORDINGS / FORGEJO).glob("*.yaml") if path.name[:2] not in ASIDE}
    same, *different = filecmp.cmpfiles(RECORDINGS / FORGEJO, CASSETTES / FORGEJO, there, shallow=False)
    assert different == [[], []]
    assert set(same) == {path.name for path in (CASSETTES / FORGEJO).iterdir()}


def test_operations_without_a_forgejo_exchange_are_listed():
    """An operation is proven by an answer of success, not by a refusal."""
    uses = [find_use(one) for one in read_folder(recording_folder(FORGEJO)) if one.status in (200, 201)]
    proven = {use.operation for use in uses if use.operation}
    lacking = {one.__qualname__ for one in operations() if one not in proven}
    table = (
        (CASSETTES / "README.md").read_text(encoding="utf-8").partition("**Not proven on Forgejo")[2].split("\n\n")[1]
    )
    assert set(re.findall(r"`(\w+\.\w+)`", table)) == lacking
