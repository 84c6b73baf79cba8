"""Prompts: built in and of the project's files, filled in once."""

import json

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference
from pattern_rules import NO_PRINT

from stithy_archdocs.document_models import DocumentSnapshot
from stithy_archdocs.prompts.prompt_expansion import Expansion
from stithy_archdocs.prompts.prompt_models import PromptTemplate, TemplateArgument, TemplateMessage
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

ROOT = '[archdocs]\nroot = "."\n'
SPEC = """I'll help you validate this code against our patterns.

Tool: validate-against-pattern
Description: Validates code against documented architectural patterns
Parameters:
  - code (required): Code to validate (max 50000 chars)
  - pattern_name (required): Name of pattern to validate against
  - language (optional): Programming language
"""


@pytest.fixture
def project(tmp_path):
    def write(**prompts):
        files = {"mcp/resources/patterns/quiet.md": f"# Quiet\n\n```yaml ast-grep\n{json.dumps(NO_PRINT)}\n```\n"}
        files["mcp/resources/patterns/deep/loud.md"] = "# Loud\n"
        files["docs/adr/0007-use-kafka.md"] = "# 7. Use Kafka\n\n## Status\n\nAccepted\n"
        files |= {
            f"mcp/prompts/{name}.json": text if isinstance(text, str) else json.dumps(text)
            for name, text in prompts.items()
        }
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        return tmp_path

    return write


def prompt(text, *arguments, name="mine", **more):
    rows = [{"name": argument, "required": False} for argument in arguments]
    messages = [{"role": "user", "content": {"type": "text", "text": text}}]
    return {"name": name, "description": "D", "arguments": rows, "messages": messages} | more


async def fill_prompt(folder, name="mine", **arguments):
    async with connect(make_app(folder, ROOT)) as client:
        return [message.content.text for message in (await client.get_prompt(name, arguments)).messages]


async def read_error(folder, **arguments):
    async with connect(make_app(folder, ROOT)) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("mine", arguments)
    return str(caught.value)


async def test_the_guided_prompt_begins_as_the_spec_says(project):
    texts = await fill_prompt(project(), "guided-pattern-validation", code="print(1)")
    assert texts[0].startswith(SPEC)
    assert texts[0].endswith("\n\nYou can use the validate-against-pattern tool with your code to check compliance.")


async def test_arguments_of_the_guided_prompt_are_defaults_of_the_call(project):
    async with connect(make_app(project(), ROOT)) as client:
        given = {"code": "print(1)", "pattern_name": "quiet"}
        messages = (await client.get_prompt("guided-pattern-validation", given)).messages
        handle = messages[-1].content.text.split('workflow_handle="')[1].split('"')[0]
        result = await client.call_tool("validate-against-pattern", {"workflow_handle": handle})
    assert result.structured_content["verdict"] == "violations"


async def test_files_of_the_call_count_more_than_the_code_of_the_prompt(project):
    folder = project()
    (folder / "a.py").write_text("x = 1\n")
    async with connect(make_app(folder, ROOT)) as client:
        given = {"code": "print(1)", "pattern_name": "quiet"}
        messages = (await client.get_prompt("guided-pattern-validation", given)).messages
        handle = messages[-1].content.text.split('workflow_handle="')[1].split('"')[0]
        result = await client.call_tool("validate-against-pattern", {"workflow_handle": handle, "files": ["a.py"]})
    assert result.structured_content["compliant"] is True


@pytest.mark.parametrize(
    "name", ["create-adr", "guided-pattern-validation", "review-code-against-patterns", "suggest-patterns"]
)
async def test_every_built_in_prompt_is_filled_without_a_rest(project, name):
    arguments = {"code": "x", "title": "x", "problem": "x"}
    async with connect(make_app(project(), ROOT)) as client:
        (row,) = [row for row in (await client.list_prompts()).prompts if row.name == name]
        needed = {one.name: arguments[one.name] for one in row.arguments if one.required}
        texts = [message.content.text for message in (await client.get_prompt(name, needed)).messages]
    assert not any("{{" in text or "is not there" in text for text in texts)


async def test_placeholders_in_arguments_and_documents_stay_text(project):
    folder = project(mine=prompt("{{a}}|{{resource:architecture://patterns/evil}}", "a"))
    (folder / "mcp/resources/patterns/evil.md").write_text("# Evil\n\n{{a}} {{tool:list_plugins}}\n")
    value = "{{a}} {{tool:list_plugins}} {{resource:architecture://patterns/*}}"
    assert await fill_prompt(folder, a=value) == [f"{value}|# Evil\n\n{{{{a}}}} {{{{tool:list_plugins}}}}\n"]


@given(st.text(alphabet="{}:ab*/ tolresuc_-", max_size=60))
def test_no_argument_is_ever_expanded(value):
    template = PromptTemplate(
        name="t", arguments=(TemplateArgument(name="a"),), messages=(TemplateMessage(role="user", text=""),)
    )
    snapshot = DocumentSnapshot(version=1, documents={})
    assert Expansion(template, {"a": value}, snapshot, None).fill("<{{a}}>") == f"<{value}>"


async def test_an_omitted_argument_is_empty_and_an_undeclared_name_stays(project):
    assert await fill_prompt(project(mine=prompt("[{{a}}] [{{other}}]", "a"))) == ["[] [{{other}}]"]


async def test_a_variable_within_a_uri_is_filled_before_the_document_is_looked_up(project):
    folder = project(mine=prompt("{{resource:architecture://adr/{{adr_id}}}}.", "adr_id"))
    assert (await fill_prompt(folder, adr_id="7"))[0].startswith("# 7. Use Kafka")
    assert await fill_prompt(folder) == ["."]


@pytest.mark.parametrize("value", ["*", "../../secret", "nothing"])
async def test_an_argument_means_one_document_or_the_text_says_that_there_is_none(project, value):
    folder = project(mine=prompt("{{resource:architecture://patterns/{{p}}}}", "p"))
    assert await fill_prompt(folder, p=value) == [f"(no such pattern: architecture://patterns/{value}.)"]


async def test_an_argument_that_may_mean_several_documents_names_them(project):
    """No unclear reference of a slash command is an error (FIX-37)."""
    folder = project(mine=prompt("{{resource:architecture://adr/{{id}}}}", "id"))
    (folder / "docs/adr/0007-use-rabbit.md").write_text("# 7. Use Rabbit\n")
    (text,) = await fill_prompt(folder, id="7")
    assert "matches architecture://adr/" in text
    assert "0007-use-rabbit" in text


async def test_a_title_that_a_host_split_at_spaces_fills_the_prompt(project):
    """Claude Code sends the words of `/create-adr Use one hammer` as three arguments (FIX-37)."""
    (text,) = await fill_prompt(project(), "create-adr", title="Use", context="one", adr_id="hammer")
    assert "(no such record: architecture://adr/hammer." in text
    assert "split one argument at its spaces: 'Use one hammer'" in text


async def test_placeholders_of_a_host_stay_and_nothing_is_claimed_of_them(project):
    """opencode sends `$1 $2 $3` and fills the text in when the command is used (FIX-37)."""
    (text,) = await fill_prompt(project(), "create-adr", title="$1", context="$2", adr_id="$3")
    assert "Title: $1\nContext: $2\n" in text
    assert "no such record" not in text
    assert "read it: architecture://adr/$3" in text


async def test_a_workflow_keeps_no_placeholder_of_a_host(project):
    """A workflow must not bring `$1` as the code to validate (FIX-37)."""
    async with connect(make_app(project(), ROOT)) as client:
        messages = (await client.get_prompt("guided-pattern-validation", {"code": "$1", "pattern_name": "$2"})).messages
        handle = messages[-1].content.text.split('workflow_handle="')[1].split('"')[0]
        result = await client.call_tool("validate-against-pattern", {"workflow_handle": handle})
    assert "code is required" in result.content[0].text


async def test_a_price_is_no_placeholder_of_a_host(project):
    """Hosts number placeholders as the prompt has arguments, so a later number is a value."""
    (text,) = await fill_prompt(project(), "create-adr", title="$1", context="$2", adr_id="$5")
    assert "no such record: architecture://adr/$5" in text
    async with connect(make_app(project(), ROOT)) as client:
        given = {"code": "$500", "pattern_name": "$1"}
        messages = (await client.get_prompt("guided-pattern-validation", given)).messages
        handle = messages[-1].content.text.split('workflow_handle="')[1].split('"')[0]
        result = await client.call_tool("validate-against-pattern", {"workflow_handle": handle})
    assert "pattern_name is required" in result.content[0].text
    assert "code is required" not in result.content[0].text


async def test_a_wildcard_that_fits_no_document_says_so(project):
    """An empty list of patterns is said, not left to be guessed (FIX-37)."""
    assert await fill_prompt(project(mine=prompt("Ours: {{resource:architecture://guidelines/*}}"))) == [
        "Ours: (no such guideline: architecture://guidelines/*.)"
    ]


async def test_a_wildcard_embeds_all_with_their_uris(project):
    (text,) = await fill_prompt(project(mine=prompt("{{resource:architecture://patterns/*}}")))
    assert [line for line in text.split("\n") if line.startswith("[arch")] == [
        "[architecture://patterns/deep/loud.md]",
        "[architecture://patterns/quiet.md]",
    ]


async def test_a_prompt_embeds_fifty_documents_and_says_which_it_leaves_out(project):
    folder = project(mine=prompt("{{resource:architecture://guidelines/*}}{{resource:architecture://patterns/quiet}}"))
    (folder / "mcp/resources/guidelines").mkdir()
    for number in range(52):
        (folder / f"mcp/resources/guidelines/g{number:02}.md").write_text(f"# G{number}\n")
    (text,) = await fill_prompt(folder)
    assert text.count("# G") == 50
    assert "2 documents are omitted" in text
    assert "architecture://guidelines/g51.md" in text
    assert "# Quiet" not in text


async def test_a_prompt_embeds_a_megabyte_at_most(project):
    folder = project(mine=prompt("{{resource:architecture://patterns/*}}"))
    (folder / "mcp/resources/patterns/huge.md").write_text("x" * 1_000_001)
    (text,) = await fill_prompt(folder)
    assert len(text) < 10_000
    assert "1 documents are omitted" in text


async def test_a_file_takes_the_place_of_a_built_in_prompt(project):
    folder = project(guided=prompt("Mine.", name="guided-pattern-validation", workflow=False))
    assert await fill_prompt(folder, "guided-pattern-validation") == ["Mine."]


async def test_a_prompt_that_names_a_tool_of_workflows_begins_one(project):
    texts = await fill_prompt(project(mine=prompt("{{tool:validate-against-pattern}}")))
    assert "workflow_handle=" in texts[-1]


async def test_an_argument_that_is_too_long_is_an_error(project):
    arguments = [{"name": "a", "maxLength": 3}]
    folder = project(mine=prompt("{{a}}") | {"arguments": arguments})
    assert "a has more than 3 characters" in await read_error(folder, a="abcd")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON in UTF-8"),
        ("[]", "not a JSON object"),
        (prompt("x", name="Not A Name"), "invalid prompt name 'Not A Name'"),
        (prompt("x") | {"messages": []}, "messages are missing"),
        (prompt("x") | {"messages": [{"role": "system", "content": "x"}]}, "invalid role 'system'"),
        (prompt("x") | {"arguments": [{"name": "a b"}]}, "argument name 'a b'"),
        (prompt("{{tool:no-such}}"), "unknown tool 'no-such'"),
        (prompt("{{resource:architecture://patterns/none}}"), "unknown document architecture://patterns/none"),
        (prompt("{{who}}"), "placeholder {{who}} has no argument"),
    ],
)
async def test_the_check_lists_errors_of_prompts(project, text, said):
    async with connect(make_app(project(mine=text), ROOT)) as client:
        found = (await client.call_tool("check_architecture_docs", {})).structured_content
    assert [row for row in found["problems"] if row["path"] == "mcp/prompts/mine.json" and said in row["message"]]


async def test_a_file_that_breaks_keeps_its_last_good_version(project):
    folder = project(mine=prompt("One."))
    async with connect(make_app(folder, ROOT)) as client:
        assert (await client.get_prompt("mine", {})).messages[0].content.text == "One."
        project(mine="{")
        assert (await client.get_prompt("mine", {})).messages[0].content.text == "One."
        project(mine=prompt("Three."))
        assert (await client.get_prompt("mine", {})).messages[0].content.text == "Three."
        (folder / "mcp/prompts/mine.json").unlink()
        assert "mine" not in [row.name for row in (await client.list_prompts()).prompts]


async def test_clients_are_notified_when_a_prompt_changes(project):
    folder = project(mine=prompt("One."))
    async with connect(make_app(folder, ROOT)) as client, client.listen(prompts_list_changed=True) as heard:
        await client.list_prompts()
        project(mine=prompt("Two."))
        with anyio.fail_after(60):
            assert type(await anext(heard)).__name__ == "PromptsListChanged"
        assert (await client.get_prompt("mine", {})).messages[0].content.text == "Two."


@pytest.mark.parametrize(
    ("argument", "typed", "values"),
    [
        ("pattern_name", "q", ["quiet"]),
        ("pattern_name", "lo", ["deep/loud"]),
        ("adr_id", "7", ["0007-use-kafka"]),
        ("language", "py", ["python"]),
        ("code", "", []),
    ],
)
async def test_arguments_are_completed_with_what_the_tools_take(project, argument, typed, values):
    async with connect(make_app(project(), ROOT)) as client:
        reference = PromptReference(type="ref/prompt", name="guided-pattern-validation")
        found = await client.complete(reference, {"name": argument, "value": typed})
    assert found.completion.values == values


async def test_at_most_a_hundred_values_are_given(project):
    folder = project()
    for number in range(120):
        (folder / f"mcp/resources/patterns/p{number:03}.md").write_text("# P\n")
    async with connect(make_app(folder, ROOT)) as client:
        reference = PromptReference(type="ref/prompt", name="guided-pattern-validation")
        found = await client.complete(reference, {"name": "pattern_name", "value": "p"})
    assert found.completion.values == [f"p{number:03}" for number in range(100)]
