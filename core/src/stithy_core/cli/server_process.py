"""The server of `stithy dev`: a process that is replaced after each change, while the client keeps its connection.

A new process, because Python cannot replace modules: other modules and running threads keep the old classes, and a
module whose import never ends, or that ends the process, would end the session, too. Over standard input and output
this process keeps the connection, and repeats to a new server what belongs to the session: in the protocol of
2026-07-28 the open `subscriptions/listen`, before that the handshake, the log level and the subscriptions.
"""

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, BinaryIO

import anyio
import click
from anyio.abc import ByteReceiveStream, Process, TaskGroup
from attrs import define, field

SECONDS_TO_END = 5.0
INTERNAL_ERROR = -32603
CALL = "tools/call"
INITIALIZE, INITIALIZED = "initialize", "notifications/initialized"
LISTEN, ACKNOWLEDGED = "subscriptions/listen", "notifications/subscriptions/acknowledged"
SUBSCRIBE, UNSUBSCRIBE = "resources/subscribe", "resources/unsubscribe"
SETUP = (INITIALIZE, INITIALIZED, "logging/setLevel", SUBSCRIBE)
"""What a client sends once in a session with a handshake, in this order."""
LISTS = ("tools", "prompts", "resources")
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

Message = dict[str, Any]
Watch = Callable[[Callable[[], Awaitable[None]]], Coroutine[Any, Any, None]]
"""Calls a function after each change."""


def show(text: str) -> None:
    """Write a line about the server to standard error."""
    click.echo(f"stithy dev: {text}", err=True)


@define(eq=False)
class ServerProcess:
    """The process of the server.

    Args:
        command: The command line.
        environ: The environment.
        piped: Whether its standard input and output are pipes to this process.

    Attributes:
        process: The process of the moment; None while there is none.
    """

    command: Sequence[str]
    environ: Mapping[str, str]
    piped: bool = False
    process: Process | None = field(default=None, init=False)

    async def start(self) -> Process:
        """Start the process and return it."""
        pipe = subprocess.PIPE if self.piped else None
        self.process = await anyio.open_process(self.command, env=self.environ, stdin=pipe, stdout=pipe, stderr=None)
        return self.process

    async def stop(self) -> None:
        """End the process, if there is one, and wait for its end; it is killed if it does not end in time."""
        process, self.process = self.process, None
        if process is None:
            return
        with anyio.CancelScope(shield=True):
            if process.stdin is not None:
                await process.stdin.aclose()  # a client that closes its end stops a server
            elif process.returncode is None:
                process.terminate()
            with anyio.move_on_after(SECONDS_TO_END):
                await process.wait()
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def restart(self) -> None:
        """Stop the process, and start it again."""
        await self.stop()
        await self.start()


@define(eq=False)
class SessionState:
    """What a new server has to know of a client's session.

    Attributes:
        setup: The messages of a session with a handshake, by method and URI, oldest first.
        pending: The requests that were not answered, by the JSON of their ids.
        acknowledged: The keys of the `subscriptions/listen` that were acknowledged.
        repeated: The keys of repeated requests, whose answers the client has already.
    """

    setup: dict[tuple[str, str], Message] = field(factory=dict)
    pending: dict[str, Message] = field(factory=dict)
    acknowledged: set[str] = field(factory=set)
    repeated: set[str] = field(factory=set)

    def record_sent(self, message: Message) -> None:
        """Record a message of the client."""
        method, params = message.get("method"), message.get("params") or {}
        if method in SETUP:
            self.setup[method, str(params.get("uri", ""))] = message
        elif method == UNSUBSCRIBE:
            self.setup.pop((SUBSCRIBE, str(params.get("uri", ""))), None)
        elif method == "notifications/cancelled":
            self.pending.pop(json.dumps(params.get("requestId")), None)
        if method is not None and "id" in message:
            self.pending[json.dumps(message["id"])] = message

    def record_received(self, message: Message) -> bool:
        """Record a message of the server; return whether the client is to receive it."""
        if message.get("method") == ACKNOWLEDGED:
            key = json.dumps(message["params"]["_meta"][SUBSCRIPTION_ID])
            is_new = key not in self.acknowledged
            self.acknowledged.add(key)
            return is_new
        if "method" in message or "id" not in message:
            return True
        key = json.dumps(message["id"])
        self.pending.pop(key, None)
        if key in self.repeated:
            self.repeated.discard(key)
            return False
        return True

    def take_calls(self) -> list[Message]:
        """Remove and return the tool calls that were not answered: they must not be repeated."""
        calls = {key: message for key, message in self.pending.items() if message["method"] == CALL}
        self.pending = {key: message for key, message in self.pending.items() if key not in calls}
        return list(calls.values())

    def iterate_repetitions(self) -> Iterator[Message]:
        """Iterate over the messages for a new server: the set-up of the session, and requests without an answer."""
        waiting = {id(message) for message in self.pending.values()}
        for number, message in enumerate(self.setup.values()):
            if id(message) in waiting:
                continue
            if "id" in message:
                message = {**message, "id": f"stithy-dev-{number}"}  # noqa: PLW2901 -- a copy with another id
                self.repeated.add(json.dumps(message["id"]))
            yield message
        yield from self.pending.values()

    def iterate_changes(self) -> Iterator[Message]:
        """Iterate over the notifications that every list may have changed, as far as the client asked for them."""
        for name in LISTS:
            notification = {"jsonrpc": "2.0", "method": f"notifications/{name}/list_changed"}
            if (INITIALIZED, "") in self.setup:
                yield notification
            for message in self.pending.values():
                if message["method"] == LISTEN and message["params"]["notifications"].get(f"{name}ListChanged"):
                    yield {**notification, "params": {"_meta": {SUBSCRIPTION_ID: message["id"]}}}


class StdioRelay:
    """Passes messages between a client and the server of the moment.

    Args:
        server: The server, with pipes.
        output: The stream that the client reads.
        group: Runs the readers of the servers' answers.
    """

    def __init__(self, server: ServerProcess, output: BinaryIO, group: TaskGroup) -> None:
        self._server = server
        self._output = output
        self._group = group
        self._state = SessionState()
        self._lock = anyio.Lock()
        self._answered = anyio.Event()
        self._is_ending = False

    async def pass_requests(self, source: BinaryIO) -> None:
        """Pass on the messages of the client until it closes its end."""
        while line := await anyio.to_thread.run_sync(source.readline, abandon_on_cancel=True):
            async with self._lock:
                if message := parse_message(line):
                    self._state.record_sent(message)
                if self._server.process is None:
                    self._fail_calls("the server has ended; correct the plugin, and it starts again")
                else:
                    await _send_line(self._server.process, line)
        self._is_ending = True

    async def replace_server(self) -> None:
        """Stop the server, and start it again with the session of the client."""
        async with self._lock:
            await self.stop_server()
            self._fail_calls("the server was started again during this call; call again")
            process = await self._server.start()
            self._answered = anyio.Event()
            self._group.start_soon(self._pass_answers, process, self._answered)
            for message in self._state.iterate_repetitions():
                await _send_line(process, format_message(message))
            for message in self._state.iterate_changes():
                self._write(format_message(message))

    async def stop_server(self) -> None:
        """Stop the server, if there is one, and wait for its last answers."""
        if self._server.process is not None:
            await self._server.stop()
            with anyio.CancelScope(shield=True):
                await self._answered.wait()

    async def _pass_answers(self, process: Process, answered: anyio.Event) -> None:
        """Pass on the messages of one server until it ends.

        A server that is being replaced answers what waits with errors: the next one answers instead.
        """
        assert process.stdout is not None
        async for line in iterate_lines(process.stdout):
            if self._server.process is process or self._is_ending:
                message = parse_message(line)
                if message is None or self._state.record_received(message):
                    self._write(line)
        answered.set()
        if self._server.process is process:  # nobody stopped it
            self._server.process = None
            show(f"the server ended with code {await process.wait()}; it starts again after the next change")
            self._fail_calls("the server ended during this call")

    def _fail_calls(self, reason: str) -> None:
        """Answer the tool calls that wait with an error."""
        for call in self._state.take_calls():
            error = {"code": INTERNAL_ERROR, "message": f"stithy dev: {reason}"}
            self._write(format_message({"jsonrpc": "2.0", "id": call["id"], "error": error}))

    def _write(self, line: bytes) -> None:
        with suppress(BrokenPipeError):  # the client is gone, and its other end is about to be
            self._output.write(line)
            self._output.flush()


async def serve_stdio(command: Sequence[str], environ: Mapping[str, str], watch: Watch) -> None:
    """Serve one client over standard input and output until it closes its end.

    Args:
        command: The command line of the server.
        environ: Its environment.
        watch: Calls a function after each change.
    """
    server = ServerProcess(command, environ, piped=True)
    async with anyio.create_task_group() as group:
        relay = StdioRelay(server, sys.stdout.buffer, group)
        try:
            await relay.replace_server()
            group.start_soon(watch, relay.replace_server)
            await relay.pass_requests(sys.stdin.buffer)
        finally:
            await relay.stop_server()
            group.cancel_scope.cancel()


async def serve_http(command: Sequence[str], environ: Mapping[str, str], watch: Watch) -> None:
    """Serve over HTTP until SIGINT or SIGTERM; the arguments are those of `serve_stdio`.

    The transport has no sessions, so clients repeat what a change interrupts.
    """
    server = ServerProcess(command, environ)
    async with anyio.create_task_group() as group:
        group.start_soon(_cancel_at_signal, group.cancel_scope)
        try:
            await server.start()
            await watch(server.restart)
        finally:
            await server.stop()


async def _cancel_at_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()


async def _send_line(process: Process, line: bytes) -> None:
    assert process.stdin is not None
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):  # its end is noticed where answers are read
        await process.stdin.send(line)


async def iterate_lines(stream: ByteReceiveStream) -> AsyncIterator[bytes]:
    """Iterate over the complete lines of a stream, each with its line end."""
    begun = bytearray()
    async for chunk in stream:
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            yield bytes(begun) + line + b"\n"
            begun.clear()
        begun += rest


def parse_message(line: bytes) -> Message | None:
    """Parse a JSON-RPC message; None for anything else, which is passed on unchanged."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def format_message(message: Message) -> bytes:
    """Return a message as a line."""
    return json.dumps(message).encode() + b"\n"
