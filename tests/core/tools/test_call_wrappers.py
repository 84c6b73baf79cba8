"""Wrappers and guards that fail make the call fail, and the fault is their plugin's: nothing passes unchecked."""

import pytest
from mcp.shared.exceptions import MCPError

from stithy_core.plugins import scan_plugins
from stithy_core.spi import (
    CallWrapper,
    CallWrapperSpec,
    ForgeGuard,
    ForgeGuardSpec,
    Prompt,
    PromptMessage,
    PromptProvider,
    Prompts,
    Refused,
)
from stithy_testing import connect, make_app

pytestmark = pytest.mark.anyio

SANDBOX = '[forges.play]\nkind = "sandbox"\n'
ARGUMENTS = {"repository": "smith/anvil", "pull_request_number": 2}


class Broken(CallWrapper):
    def before(self, call):
        raise KeyError("its own mistake")


class BrokenAround(CallWrapper):
    async def around(self, call, context, proceed):
        raise KeyError("its own mistake")


class BrokenAfter(CallWrapper):
    def after(self, call, answer, error):
        raise KeyError("its own mistake")


class BrokenPrompt(CallWrapper):
    def extend_prompt(self, prompt, arguments, caller, tools):
        raise KeyError("its own mistake")


class Greeting(PromptProvider):
    async def list(self):
        return [Prompt(name="greet", workflow=True)]

    async def get(self, name, arguments):
        return [PromptMessage("hello")]


class Refusing(CallWrapper):
    def before(self, call):
        raise Refused("not on a Friday", suggestion="Wait until Monday.")


class BrokenGuard(ForgeGuard):
    def before(self, operation, arguments):
        raise KeyError("its own mistake")


class RefusingGuard(ForgeGuard):
    async def after(self, operation, arguments, answer):
        raise Refused("these are not yours")


@pytest.fixture
def call(tmp_path, plugin):
    """Call a tool on a server that has one more plugin."""

    async def call_tool_once(tool="pr_comment_list", settings=SANDBOX, **offers):
        app = make_app(tmp_path, settings, entries=[*scan_plugins(), plugin("stithy-odd", **offers)])
        async with connect(app) as client:
            return (await client.call_tool(tool, ARGUMENTS if tool == "pr_comment_list" else {})).structured_content

    return call_tool_once


def offer_wrapper(wrapper):
    """Wrap the calls of one tool."""
    spec = CallWrapperSpec(name="odd", wrapper=wrapper, applies=lambda tool: tool.spec.name == "pr_comment_list")
    return {"stithy_call_wrappers": [spec]}


class BrokenNotes(CallWrapper):
    def note_schemas(self, tool):
        raise KeyError("its own mistake")


class BrokenTypes(CallWrapper):
    def result_types(self, tool):
        raise KeyError("its own mistake")


@pytest.mark.parametrize("wrapper", [Broken, BrokenAround, BrokenNotes, BrokenTypes])
async def test_a_wrapper_that_fails_makes_the_call_fail(call, wrapper):
    """The handler's result is not sent, and the fault is the wrapper's plugin's."""
    answer = await call(**offer_wrapper(wrapper))
    assert answer["code"] == -32603
    assert "stithy-odd 1.0" in answer["error"]
    assert "its own mistake" not in answer["error"]


async def test_a_result_stays_when_a_wrapper_fails_after_it(call):
    answer = await call(**offer_wrapper(BrokenAfter))
    assert "error" not in answer
    assert answer["comments"]


async def test_a_wrapper_refuses_in_its_own_words(call):
    answer = await call(**offer_wrapper(Refusing))
    assert answer["error"].endswith("not on a Friday")
    assert answer["suggestion"] == "Wait until Monday."


async def test_a_wrapper_that_cannot_be_made_makes_the_call_fail(call):
    def broken(scope):
        raise KeyError("its own mistake")

    answer = await call(**offer_wrapper(broken))
    assert "stithy-odd 1.0" in answer["error"]


async def test_other_tools_do_not_pass_a_wrapper(call):
    """`applies` chooses the tools."""
    answer = await call("list_plugins", **offer_wrapper(Broken))
    assert "error" not in answer


async def test_a_wrapper_that_fails_on_a_prompt_is_named(tmp_path, plugin):
    """The fault is attributed as that of a call: in the error, and in what `list_plugins` and `doctor` read."""
    offers = offer_wrapper(BrokenPrompt) | {"stithy_prompts": [Prompts(provider=Greeting)]}
    app = make_app(tmp_path, SANDBOX, entries=[*scan_plugins(), plugin("stithy-odd", **offers)])
    async with connect(app) as client:
        with pytest.raises(MCPError) as caught:
            await client.get_prompt("greet")
    assert caught.value.error.code == -32603
    assert "stithy-odd 1.0" in caught.value.error.message
    assert "its own mistake" not in caught.value.error.message
    [fault] = [wrapper.last_fault for wrapper in app.executor.wrappers if wrapper.last_fault]
    assert (fault.origin.distribution, fault.offer) == ("stithy-odd", "call wrapper odd")


def offer_guard(guard):
    return {"stithy_guards": [ForgeGuardSpec(name="odd", guard=guard)]}


async def test_a_guard_that_fails_makes_the_call_fail(call):
    answer = await call(**offer_guard(BrokenGuard))
    assert answer["code"] == -32603
    assert "stithy-odd 1.0" in answer["error"]
    assert "comments" not in answer


async def test_a_guard_withholds_an_answer(call):
    answer = await call(**offer_guard(RefusingGuard))
    assert answer["error"].endswith("these are not yours")
    assert "comments" not in answer


@pytest.mark.parametrize("settings", [SANDBOX + "lockdown = true\n", SANDBOX + "[serve]\nlockdown = true\n"])
async def test_lockdown_without_its_plugin_shows_nothing(call, settings):
    answer = await call(settings='[plugins]\ndisabled = ["lockdown"]\n' + settings)
    assert "lockdown is on, and the plugin 'lockdown' is not loaded" in answer["error"]


async def test_a_dry_run_without_its_plugin_is_refused(tmp_path):
    """It must not be taken for an argument of no meaning: the comment would be posted."""
    settings = '[plugins]\ndisabled = ["dry_run"]\n' + SANDBOX
    async with connect(make_app(tmp_path, settings)) as client:
        wish = ARGUMENTS | {"comment": "Fine.", "dry_run": True}
        answer = (await client.call_tool("pr_comment_create", wish)).structured_content
        listed = (await client.call_tool("pr_comment_list", ARGUMENTS)).structured_content
    assert "dry_run" in answer["error"]
    assert "Fine." not in str(listed)


def test_a_third_party_cannot_take_the_name_of_a_built_in_plugin(tmp_path, plugin):
    app = make_app(tmp_path, SANDBOX, entries=[*scan_plugins(), plugin("stithy-lockdown")])
    assert "lockdown" in {
        loaded.origin.entry_point for loaded in app.plugins.loaded if "core" in loaded.origin.distribution
    }
    assert "stithy-lockdown" not in {loaded.origin.distribution for loaded in app.plugins.loaded}
