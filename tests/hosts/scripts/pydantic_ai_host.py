"""An agent of pydantic-ai, whose model only calls, lists and calls a server over stdio; prints JSON.

Arguments: the command that starts the server.
"""

import asyncio
import json
import sys
from typing import Any

from fastmcp.client.transports import StdioTransport
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, RetryPromptPart, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel

ANSWERS = (ToolReturnPart.part_kind, RetryPromptPart.part_kind)
LISTED = []
PLAN = [("list_plugins", {}), ("pr_comment_list", {"repository": "../..", "pull_request_number": 1})]


def model(messages: list[Any], info: Any) -> ModelResponse:
    """Call what the plan has, one after the other, then answer with what came back."""
    LISTED[:] = [tool.name for tool in info.function_tools]
    answers = [part for message in messages for part in message.parts if part.part_kind in ANSWERS]
    if len(answers) < len(PLAN):
        name, arguments = PLAN[len(answers)]
        return ModelResponse(parts=[ToolCallPart(name, arguments)])
    return ModelResponse(parts=[TextPart(json.dumps([str(part.content) for part in answers]))])


async def main() -> None:
    # On a busy machine the server needs longer to start than the five seconds that are the default.
    toolset = MCPToolset(StdioTransport(command=sys.argv[1], args=sys.argv[2:]), init_timeout=60)
    run = await Agent(FunctionModel(model), toolsets=[toolset]).run("What is there?")
    print(json.dumps({"tools": LISTED, "said": json.loads(run.output)}))


asyncio.run(main())
