"""Open work in a stream: open threads, unchecked boxes, and lines marked TODO or FIXME.

Texts that only sound like a request do not count: no rule can distinguish them from a remark.
"""

import re
from collections.abc import Iterator

from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.summary.own_words import iterate_own_lines
from stithy_comments.stream.summary.summary_points import SummaryPoint
from stithy_core.spi import Thread

BOX = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[ \]\s+(?P<said>\S.*)")
MARK = re.compile(r"\W*(?P<mark>TODO|FIXME)\b(?P<said>.*)")


def list_actions(stream: ConversationStream) -> list[SummaryPoint]:
    """Return open threads by place, then boxes and marks by time."""
    return [*_iterate_thread_points(stream), *_iterate_marks(stream)]


def list_open_threads(stream: ConversationStream) -> list[Thread]:
    """Return the threads that are not known to be resolved, by path, line and time, without those of draft reviews."""
    found = {id(entry.thread): entry.thread for entry in stream.entries if entry.thread}
    waiting = [one for one in found.values() if one.resolved is not True and not one.comments[0].pending]
    return sorted(waiting, key=lambda thread: (thread.path, thread.line or 0, thread.comments[0].created_at, thread.id))


def _iterate_thread_points(stream: ConversationStream) -> Iterator[SummaryPoint]:
    for thread in list_open_threads(stream):
        root, count = thread.comments[0], len(thread.comments)
        place = thread.path if thread.line is None else f"{thread.path}:{thread.line}"
        answers = f", {count - 1} answered" if count > 1 else ""
        word = "open" if thread.resolved is False else "open or resolved"
        yield SummaryPoint(f"{word} {place} {root.author.login}{answers}", root.id, root.body)


def _iterate_marks(stream: ConversationStream) -> Iterator[SummaryPoint]:
    """Iterate over boxes and marks of people only: bots use boxes to offer their commands."""
    for entry in stream.entries:
        settled = entry.thread is not None and entry.thread.resolved is True
        for line in iterate_own_lines(entry.row.body) if entry.is_human_text and not settled else ():
            if box := BOX.match(line):
                yield SummaryPoint(f"box {entry.row.author.login}", entry.row.id, box["said"])
            elif mark := MARK.match(line):
                yield SummaryPoint(
                    f"{mark['mark']} {entry.row.author.login}", entry.row.id, mark["said"].lstrip(" :*_-")
                )
