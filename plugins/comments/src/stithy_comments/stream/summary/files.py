"""The files that are most talked about."""

from collections import Counter

from stithy_comments.stream.merging import Stream
from stithy_comments.stream.summary.actions import open_threads
from stithy_comments.stream.summary.points import Point

MOST = 10


def files(stream: Stream) -> list[Point]:
    """Give the files in which most comments stand, each with how many, and with how many open threads."""
    comments = Counter(entry.row.file_path for entry in stream.entries if entry.row.file_path is not None)
    threads = Counter(thread.path for thread in open_threads(stream))
    by_count = sorted(comments.items(), key=lambda pair: (-pair[1], pair[0]))
    return [Point(f"{path} {count} ({threads[path]} open)") for path, count in by_count[:MOST]]
