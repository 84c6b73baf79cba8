"""Fixtures for readiness: the tool on GitHub's double."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from attrs import frozen
from github_double.stage import serving
from readiness_cases import Scene

from stithy_testing import connect, make_app

TOOL = "check_merge_readiness"


@frozen
class Answer:
    """The tool's answer: its object, its text, and the size of both in bytes."""

    told: dict[str, Any]
    text: str
    size: int

    @property
    def ready(self) -> Any:
        return self.told["ready_to_merge"]

    @property
    def categories(self) -> list[str]:
        return [issue["category"] for issue in self.told["blocking_issues"]]

    @property
    def unknown(self) -> dict[str, str]:
        return {row["field"]: row["reason"] for row in self.told.get("unknown", ())}

    @property
    def unproven(self) -> str:
        """The unproven conditions and their reasons, as one text."""
        return json.dumps(self.told.get("unproven", []), ensure_ascii=False)

    def blocker(self, category: str) -> dict[str, Any]:
        found: list[dict[str, Any]] = [row for row in self.told["blocking_issues"] if row["category"] == category]
        (issue,) = found
        return issue


def answer_of(result: Any) -> Answer:
    """Read a result."""
    assert not result.is_error, result.content[0].text
    text = result.content[0].text
    whole = json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))
    return Answer(result.structured_content, text, len(whole.encode()) + len(text.encode()))


@pytest.fixture
def read() -> Callable[[Any], Answer]:
    """Read a result of the tool."""
    return answer_of


@pytest.fixture
def checking(tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[Callable[..., Awaitable[Answer]]]]:
    """Return a function that serves a scene and yields a check of its pull request with an account's token."""

    @asynccontextmanager
    async def enter(it: Scene, who: str = "administrator") -> AsyncIterator[Callable[..., Awaitable[Answer]]]:
        with serving("", it.world) as served:
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
            app = make_app(tmp_path, settings, environ={"HUB_TOKEN": it.token(who)})
            async with connect(app) as client:

                async def check(number: int | None = None) -> Answer:
                    number = number or it.pull.number
                    with anyio.fail_after(30):
                        return answer_of(await client.call_tool(TOOL, {"pr": f"forge/lab#{number}"}))

                yield check

    return enter


@pytest.fixture
def check(
    checking: Callable[..., AbstractAsyncContextManager[Callable[..., Awaitable[Answer]]]],
) -> Callable[..., Awaitable[Answer]]:
    """Check once."""

    async def once(it: Scene, who: str = "administrator") -> Answer:
        async with checking(it, who) as asked:
            return await asked()

    return once
