"""A required argument that another makes dispensable (`Meta.instead`)."""

from typing import Annotated

import pytest
from attrs import frozen

from stithy_core.spi import Meta, WorkflowArg

pytestmark = pytest.mark.anyio


@frozen
class Code:
    code: Annotated[str | None, Meta("Code", instead=("files", "diff"))] = None
    files: list[str] | None = None
    diff: str | None = None


@frozen
class Guided(Code):
    handle: WorkflowArg = None


@frozen
class Given:
    text: str

    def render(self):
        yield self.text


async def show(ctx, args: Code) -> Given:
    return Given(f"{args.code} {args.files} {args.diff}")


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"code": "x"}, "x None None"),
        ({"files": []}, "None [] None"),
        ({"diff": "d"}, "None None d"),
        ({}, "code is required, or one of files, diff"),
        ({"diff": None}, "code is required, or one of files, diff"),
        ({"diff": "d", "files": 3}, "files must be"),
    ],
)
async def test_it_is_required_where_no_other_is_given(serving, arguments, answer):
    assert answer in (await serving(show, Code).call("tool", arguments)).text


def test_the_schema_that_callers_see_requires_nothing_that_may_be_left_out(tool):
    published = tool(show, Code).published
    assert "required" not in published
    assert published["properties"]["code"]["description"] == "Code (or files or diff)"


def test_a_workflow_is_one_more_way_to_leave_it_out(tool):
    said = tool(show, Guided).published["properties"]["code"]["description"]
    assert said == "Code (required, unless files, diff is given or workflow_handle brings it)"


def test_the_tools_own_schema_still_says_that_it_is_required(tool):
    assert tool(show, Code).input["required"] == ["code"]
