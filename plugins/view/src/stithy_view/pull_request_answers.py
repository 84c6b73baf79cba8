"""Calls the tools that the view shows, each with all of its pages."""

import json
from collections.abc import Container, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from re import search
from typing import Any

import anyio
from attrs import frozen

from stithy_core.spi import Scope, StithyError, ToolAnswer

MOST_PAGES = 20


@frozen
class ToolCall:
    """A call of a tool that the view shows.

    Args:
        tool: The tool.
        arguments: Its arguments beside the pull request.
        by_repository: Whether it takes the repository instead of the pull request.
        rows: The list of its answer that has pages; empty if it has none.
    """

    tool: str
    arguments: Mapping[str, Any]
    by_repository: bool
    rows: str


@frozen
class PullRequestAnswers:
    """The answers of the tools about a pull request.

    Args:
        pr: The pull request as the caller named it.
        made: When they were read, UTC.
        answers: By tool.
    """

    pr: str
    made: datetime
    answers: Mapping[str, ToolAnswer]

    @property
    def failure(self) -> ToolAnswer | None:
        """The first error if no tool could read the pull request; None otherwise."""
        answers = [self.answers[call.tool] for call in list_calls(self.answers) if not call.by_repository]
        return answers[0] if all(answer.is_error for answer in answers) else None


@cache
def read_settings() -> Mapping[str, Any]:
    """Return the calls, and the patterns by which the page and this module read the name of a pull request."""
    settings: Mapping[str, Any] = json.loads(
        files("stithy_view").joinpath("tool_calls.json").read_text(encoding="utf-8")
    )
    return settings


def list_calls(tools: Container[str] | None = None) -> tuple[ToolCall, ...]:
    """Return the calls in the order of the sections: of these tools, or all."""
    return tuple(
        ToolCall(row["tool"], row.get("arguments", {}), row.get("by_repository", False), row.get("list", ""))
        for row in read_settings()["calls"]
        if tools is None or row["tool"] in tools
    )


async def read_answers(
    scope: Scope, pr: str, seconds: float, tools: Container[str] | None = None
) -> PullRequestAnswers:
    """Call the tools at the same time.

    Args:
        scope: The scope or context of the caller, whose rights the calls have.
        pr: The pull request.
        seconds: The time limit of each call. A call that takes longer is an error among the answers.
        tools: The tools to call; None calls all.
    """
    calls = list_calls(tools)
    answers: dict[str, ToolAnswer] = {}

    async def read(call: ToolCall) -> None:
        with anyio.move_on_after(seconds):
            answers[call.tool] = await _read_pages(scope, call, pr)

    async with anyio.create_task_group() as group:
        for call in calls:
            group.start_soon(read, call)
    late = create_error(f"no answer within {seconds:g} seconds", "Try again: what was read meanwhile is kept.")
    return PullRequestAnswers(pr, datetime.now(UTC), {call.tool: answers.get(call.tool, late) for call in calls})


async def _read_pages(scope: Scope, call: ToolCall, pr: str) -> ToolAnswer:
    """Return the answer of a tool, with the rows of all pages in its list."""
    arguments = dict(call.arguments)
    if call.by_repository:
        repository = search(read_settings()["repository"], pr)
        if repository is None:
            return create_error(f"the repository cannot be told from {pr!r}", "Write owner/repo#123, or its URL.")
        arguments["repository"] = repository[1]
    else:
        arguments["pr"] = pr
    answer = await _call_tool(scope, call.tool, arguments)
    rows: list[Any] = []
    for _ in range(MOST_PAGES):
        cursor = answer.structured.get("nextCursor")
        if not (cursor and call.rows):
            break
        following = await _call_tool(scope, call.tool, {**arguments, "cursor": cursor})
        if following.is_error:
            break
        rows += answer.structured[call.rows]
        answer = following
    if not rows:
        return answer
    return ToolAnswer({**answer.structured, call.rows: [*rows, *answer.structured[call.rows]]}, answer.text)


async def _call_tool(scope: Scope, tool: str, arguments: Mapping[str, Any]) -> ToolAnswer:
    try:
        return await scope.call_tool(tool, arguments)
    except StithyError as error:  # the tool's plugin is not installed, or a setting disables it
        return create_error(error.message, error.suggestion)


def create_error(message: str, suggestion: str) -> ToolAnswer:
    """Return an answer that says why there is none."""
    return ToolAnswer({"error": message, "suggestion": suggestion}, f"{message}. {suggestion}", is_error=True)
