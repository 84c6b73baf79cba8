"""An agent of openai-agents, whose model only calls, lists and calls a server over stdio; prints JSON.

Arguments: the command that starts the server.
"""

import asyncio
import json
import sys
from typing import Any, NoReturn

from agents import Agent, Model, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

LISTED = []
PLAN = [("list_plugins", {}), ("pr_comment_list", {"repository": "../..", "pull_request_number": 1})]


class Planned(Model):
    """Calls what the plan has, one after the other, then answers with what came back."""

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[Any],  # noqa: A002 -- the library's name
        model_settings: Any,
        tools: list[Any],
        *rest: Any,
        **more: Any,
    ) -> ModelResponse:
        LISTED[:] = [tool.name for tool in tools]
        answers = [item["output"] for item in input if isinstance(item, dict) and "output" in item]
        if len(answers) < len(PLAN):
            name, arguments = PLAN[len(answers)]
            call = {"call_id": f"call-{len(answers)}", "name": name, "arguments": json.dumps(arguments)}
            item = ResponseFunctionToolCall(type="function_call", **call)
        else:
            text = ResponseOutputText(type="output_text", text=json.dumps(answers), annotations=[])
            item = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **more: Any) -> NoReturn:
        raise NotImplementedError


async def main() -> None:
    set_tracing_disabled(disabled=True)
    async with MCPServerStdio({"command": sys.argv[1], "args": sys.argv[2:]}) as server:
        run = await Runner.run(Agent("planned", model=Planned(), mcp_servers=[server]), "What is there?")
    print(json.dumps({"tools": LISTED, "said": [json.dumps(answer) for answer in json.loads(run.final_output)]}))


asyncio.run(main())
