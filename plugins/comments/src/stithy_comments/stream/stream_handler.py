"""The handler of `get_pull_request_conversation`."""

from collections.abc import Collection

from stithy_comments.settings import CommentsSettings
from stithy_comments.stream.merged_stream import merge_sources
from stithy_comments.stream.stream_result import ConversationResult, create_conversation_result
from stithy_comments.stream.stream_selection import KEY_EVENTS, Selection
from stithy_comments.stream.stream_sources import StreamSources, read_stream_sources
from stithy_comments.stream.summary import summarize_stream
from stithy_comments.tools.stream_tool import GetConversation
from stithy_core.spi import Context, InvalidArguments


async def get_conversation(ctx: Context, args: GetConversation) -> ConversationResult:
    """Return the conversation of a pull request as one stream."""
    selection = _selection(args, ctx.settings(CommentsSettings).bots)
    forge, ref = await ctx.pull_request(args.pr)
    sources = await read_stream_sources(forge, ref, selection)
    return await ctx.thread(_create_page, sources, selection, args, summed=ctx.after is None)


def _create_page(
    sources: StreamSources, selection: Selection, args: GetConversation, *, summed: bool
) -> ConversationResult:
    stream = merge_sources(sources, selection)
    return create_conversation_result(
        stream, summarize_stream(stream, args.summarize, args.summary_budget_chars) if summed else None
    )


def _selection(args: GetConversation, bots: Collection[str]) -> Selection:
    """Create the selection from the tool's arguments.

    Raises:
        InvalidArguments: Two arguments contradict each other.
    """
    if args.events is not None and "timeline" not in args.include:
        raise _contradiction("events", "requires timeline in include", list(args.events))
    if args.since and args.until and args.until < args.since:
        raise _contradiction("until", "must not be before since", args.until.isoformat())
    return Selection(
        include=args.include,
        events=KEY_EVENTS if args.events is None else args.events,
        since=args.since,
        until=args.until,
        most=args.max_items,
        bots=bots,
    )


def _contradiction(argument: str, problem: str, given: object) -> InvalidArguments:
    message = f"{argument} {problem}"
    row = {"path": argument, "given": str(given), "allowed": "what the other arguments allow", "message": message}
    return InvalidArguments(message, suggestion="Correct the arguments.", details={"errors": [row]})
