"""Tools, each checked before anything of it is shown."""

from functools import partial
from typing import Annotated

import pytest
from attrs import field, frozen, make_class

from stithy_core.errors import InvalidSpec, Refused, ToolNotFound
from stithy_core.spi import Meta, Page
from stithy_core.tools import build_registry


@frozen
class Result:
    rows: Page[str]

    def render(self):
        return []


async def run(ctx, args) -> Result:
    return Result(Page((), key=str))


@pytest.mark.parametrize("name", ["a", "A_b-9", "x" * 64])
def test_a_name_of_letters_digits_and_dashes_is_a_tool_name(tool, name):
    assert tool(run, name=name).spec.name == name


@pytest.mark.parametrize("name", ["", "a b", "a.b", "é", "a\n", "x" * 65, "a/b", "\u0661"])
def test_any_other_name_is_refused(tool, name):
    with pytest.raises(InvalidSpec, match="invalid tool name") as caught:
        tool(run, name=name)
    assert "A-Z" in caught.value.suggestion


def test_a_duration_is_one_of_three(tool):
    with pytest.raises(InvalidSpec, match="invalid duration 'eternal'") as caught:
        tool(run, duration="eternal")
    assert caught.value.suggestion == "use one of quick, slow, long"


def test_a_tool_has_the_schema_of_its_input(tool):
    assert tool(run, make_class("In", {"x": field(type=int)})).input["required"] == ["x"]


def test_an_input_that_cannot_be_described_is_refused(tool):
    with pytest.raises(InvalidSpec, match="x: "):
        tool(run, make_class("In", {"x": field(type=set)}))


def test_the_output_is_read_from_the_handlers_annotation(tool):
    about_the_answer = {"nextCursor", "unknown", "cuts", "hidden_characters_removed", "ignored_arguments", "note"}
    assert set(tool(run).output["properties"]) == {"rows"} | about_the_answer


@pytest.mark.parametrize("handler", [lambda ctx, args: None, partial(run)])
def test_a_handler_without_return_annotation_has_no_output(tool, handler):
    with pytest.raises(InvalidSpec, match="no return annotation"):
        _ = tool(handler).output


def test_an_output_that_is_no_attrs_class_is_refused(tool):
    async def nothing(ctx, args) -> None:
        pass

    with pytest.raises(InvalidSpec, match="not an attrs class"):
        _ = tool(nothing).output


@pytest.mark.parametrize("annotation", ["OnlyForTypeCheckers", "typing.", "1 + 'a'"])
def test_an_annotation_that_cannot_be_read_is_an_invalid_spec(install_plugin, tool, annotation):
    install_plugin("stithy-hidden", f"async def run(ctx, args) -> {annotation!r}: pass")
    with pytest.raises(InvalidSpec, match="cannot be read") as caught:
        _ = tool("stithy_hidden:run").output
    assert "TYPE_CHECKING" in caught.value.suggestion


def test_a_handler_is_loaded_at_first_need(tool):
    lazy = tool("no.such:handler")
    with pytest.raises(InvalidSpec, match=r"no\.such:handler"):
        _ = lazy.handler


def test_tools_are_listed_by_name(tool):
    assert list(build_registry([tool(run, name="b"), tool(run, name="a")]).tools) == ["a", "b"]


def test_a_tool_is_found_by_its_name(tool):
    one = tool(run, name="one")
    assert build_registry([one]).get("one") is one


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("reed", "Did you mean read?"),
        ("zzz", "tools/list, or `stithy tools`, lists the tools of the installed plugins."),
    ],
)
def test_a_tool_that_is_not_there_is_not_found(tool, asked, said):
    with pytest.raises(ToolNotFound) as caught:
        build_registry([tool(run, name="read")]).get(asked)
    assert caught.value.suggestion == said


def test_a_long_wrong_name_is_shortened(tool):
    with pytest.raises(ToolNotFound) as caught:
        build_registry([tool(run)]).get("x" * 100_000)
    assert len(caught.value.message) < 200


def test_a_tool_that_a_setting_switched_off_is_refused_with_the_reason(tool):
    served = build_registry(
        [tool(run, name="a"), tool(run, name="b")], lambda one: "a toolset" * (one.spec.name == "a")
    )
    assert list(served.tools) == ["b"]
    with pytest.raises(Refused, match="a is switched off: a toolset"):
        served.get("a")


def test_a_remote_caller_is_not_asked_for_what_it_cannot_give(tool):
    """Also if the only required argument is local."""
    folder = field(type=Annotated[str, Meta("A folder", local=True)])
    remote = tool(run, make_class("In", {"folder": folder})).remote
    assert (remote.input.get("required", []), remote.published["properties"]) == ([], {})


def test_a_handler_may_be_an_object(tool):
    class Handler:
        async def __call__(self, ctx, args) -> Result:
            return await run(ctx, args)

    assert "rows" in tool(Handler()).output["properties"]
