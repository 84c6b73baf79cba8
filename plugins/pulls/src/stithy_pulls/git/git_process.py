"""Running git: without a shell, a terminal or a configuration of others, within bounds of time and size."""

import os
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress

import anyio
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from attrs import frozen

from stithy_pulls.git.git_errors import GitError

MOST_BYTES = 64 * 1024 * 1024
MOST_SAID = 64 * 1024

StderrListener = Callable[[str], Awaitable[None]]


@frozen
class GitOutput:
    """What a command gave: its exit status, what it printed, and what it complained of."""

    code: int
    out: bytes
    said: str


async def run_git(
    command: Sequence[str],
    environ: Mapping[str, str],
    *,
    given: bytes = b"",
    seconds: float = 60,
    most: int = MOST_BYTES,
    hear: StderrListener | None = None,
) -> GitOutput:
    """Run a command to its end. Whoever is cancelled meanwhile leaves no process behind.

    Args:
        command: The program and its arguments.
        environ: Its whole environment.
        given: What it reads.
        seconds: How long it may take.
        most: How many bytes it may print.
        hear: Is told each piece of what it says on standard error.

    Raises:
        NoGit: It is not there, took too long or printed too much.
    """
    out, said = bytearray(), bytearray()
    process = await _start(command, environ)
    try:
        with anyio.fail_after(seconds):
            async with anyio.create_task_group() as group:
                group.start_soon(_feed, process.stdin, given)
                group.start_soon(_read, process.stdout, out, most, group.cancel_scope)
                group.start_soon(_listen, process.stderr, said, hear)
            if len(out) > most:
                raise GitError(f"git {command[1]} gave more than {most:,} bytes", suggestion="Ask git in a clone.")
            code = await process.wait()
    except TimeoutError:
        text = f"git {command[1]} took longer than {seconds:g} seconds"
        raise GitError(text, suggestion="Raise git_seconds in [pulls].") from None
    finally:
        await _end(process)
    return GitOutput(code, bytes(out), said.decode(errors="replace"))


async def _start(command: Sequence[str], environ: Mapping[str, str]) -> Process:
    try:
        return await anyio.open_process(command, env=environ, cwd=os.sep, start_new_session=True)
    except (OSError, ValueError) as error:
        text = f"{command[0]} cannot be started: {getattr(error, 'strerror', None) or error}"
        raise GitError(text, suggestion="Install git 2.39 or newer, or name it in [pulls] git.") from error


async def _feed(stream: ByteSendStream | None, given: bytes) -> None:
    assert stream is not None
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, BrokenPipeError, ConnectionResetError):
        if given:
            await stream.send(given)
        await stream.aclose()


async def _read(stream: ByteReceiveStream | None, kept: bytearray, most: int, all_three: anyio.CancelScope) -> None:
    assert stream is not None
    async for piece in stream:
        kept += piece
        if len(kept) > most:
            all_three.cancel()
            return


async def _listen(stream: ByteReceiveStream | None, kept: bytearray, hear: StderrListener | None) -> None:
    """Keep the end of what is said, where the cause of a failure stands."""
    assert stream is not None
    async for piece in stream:
        kept += piece
        del kept[:-MOST_SAID]
        if hear is not None:
            await hear(piece.decode(errors="replace"))


async def _end(process: Process) -> None:
    """End a process and all that it began, if it still runs, and close its pipes."""
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(process.pid, signal.SIGKILL)
                else:
                    process.kill()
        await process.aclose()
