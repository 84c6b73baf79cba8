"""The most commented files."""

from collections import Counter

from stithy_comments.stream.merging import Stream
from stithy_comments.stream.summary.actions import open_threads
from stithy_comments.stream.summary.points import Point
from stithy_core.spi import Unknown

MOST = 10


def files(stream: Stream) -> list[Point]:
    """Return the files with most comments, each with its numbers of comments, open threads and possibly open ones."""
    comments = Counter(entry.row.file_path for entry in stream.entries if entry.row.file_path is not None)
    waiting = open_threads(stream)
    threads = Counter(thread.path for thread in waiting if thread.resolved is False)
    unclear = Counter(thread.path for thread in waiting if isinstance(thread.resolved, Unknown))
    by_count = sorted(comments.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Point(f"{path} {count} ({_counted(threads[path], unclear[path])})") for path, count in by_count[:MOST]]


def _counted(threads: int, unclear: int) -> str:
    if not unclear:
        return f"{threads} open"
    return f"{threads} open, {unclear} open or resolved" if threads else f"{unclear} open or resolved"
