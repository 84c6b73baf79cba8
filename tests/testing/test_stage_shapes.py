"""The conformance suite on forges of other shapes: they pass with a stage that says so, and fail without."""

import pytest
from attrs import evolve
from stage_shapes import SHAPES

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_forge_of_another_shape_passes(find_failures_on, shape):
    assert await find_failures_on(SHAPES[shape]) == set()


UNSAID = {
    "single comments": ({"grouped_reviews": True, "drafts": True}, {"reviews_oldest_first", "pull_request_draft"}),
    "without branches": (
        {"head_branches": True, "commits": ("Add hello.py", "Change texts")},
        {"pull_request_has_two_ends", "pull_requests_by_head", "commits_oldest_first"},
    ),
    "posts": (
        {"silent_resolution": True, "keeps_white_space": True},
        {"resolve_is_read_back", "create_as_given"},
    ),
}


@pytest.mark.parametrize("shape", UNSAID)
async def test_a_stage_that_does_not_say_so_fails(find_failures_on, shape):
    changes, tests = UNSAID[shape]
    failed = await find_failures_on(lambda: evolve(SHAPES[shape](), **changes))
    assert {f"test_{name}" for name in tests} <= failed


async def test_numbers_that_are_mixed_up_are_detected(find_failures_on):
    """A forge that reads an issue where a pull request's comments are wanted."""

    def create_stage():
        stage = SHAPES["numbers apart"]()
        comments = stage.forge.comments.list
        stage.forge.comments.list = lambda subject, **more: comments(
            evolve(stage.issue, repository=subject.repository, number=subject.number), **more
        )
        return stage

    assert "test_comments_of_a_pull_request" in await find_failures_on(create_stage)
