"""The most commented files."""

from collections import Counter

from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.summary.open_work import list_open_threads
from stithy_comments.stream.summary.summary_points import SummaryPoint
from stithy_core.spi import Unknown

MOST = 10


def list_commented_files(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the files with most comments, each with its numbers of comments, open threads and possibly open ones."""
    comments = Counter(entry.row.file_path for entry in stream.entries if entry.row.file_path is not None)
    waiting = list_open_threads(stream)
    threads = Counter(thread.path for thread in waiting if thread.resolved is False)
    unclear = Counter(thread.path for thread in waiting if isinstance(thread.resolved, Unknown))
    by_count = sorted(comments.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        SummaryPoint(f"{path} {count} ({_format_open_counts(threads[path], unclear[path])})")
        for path, count in by_count[:MOST]
    ]


def _format_open_counts(threads: int, unclear: int) -> str:
    if not unclear:
        return f"{threads} open"
    return f"{threads} open, {unclear} open or resolved" if threads else f"{unclear} open or resolved"
