"""What the tests of readiness share: the tool on GitHub's double."""

import json
from contextlib import asynccontextmanager

import anyio
import pytest
from attrs import frozen
from github_double.stage import serving

from stithy_testing import connect, make_app

TOOL = "check_merge_readiness"


@frozen
class Answer:
    """What the tool answered: its object, its text, and how many bytes both take."""

    told: dict
    text: str
    size: int

    @property
    def ready(self):
        return self.told["ready_to_merge"]

    @property
    def categories(self):
        return [issue["category"] for issue in self.told["blocking_issues"]]

    @property
    def unknown(self):
        return {row["field"]: row["reason"] for row in self.told.get("unknown", ())}

    @property
    def unproven(self):
        """What is not known, as one text: the questions and the reasons."""
        return json.dumps(self.told.get("unproven", []), ensure_ascii=False)

    def blocker(self, category):
        (found,) = [issue for issue in self.told["blocking_issues"] if issue["category"] == category]
        return found


def answer_of(result):
    """Read a result."""
    assert not result.is_error, result.content[0].text
    text = result.content[0].text
    whole = json.dumps(result.structured_content, ensure_ascii=False, separators=(",", ":"))
    return Answer(result.structured_content, text, len(whole.encode()) + len(text.encode()))


@pytest.fixture
def read():
    """Read a result of the tool."""
    return answer_of


@pytest.fixture
def checking(tmp_path):
    """Serve a scene, and give what checks its pull request with the token of somebody."""

    @asynccontextmanager
    async def enter(it, who="administrator"):
        with serving("", it.world) as served:
            settings = f'[forges.hub]\nkind = "github"\nurl = "{served.url}"\ntoken = {{ env = "HUB_TOKEN" }}\n'
            app = make_app(tmp_path, settings, environ={"HUB_TOKEN": it.token(who)})
            async with connect(app) as client:

                async def check(number=None):
                    number = number or it.pull.number
                    with anyio.fail_after(30):
                        return answer_of(await client.call_tool(TOOL, {"pr": f"forge/lab#{number}"}))

                yield check

    return enter


@pytest.fixture
def check(checking):
    """Check once."""

    async def once(it, who="administrator"):
        async with checking(it, who) as asked:
            return await asked()

    return once
