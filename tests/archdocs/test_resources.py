"""The documents as resources."""

import pytest
from mcp import MCPError

from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

RECORD = "# 1. Use an anvil\n\n## Status\n\nAccepted\n"
SETTINGS = '[archdocs]\nroot = "."\n'


@pytest.fixture
def client(project, tmp_path):
    def connect_to(files, **options):
        project(files)
        return connect(make_app(tmp_path, SETTINGS), **options)

    return connect_to


async def test_each_document_is_listed_with_its_title_and_state(client):
    files = {"docs/adr/0001-use-anvil.md": RECORD, "mcp/resources/patterns/repository-pattern.md": "# Repository\n"}
    async with client(files) as session:
        listed = {str(one.uri): one for one in (await session.list_resources()).resources}
    assert listed["architecture://adr/0001-use-anvil.md"].title == "Use an anvil"
    assert "accepted" in listed["architecture://adr/0001-use-anvil.md"].description
    assert listed["architecture://patterns/repository-pattern.md"].mime_type == "text/markdown"


async def test_a_document_that_is_too_large_says_so(client, tmp_path):
    async with client({"docs/adr/0001-huge.md": "# Huge\n" + "x" * 11 * 2**20}) as session:
        with pytest.raises(MCPError, match=r"docs/adr/0001-huge.md was not read: \d+ bytes, more than \d+"):
            await session.read_resource("architecture://adr/0001-huge.md")


@pytest.mark.parametrize(
    "name", ["0001-use-anvil.md", "0001-use-anvil", "use-anvil", "1", "001", "ADR-1", "Use-Anvil", "0001%2Duse-anvil"]
)
async def test_a_record_is_read_by_any_of_its_names(client, name):
    async with client({"docs/adr/0001-use-anvil.md": RECORD}) as session:
        (content,) = (await session.read_resource(f"architecture://adr/{name}")).contents
    assert content.text == RECORD


@pytest.mark.parametrize("name", ["0", "10", "2", "anvil", "../adr/0001-use-anvil.md", "..%2F..%2Fetc%2Fpasswd", ""])
async def test_an_invalid_name_finds_nothing(client, name):
    async with client({"docs/adr/0001-use-anvil.md": RECORD}) as session:
        with pytest.raises(MCPError):
            await session.read_resource(f"architecture://adr/{name}")


async def test_a_name_of_several_gives_the_candidates(client):
    async with client({"docs/adr/0001-a.md": RECORD, "docs/adr/0001-b.md": RECORD}) as session:
        with pytest.raises(MCPError, match=r"architecture://adr/0001-a\.md, architecture://adr/0001-b\.md"):
            await session.read_resource("architecture://adr/1")


async def test_the_three_families_are_templates(client):
    async with client({}) as session:
        templates = (await session.list_resource_templates()).resource_templates
    uris = {one.uri_template for one in templates}
    assert {"architecture://guidelines/{+path}", "architecture://patterns/{+path}", "architecture://adr/{+id}"} <= uris


async def test_completed_values_can_be_read(client):
    from mcp_types import ResourceTemplateReference

    reference = ResourceTemplateReference(type="ref/resource", uri="architecture://adr/{+id}")
    files = {"docs/adr/0001-use-anvil.md": RECORD, "docs/adr/sub folder/0002-b.md": "# B\n"}
    async with client(files) as session:
        values = (await session.complete(reference, {"name": "id", "value": ""})).completion.values
        assert values == ["0001-use-anvil.md", "sub folder/0002-b.md"]
        assert (await session.complete(reference, {"name": "id", "value": "anv"})).completion.values == values[:1]
        for value in values:
            await session.read_resource(f"architecture://adr/{value.replace(' ', '%20')}")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("adr/use-anvils", r"Similar: architecture://adr/0001-use-anvil\.md"),
        ("adr/xyzzy", "resources/list has all 1"),
        ("patterns/xyzzy", r"no patterns\. Set \[archdocs\] patterns in stithy.toml"),
        ("prompts/xyzzy", "Expected one of architecture://guidelines/"),
    ],
)
async def test_an_error_says_what_to_do_next(client, uri, said):
    async with client({"docs/adr/0001-use-anvil.md": RECORD}) as session:
        with pytest.raises(MCPError, match=said) as caught:
            await session.read_resource(f"architecture://{uri}")
    assert caught.value.error.data["suggestion"] in caught.value.error.message
