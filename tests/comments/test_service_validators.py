"""Validators of the comments service: what a client has is not sent again, and what changed is."""

import pytest

pytestmark = pytest.mark.anyio

PULL, ISSUE = "/forges/play/repos/smith/anvil/pulls/2", "/forges/play/repos/smith/anvil/issues/2"
TARGETS = [f"{PULL}/comments/combined?summarize=compact", f"{PULL}/comments", f"{ISSUE}/comments", f"{ISSUE}/timeline"]


@pytest.mark.parametrize("target", [*TARGETS, "/openapi.json"])
async def test_a_client_that_has_it_is_told_so(service, target):
    async with service() as get:
        status, _, headers = await get(target)
        again = await get(target, if_none_match=headers["etag"])
    assert (status, headers["content-type"]) == (200, "application/json; charset=utf-8")
    assert headers["cache-control"] == "private, no-cache"
    assert again[:2] == (304, None)
    assert again[2]["etag"] == headers["etag"]


@pytest.mark.parametrize("form", ["W/{}", '"other", {}', '"oth,er",W/{}', "*"])
async def test_it_may_be_one_of_several_weak_or_any(service, form):
    async with service() as get:
        _, _, headers = await get(TARGETS[0])
        assert (await get(TARGETS[0], if_none_match=form.format(headers["etag"])))[0] == 304


@pytest.mark.parametrize("given", ['"other"', "", "nonsense", '"'])
async def test_another_validator_gets_the_whole_answer(service, given):
    async with service() as get:
        assert (await get(TARGETS[0], if_none_match=given))[0] == 200


async def test_replicas_call_the_same_answer_the_same(service):
    tags = []
    for _ in range(2):
        async with service() as get:
            tags.append((await get(TARGETS[0]))[2]["etag"])
    assert tags[0] == tags[1]


async def test_a_changed_list_is_sent_with_a_new_etag(service):
    async with service() as get:
        _, _, headers = await get(TARGETS[0])
        get.world.add_comment(get.pr, "And now?")
        status, answer, after = await get(TARGETS[0], if_none_match=headers["etag"])
    assert (status, answer["comments"][-1]["body"]) == (200, "And now?")
    assert after["etag"] != headers["etag"]
