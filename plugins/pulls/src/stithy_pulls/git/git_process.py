"""Run git without a shell, a terminal or configuration of others, within limits of time and output size."""

import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from attrs import frozen

from stithy_pulls.git.git_errors import GitError

MOST_BYTES = 64 * 1024 * 1024
"""Bytes that a command may print."""
MOST_SAID = 64 * 1024
"""Bytes of standard error that are kept."""

StderrListener = Callable[[str], Awaitable[None]]


@frozen
class GitOutput:
    """The result of a command: its exit status, standard output, and the end of standard error."""

    exit_code: int
    stdout: bytes
    stderr: str


async def run_git(
    command: Sequence[str],
    environ: Mapping[str, str],
    *,
    stdin: bytes = b"",
    seconds: float = 60,
    most: int = MOST_BYTES,
    on_stderr: StderrListener | None = None,
) -> GitOutput:
    """Run a command to its end. Cancellation kills the process.

    Args:
        command: The program and its arguments.
        environ: Its whole environment.
        stdin: Its standard input.
        seconds: How long it may take.
        most: How many bytes it may print.
        on_stderr: Called with each piece of standard error.

    Raises:
        GitError: The program does not exist, took too long or printed too much.
    """
    out, stderr = bytearray(), bytearray()
    process = await _start(command, environ)
    try:
        with anyio.fail_after(seconds):
            async with anyio.create_task_group() as group:
                group.start_soon(_write_stdin, process.stdin, stdin)
                group.start_soon(_read_stdout, process.stdout, out, most, group.cancel_scope)
                group.start_soon(_read_stderr, process.stderr, stderr, on_stderr)
            if len(out) > most:
                raise GitError(
                    f"git {command[1]} printed more than {most:,} bytes", suggestion="Run the command in a clone."
                )
            code = await process.wait()
    except TimeoutError:
        text = f"git {command[1]} took longer than {seconds:g} seconds"
        raise GitError(text, suggestion="Increase git_seconds in [pulls].") from None
    finally:
        await _terminate(process)
    return GitOutput(code, bytes(out), stderr.decode(errors="replace"))


async def _start(command: Sequence[str], environ: Mapping[str, str]) -> Process:
    try:
        # Cancelled while it starts, only the process itself would be killed, and its children would go on.
        with anyio.CancelScope(shield=True):
            process = await anyio.open_process(command, env=environ, cwd=os.sep, start_new_session=True)
    except (OSError, ValueError) as error:
        text = f"{command[0]} cannot be started: {getattr(error, 'strerror', None) or error}"
        raise GitError(text, suggestion="Install git 2.38 or newer, or set its path as git in [pulls].") from error
    return process


async def _write_stdin(stream: ByteSendStream | None, stdin: bytes) -> None:
    assert stream is not None
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, BrokenPipeError, ConnectionResetError):
        if stdin:
            await stream.send(stdin)
        await stream.aclose()


async def _read_stdout(
    stream: ByteReceiveStream | None, kept: bytearray, most: int, all_three: anyio.CancelScope
) -> None:
    assert stream is not None
    async for piece in stream:
        kept += piece
        if len(kept) > most:
            all_three.cancel()
            return


async def _read_stderr(stream: ByteReceiveStream | None, kept: bytearray, on_stderr: StderrListener | None) -> None:
    """Keep the end of standard error, which names the cause of a failure."""
    assert stream is not None
    async for piece in stream:
        kept += piece
        del kept[:-MOST_SAID]
        if on_stderr is not None:
            await on_stderr(piece.decode(errors="replace"))


async def _terminate(process: Process) -> None:
    """Kill the process and its children if it still runs, and close its pipes."""
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
        await process.aclose()
