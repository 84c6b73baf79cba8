"""A model on the loopback interface that calls the tools of a script: three interfaces that agent hosts speak.

It answers as the published interfaces say: Messages of Anthropic, Responses of OpenAI, and generateContent of Google.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import field, frozen
from beside import beside

Events = Sequence[tuple[str, Mapping[str, Any]]]
DONE = "The script has ended."


@frozen
class Offer:
    """A tool as it reaches the model: its name, the name of its namespace if it has one, its JSON Schema, its bytes."""

    name: str
    namespace: str
    schema: Mapping[str, Any]
    size: int


@frozen
class Dialect:
    """One interface.

    Args:
        list_tools: Returns the tools that a request offers.
        list_results: Returns the texts of the results in a request, in the order of the calls.
        write_call: Returns the events that call a tool with arguments; the number makes its id.
        write_text: Returns the events of a text.
    """

    list_tools: Callable[[Any], list[Offer]]
    list_results: Callable[[Any], list[str]]
    write_call: Callable[[Offer, Mapping[str, Any], int], Events]
    write_text: Callable[[str], Events]


def _join_texts(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _list_anthropic_results(body: Any) -> list[str]:
    blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
    return [_join_texts(block["content"]) for block in blocks if block["type"] == "tool_result"]


def _write_block(block: Mapping[str, Any], delta: Mapping[str, Any], reason: str) -> Events:
    message: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "scripted"}
    message |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    end = {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}}
    return [
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", end),
        ("message_stop", {}),
    ]


ANTHROPIC = Dialect(
    lambda body: [
        Offer(tool["name"], "", tool.get("input_schema", {}), len(json.dumps(tool))) for tool in body.get("tools", ())
    ],
    _list_anthropic_results,
    lambda tool, arguments, number: _write_block(
        {"type": "tool_use", "id": f"call_{number}", "name": tool.name, "input": {}},
        {"type": "input_json_delta", "partial_json": json.dumps(arguments)},
        "tool_use",
    ),
    lambda text: _write_block({"type": "text", "text": ""}, {"type": "text_delta", "text": text}, "end_turn"),
)


def _list_openai_tools(body: Any) -> list[Offer]:
    spaces = [
        (tool.get("tools", [tool]), tool) for tool in body.get("tools", ()) if tool["type"] in {"namespace", "function"}
    ]
    return [
        Offer(each["name"], space["name"] if each is not space else "", each["parameters"], len(json.dumps(each)))
        for tools, space in spaces
        for each in tools
    ]


def _write_item(item: Mapping[str, Any]) -> Events:
    usage = {"input_tokens": 1, "input_tokens_details": None, "output_tokens": 1, "output_tokens_details": None}
    return [
        ("response.created", {"response": {"id": "r"}}),
        ("response.output_item.done", {"item": item}),
        ("response.completed", {"response": {"id": "r", "usage": {**usage, "total_tokens": 2}}}),
    ]


OPENAI = Dialect(
    _list_openai_tools,
    lambda body: [_join_texts(item["output"]) for item in body["input"] if item["type"] == "function_call_output"],
    lambda tool, arguments, number: _write_item(
        {"type": "function_call", "call_id": f"call_{number}", "name": tool.name, "arguments": json.dumps(arguments)}
        | ({"namespace": tool.namespace} if tool.namespace else {})
    ),
    lambda text: _write_item(
        {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": text}]}
    ),
)


def _list_google_results(body: Any) -> list[str]:
    parts = [part for content in body["contents"] for part in content["parts"] if "functionResponse" in part]
    answers = [part["functionResponse"]["response"] for part in parts]
    return [answer.get("output") or json.dumps(answer) for answer in answers]


def _write_part(part: Mapping[str, Any]) -> Events:
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    return [("", {"candidates": [candidate], "usageMetadata": usage})]


GOOGLE = Dialect(
    lambda body: [
        Offer(tool["name"], "", tool.get("parametersJsonSchema") or tool.get("parameters", {}), len(json.dumps(tool)))
        for tools in body.get("tools", ())
        for tool in tools.get("functionDeclarations", ())
    ],
    _list_google_results,
    lambda tool, arguments, number: _write_part({"functionCall": {"name": tool.name, "args": dict(arguments)}}),
    lambda text: _write_part({"text": text}),
)
DIALECTS = {"messages": ANTHROPIC, "responses": OPENAI, "generatecontent": GOOGLE}
"""By a part of the path in lower case."""


@frozen
class Run:
    """What one run of a host did.

    Args:
        script: The tools to call, each by its name in stithy, with its arguments.
        offers: The tools of stithy that were offered with the last request.
        results: What came back, by the number of the call.
    """

    script: Sequence[tuple[str, Mapping[str, Any]]]
    offers: list[Offer] = field(factory=list)
    results: list[str] = field(factory=list)

    def answer(self, dialect: Dialect, body: Any) -> Events:
        """Return the next call of the script, or a text where it has ended or no tool of stithy is offered."""
        offers = [tool for tool in dialect.list_tools(body) if "stithy" in f"{tool.namespace}{tool.name}"]
        if not offers:  # the host asks for a title, or the like
            return dialect.write_text("A title")
        self.offers[:], self.results[:] = offers, dialect.list_results(body)
        if len(self.results) == len(self.script):
            return dialect.write_text(DONE)
        name, arguments = self.script[len(self.results)]
        tool = next(tool for tool in offers if tool.name.replace("-", "_").endswith(name))
        return dialect.write_call(tool, arguments, len(self.results))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    run: Run

    def do_POST(self) -> None:
        body = json.loads(self._read_body())
        part = next((part for part in DIALECTS if part in self.path.lower()), None)
        if part is None or "count" in self.path:
            return self._send("application/json", b'{"input_tokens": 1, "totalTokens": 1}')
        events = self.run.answer(DIALECTS[part], body)
        if not body.get("stream") and "stream" not in self.path:
            return self._send("application/json", json.dumps(events[0][1]).encode())
        rows = (
            (f"event: {name}\n" if name else "")
            + f"data: {json.dumps(({'type': name} if name else {}) | dict(event))}\n\n"
            for name, event in events
        )
        return self._send("text/event-stream", "".join(rows).encode())

    def do_GET(self) -> None:
        self._send("application/json", b"{}")

    do_HEAD = do_GET

    def _read_body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- http.server's name
        """Log nothing: http.server would write every request to standard error."""


@contextmanager
def serve_script(script: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[tuple[str, Run]]:
    """Serve a model that follows a script, and yield its URL and what it sees."""
    run = Run(script)
    handler = type("Handler", (_Handler,), {"run": run})
    with beside(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield f"http://127.0.0.1:{server.server_port}", run
