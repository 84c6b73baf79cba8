"""The lines that say how to act on unresolved comments, once for all entries of a kind."""

from collections.abc import Iterator, Sequence

from stithy_comments.unresolved.action_commands import METHOD, ActionCommands, CommandPatterns
from stithy_comments.unresolved.unresolved_entries import UnresolvedEntry


def format_advice(commands: CommandPatterns, shown: Sequence[UnresolvedEntry]) -> Iterator[str]:
    """Iterate over the commands for the entries of a page, and for reading in full what is cut there."""
    threads = [entry for entry in shown if entry.thread_id]
    bodies = [entry for entry in shown if not entry.thread_id]
    silent = [entry for entry in threads if entry.takes_replies is False]
    if commands.threads and threads:
        yield from _format_thread_commands(commands.threads, has_answerable=len(silent) < len(threads))
    if commands.bodies and (bodies or silent):
        if commands.bodies.reply_call:
            yield f"To reply to a comment or review: {commands.bodies.reply_call.format_text()}"
        elif not threads:
            yield f"Resolving: {commands.bodies.resolve_condition}"
    yield from _format_view_calls(commands, threads, bodies)


def _format_thread_commands(commands: ActionCommands, *, has_answerable: bool) -> Iterator[str]:
    if commands.reply_call and has_answerable:
        yield f"To reply to a thread: {commands.reply_call.format_text()}"
    if commands.resolve_call:
        yield f"ONLY after verifying the fix: {commands.resolve_call.format_text()}"
    else:
        yield f"Resolving: {commands.resolve_condition}"


def _format_view_calls(
    commands: CommandPatterns, threads: Sequence[UnresolvedEntry], bodies: Sequence[UnresolvedEntry]
) -> Iterator[str]:
    if commands.threads and any(entry.is_cut for entry in threads):
        yield f"A whole thread: {commands.threads.view_call.format_text()}"
    if commands.bodies and any(entry.is_cut for entry in bodies):
        methods = commands.placeholders[METHOD]
        yield f"A whole review or comment: {commands.bodies.view_call.format_text()} ({METHOD}: {methods})"
