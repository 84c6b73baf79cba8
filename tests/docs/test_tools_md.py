"""docs/tools.md: its calls are made and answered as shown, and its tables are held against the code."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from stithy_core import errors
from stithy_core.http.error_mapping import STATUSES
from stithy_core.tools.schema import NOTES
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

PAGE = "tools.md"
COUNT = (Path(__file__).parents[2] / "docs" / PAGE).read_text(encoding="utf-8").count('"arguments": {')
FORGES = '[forges.work]\nkind = "sandbox"\nurl = "https://git.example/sub"\n[forges.play]\nkind = "sandbox"\n'


@pytest.fixture
def app(blocks, install_plugin, tmp_path):
    """A server with the settings of the page, and with the plugin that cannot be imported."""
    install_plugin("stithy-rusty", "import rust")
    return make_app(tmp_path, blocks(PAGE, "toml")[0].text)


@pytest.fixture
def calls(blocks):
    """Return each call of the page with the blocks after it: the text, and the object if it is shown."""
    page = blocks(PAGE)
    shown = [number for number, block in enumerate(page) if '"arguments"' in block.text]
    return [(json.loads(page[number].text), *page[number + 1 : number + 3]) for number in shown]


@pytest.mark.parametrize("number", range(COUNT))
async def test_a_call_is_answered_as_shown(app, calls, fits, number):
    call, text, shown = calls[number]
    async with connect(app) as client:
        result = await client.call_tool(call["name"], call["arguments"])
    assert fits(text.text, result.content[0].text)
    if shown.language == "json" and "arguments" not in shown.text:
        assert result.structured_content == json.loads(shown.text)


def measure(entry):
    return len(json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode())


async def test_the_list_of_tools_has_the_bytes_that_the_table_shows(app, page):
    """Rounded up to 50 bytes; what every host sends to its model stays within the sizes that the page promises."""
    async with connect(app) as client:
        listed = [
            row.model_dump(mode="json", by_alias=True, exclude_none=True) for row in (await client.list_tools()).tools
        ]
    rows = {
        name: int(size.replace(",", ""))
        for name, size in re.findall(r"^\| `([\w-]+)` \| ([\d,]+) \|$", page(PAGE), re.MULTILINE)
    }
    assert {row["name"]: -(-measure(row) // 50) * 50 for row in listed} == rows
    assert measure(listed) <= 20_000
    tools = app.executor.registry.tools
    plugins = ("stithy-core", "stithy-comments", "stithy-ci")
    reading = [
        row for row in listed if (tool := tools[row["name"]]).origin.distribution in plugins and not tool.spec.toolset
    ]
    assert len(reading) == 9
    assert measure(reading) <= 8_000


async def test_the_instructions_begin_with_what_the_server_is_for(app):
    """A host that searches tools shows its model no more than the first 240 characters."""
    async with connect(app) as client:
        purpose = client.instructions[:240]
    for topic in (
        "review threads",
        "merge readiness",
        "CI failures",
        "issues",
        "architecture decisions",
        "stacked PRs",
    ):
        assert topic in purpose


def test_every_call_is_made(calls):
    assert len(calls) == COUNT


def test_the_table_has_every_tool_as_it_is(app, page, product_limits):
    lines = page(PAGE).splitlines()
    missing = []
    for tool in app.executor.registry.tools.values():
        spec = tool.spec
        needs = ", ".join(f"`{operation.__qualname__}`" for operation in spec.needs) or "nothing"
        toolset = f"`{spec.toolset}`" if spec.toolset else "none"
        end = f"| {spec.effects.value} | {product_limits[spec.duration]:.0f} s | {toolset} | {needs} |"
        if not any(line.startswith(f"| [`{spec.name}`]") and line.endswith(end) for line in lines):
            missing.append(f"{spec.name}: {end}")
    assert not missing


def test_every_argument_has_a_row(app, page):
    cells = " ".join(line.split("|")[1] for line in page(PAGE).splitlines() if line.startswith("| `"))
    tools = app.executor.registry.tools.values()
    named = {(tool.spec.name, name) for tool in tools for name in tool.input["properties"]}
    assert not [pair for pair in named if f"`{pair[1]}`" not in cells]


@pytest.mark.parametrize("name", NOTES)
def test_fields_of_every_answer_have_a_row(page, name):
    assert f"\n| `{name}` |" in page(PAGE)


# --- Naming


FORMS = [
    ("work:smith/anvil", "work", "smith/anvil"),
    ("play:owner/repo", "play", "owner/repo"),
    ("https://git.example/sub/owner/repo", "work", "owner/repo"),
    ("https://git.example/sub/owner/repo/pulls/7/files", "work", "owner/repo"),
    ("git@git.example:sub/owner/repo.git", "work", "owner/repo"),
    ("ssh://git@git.example:2222/owner/repo.git", "work", "owner/repo"),
    ("play:group/team/repo", "play", "group/team/repo"),
]


@pytest.mark.parametrize(("written", "alias", "repository"), FORMS)
async def test_a_repository_is_found_as_it_is_written(tmp_path, page, written, alias, repository):
    forge, ref = await make_app(tmp_path, FORGES).forges.repository(written)
    assert (forge.config.alias, str(ref)) == (alias, repository)
    assert written.partition(":")[2] in page(PAGE) or written.startswith("work:")


@pytest.mark.parametrize("written", ["owner/repo#123", "owner/repo/pulls/123", "play:owner/repo#123"])
async def test_a_pull_request_is_found_as_it_is_written(app, page, written):
    _, ref = await app.forges.pull_request(written)
    assert str(ref) == "owner/repo#123"
    assert f"`{written}`" in page(PAGE)


async def test_a_local_clone_is_named_by_its_origin(tmp_path):
    for words in (["init", "-q"], ["remote", "add", "other", "https://git.example/sub/a/b"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    subprocess.run(["git", "remote", "add", "origin", "git@git.example:o/r.git"], cwd=tmp_path, check=True)
    _, ref = await make_app(tmp_path, FORGES).forges.repository(str(tmp_path))
    assert str(ref) == "o/r"


# --- Errors


def kinds(cls=errors.StithyError):
    """Return every subclass of an error class."""
    return [kind for below in cls.__subclasses__() for kind in (below, *kinds(below))]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_code_has_a_row(page, kind):
    assert f"| {kind.code} | {kind.category} |" in page(PAGE)


def test_every_field_of_an_error_has_a_row(page):
    whole = errors.StithyError("m", suggestion="s", retry_after=1, details={"status": 1}).as_dict()
    cells = " ".join(line.split("|")[1] for line in page(PAGE).splitlines() if line.startswith("| `"))
    assert not [name for name in whole if f"`{name}`" not in cells]


def test_every_status_that_is_told_apart_has_a_row(page):
    table = page(PAGE).split("| Status |")[-1]
    assert not [status for status in STATUSES if not re.search(rf"^\| [^|]*\b{status}\b", table, re.MULTILINE)]


async def test_an_unknown_tool_is_an_error_of_the_protocol(app):
    async with connect(app) as client:
        with pytest.raises(Exception, match="unknown tool 'nothing'") as caught:
            await client.call_tool("nothing")
    assert caught.value.error.code == -32602
    assert caught.value.error.data["code"] == -32001


BROKEN = """
from attrs import frozen
from stithy_core.spi import ToolSpec, hookimpl

STITHY_API = 1

@frozen
class Nothing:
    pass

@hookimpl
def stithy_tools():
    return [ToolSpec(name="x", title="T", description="D", input=Nothing, handler="no.where:yet")]
"""


async def test_load_errors_have_their_own_code(install_plugin, tmp_path):
    install_plugin("stithy-x", BROKEN)
    answer = await make_app(tmp_path).executor.call("x", {})
    assert answer.structured["code"] == -32004


# --- Statistics


def shape(value):
    """Return the names in an object, at every depth."""
    return {name: shape(inner) for name, inner in value.items()} if isinstance(value, dict) else None


async def test_the_statistics_have_the_names_of_the_page(app, blocks):
    async with connect(app) as client:
        for number in (1, 2):
            await client.call_tool("pr_comment_list", {"repository": "smith/anvil", "pull_request_number": number})
        read = await client.read_resource("stithy://statistics")
    found, shown = json.loads(read.contents[0].text), json.loads(blocks(PAGE, "json")[-1].text)
    assert shape(found) == shape(shown)
    assert [found[name] for name in ("invocations", "failures", "timeouts")] == [2, 1, 0]
