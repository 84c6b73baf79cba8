"""Which values are kept between the pages of a list, for how long, and which count as current."""

from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

from stithy_comments.kept_reads import LIFETIME, OVERHEAD, KeptRead, KeptReads, measure
from stithy_core.spi import Issue, IssueRef, Listing, RepositoryRef, Unknown, User
from stithy_testing import make_app

NOW = datetime(2026, 1, 5, 10, tzinfo=UTC)
LATER = NOW + timedelta(seconds=1)
REF = IssueRef(RepositoryRef("smith", "anvil"), 1)
ISSUE = Issue(
    ref=REF,
    title="Title",
    body="",
    state="open",
    author=User(login="smith"),
    locked=False,
    created_at=NOW,
    updated_at=NOW,
    url="",
    comment_count=2,
)


class Clock:
    """Seconds that a test sets."""

    seconds = 0.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


def keep(reads, *names, size=1):
    for name in names:
        reads.store((name,), KeptRead(name, ISSUE, NOW, reads.expiry(), size))


def list_kept(reads, names):
    return [name for name in names if reads.get((name,)) is not None]


def test_a_value_is_dropped_at_the_end_of_its_lifetime(clock):
    reads = KeptReads(clock)
    keep(reads, "a")
    clock.seconds = LIFETIME - 0.001
    assert list_kept(reads, "a") == ["a"]
    clock.seconds = LIFETIME
    assert list_kept(reads, "a") == []


def test_the_values_that_were_not_used_for_longest_are_dropped(clock):
    reads = KeptReads(clock, most_bytes=3)
    keep(reads, "a", "b", "c")
    assert reads.get(("a",)) is not None
    keep(reads, "d")
    assert list_kept(reads, "abcd") == ["a", "c", "d"]


def test_a_value_that_is_too_large_is_not_kept_and_drops_no_other(clock):
    reads = KeptReads(clock, most_bytes=3)
    keep(reads, "a", "b")
    keep(reads, "c", size=4)
    assert list_kept(reads, "abc") == ["a", "b"]


def test_a_value_in_place_of_another_counts_once(clock):
    reads = KeptReads(clock, most_bytes=3)
    keep(reads, "a", size=2)
    keep(reads, "a", size=2)
    keep(reads, "b")
    assert list_kept(reads, "ab") == ["a", "b"]


def test_what_was_read_of_one_issue_is_forgotten_whatever_it_was(clock, tmp_path):
    """The name of a repository has no case, and another forge or number is another issue."""
    forge = make_app(tmp_path, '[forges.play]\nkind = "sandbox"\n').forges.forge("play")
    reads = KeptReads(clock)
    keys = [("play smith/anvil#1", "t", "a"), ("play smith/anvil#1", "", "b")]
    others = [("play smith/anvil#11", "t", "a"), ("work smith/anvil#1", "t", "a")]
    for key in (*keys, *others):
        reads.store(key, KeptRead("value", ISSUE, NOW, reads.expiry(), 1))
    reads.forget(forge, evolve(REF, repository=RepositoryRef("Smith", "Anvil")))
    assert [key for key in (*keys, *others) if reads.get(key)] == others


@pytest.mark.parametrize(
    ("now", "is_current"),
    [
        (ISSUE, True),
        (evolve(ISSUE, title="Another title"), True),
        (evolve(ISSUE, updated_at=LATER), False),
        (evolve(ISSUE, comment_count=3), False),
        (evolve(ISSUE, updated_at=Unknown("not reported")), False),
    ],
)
def test_a_value_is_current_while_its_issue_has_not_changed(now, is_current):
    assert KeptRead("value", ISSUE, NOW, 0, 0).is_current(now) is is_current


@pytest.mark.parametrize(
    ("updated_at", "is_current"),
    [(NOW, True), (NOW - timedelta(days=1), True), (LATER, False), (Unknown("not reported"), False)],
)
def test_without_its_issue_a_value_is_as_current_as_the_time_it_was_read(updated_at, is_current):
    assert KeptRead("value", None, NOW, 0, 0).is_current(evolve(ISSUE, updated_at=updated_at)) is is_current


def test_the_size_of_a_value_is_that_of_its_texts_and_records():
    issues = Listing((evolve(ISSUE, body="a" * 500), ISSUE))
    assert measure([issues, issues]) == 2 * (2 * OVERHEAD + 500)
