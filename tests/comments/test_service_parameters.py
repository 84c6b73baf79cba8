"""The parameters of the comments service: defaults, bounds, pages, and what is refused before anything is asked."""

import pytest

pytestmark = pytest.mark.anyio

PULL, ISSUE = "/forges/play/repos/smith/anvil/pulls/2", "/forges/play/repos/smith/anvil/issues/2"
COMBINED = f"{PULL}/comments/combined"
ALL = ["6", "7", "8", "10", "12", "13", "15"]


async def ids(get, target):
    status, answer, _ = await get(target)
    assert status == 200, answer
    return [row["id"] for row in answer["comments"]]


@pytest.mark.parametrize(
    ("query", "given"),
    [
        ("include=issue", ["6", "13"]),
        ("include=issue,review", ALL),
        ("max_items=2", ["13", "15"]),
        ("since=9999-12-31T23:59:59Z", []),
        ("until=1970-01-01T00:00:00Z", []),
        ("since=1970-01-01T00:00:00%2B02:00", ALL),
        ("since=1970-01-01T00:00:00+02:00", ALL),
        ("since=1970-01-01t00:00:00.5z", ALL),
    ],
)
async def test_a_parameter_chooses(service, query, given):
    async with service() as get:
        assert await ids(get, f"{COMBINED}?{query}") == given


async def test_items_beyond_max_items_are_reported(service):
    async with service() as get:
        _, answer, _ = await get(f"{COMBINED}?max_items=2")
    assert answer["left_out"] == ["the 5 oldest of 7 items: max_items is 2"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("sumarize=brief", "invalid sumarize='brief'; expected one of the parameters"),
        ("summarize=long", "invalid summarize='long'; expected one of none, brief, compact"),
        ("include=reviews", "expected a comma-separated list of review, issue, timeline"),
        ("include=", "expected a comma-separated list of review, issue, timeline"),
        ("max_items=0", "a whole number from 1 to 10000"),
        ("max_items=-1", "a whole number"),
        ("max_items=%D9%A1", "a whole number"),
        ("since=yesterday", "an RFC 3339 time"),
        ("since=2026-02-30T00:00:00Z", "an RFC 3339 time"),
        ("since=2026-01-01", "an RFC 3339 time"),
        ("since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z", "a time not before since"),
        ("max_items=1&max_items=2", "expected one value, not 2"),
        ("events=merged", "no events, unless include has timeline"),
        ("include=timeline&events=%0A", "kinds of events"),
        ("page=1", "one of the parameters"),
    ],
)
async def test_an_invalid_parameter_is_named_with_its_valid_values(service, query, said):
    async with service() as get:
        status, answer, _ = await get(f"{COMBINED}?{query}")
    assert (status, answer["error"]["code"]) == (400, "invalid_arguments")
    assert said in answer["error"]["message"]


@pytest.mark.parametrize(
    "path",
    [
        "/forges/play/repos/../anvil/pulls/2/comments",
        "/forges/play/repos/smith%3Aother/anvil/pulls/2/comments",
        "/forges/play/repos/smith/an%20vil/pulls/2/comments",
        "/forges/play/repos/smith/anvil/pulls/0/comments",
        "/forges/play/repos/smith/anvil/pulls/%D9%A2/comments",
        "/forges/play/repos/smith/anvil/pulls/99999999999/comments",
        "/forges/a%3Ab/repos/smith/anvil/pulls/2/comments",
    ],
)
async def test_a_path_that_names_nothing_is_refused(service, path):
    async with service() as get:
        status, answer, _ = await get(path)
    assert (status, answer["error"]["code"]) == (400, "invalid_arguments")


async def test_a_forge_that_nobody_configured_is_not_found(service):
    async with service() as get:
        status, answer, _ = await get("/forges/other/repos/smith/anvil/pulls/2/comments")
    assert (status, answer["error"]["code"]) == (404, "not_found")
    assert "there are: play" in answer["error"]["message"]


async def test_a_page_is_a_part_of_the_list_from_its_oldest(service):
    async with service() as get:
        pages = [await ids(get, f"{PULL}/comments?page={number}&per_page=2") for number in (1, 2, 3)]
    assert pages == [["8", "10"], ["12"], []]


async def test_pages_name_their_neighbours_with_what_else_was_asked(service):
    async with service() as get:
        _, _, first = await get(f"{PULL}/comments?per_page=2&summarize=brief")
        _, _, second = await get(f"{PULL}/comments?per_page=2&page=2")
    assert first["link"] == (
        f'<{PULL}/comments?per_page=2&summarize=brief&page=2>; rel="next", '
        f'<{PULL}/comments?per_page=2&summarize=brief&page=2>; rel="last"'
    )
    assert second["link"] == (
        f'<{PULL}/comments?per_page=2&page=1>; rel="first", <{PULL}/comments?per_page=2&page=1>; rel="prev"'
    )


async def test_a_page_alone_has_thirty_and_no_page_has_all(service):
    async with service() as get:
        for number in range(40):
            get.world.add_comment(get.pr, f"{number}")
        assert len(await ids(get, f"{ISSUE}/comments?page=1")) == 30
        assert len(await ids(get, f"{ISSUE}/comments")) == 42
