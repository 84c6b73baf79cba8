"""Open work in a stream: open threads, unchecked boxes, and lines marked TODO or FIXME.

Texts that only sound like a request do not count: no rule can distinguish them from a remark.
"""

import re
from collections.abc import Iterator

from stithy_comments.stream.merging import Stream
from stithy_comments.stream.summary.own_words import own_lines
from stithy_comments.stream.summary.points import Point
from stithy_core.spi import Thread

BOX = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[ \]\s+(?P<said>\S.*)")
MARK = re.compile(r"\W*(?P<mark>TODO|FIXME)\b(?P<said>.*)")


def actions(stream: Stream) -> list[Point]:
    """Return open threads by place, then boxes and marks by time."""
    return [*_threads(stream), *_marks(stream)]


def open_threads(stream: Stream) -> list[Thread]:
    """Return the threads that are not known to be resolved, by path, line and time, without those of draft reviews."""
    found = {id(entry.thread): entry.thread for entry in stream.entries if entry.thread}
    waiting = [one for one in found.values() if one.resolved is not True and not one.comments[0].pending]
    return sorted(waiting, key=lambda thread: (thread.path, thread.line or 0, thread.comments[0].created_at, thread.id))


def _threads(stream: Stream) -> Iterator[Point]:
    for thread in open_threads(stream):
        root, count = thread.comments[0], len(thread.comments)
        place = thread.path if thread.line is None else f"{thread.path}:{thread.line}"
        answers = f", {count - 1} answered" if count > 1 else ""
        word = "open" if thread.resolved is False else "open or resolved"
        yield Point(f"{word} {place} {root.author.login}{answers}", root.id, root.body)


def _marks(stream: Stream) -> Iterator[Point]:
    """Iterate over boxes and marks of people only: bots use boxes to offer their commands."""
    for entry in stream.entries:
        settled = entry.thread is not None and entry.thread.resolved is True
        for line in own_lines(entry.row.body) if entry.is_of_people and not settled else ():
            if box := BOX.match(line):
                yield Point(f"box {entry.row.author.login}", entry.row.id, box["said"])
            elif mark := MARK.match(line):
                yield Point(f"{mark['mark']} {entry.row.author.login}", entry.row.id, mark["said"].lstrip(" :*_-"))
