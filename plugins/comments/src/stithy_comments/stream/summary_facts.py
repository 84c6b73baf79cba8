"""The facts of a summary: verdicts of reviewers, open work, the most commented files, recurring words.

Texts that only sound like a request do not count as open work: no rule can distinguish them from a remark.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.stream_items import StreamEntry
from stithy_comments.stream.summary_points import REACH, SummaryPoint
from stithy_core.spi import Review, ReviewComment, Thread, Unknown, User, UserKind, redact

HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
VERDICT_STATES = ("changes_requested", "approved", "dismissed", "pending")
"""The states that are verdicts, the most important first; a review that only comments changes no verdict."""
BOX = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+\[ \]\s+(?P<text>\S.*)")
MARK = re.compile(r"\W*(?P<mark>TODO|FIXME)\b(?P<text>.*)")
MOST_FILES, MOST_THEMES = 10, 6
WORD = re.compile(r"[^\W\d_][\w'-]*")
NO_WORDS = re.compile(r"https?://\S+|@[\w./-]+|\[redacted\]|<[^<>]*>")
SHORTEST_WORD, LONGEST_WORD = 4, 30
LEAST_USES = 2
"""Minimum number of comments that have a word or a pair of words in common."""
READ_CHARACTERS = 1_000
"""Characters of each text that are read: a topic comes early, and pasted logs are long."""
WITHHELD = "[withheld: "
"""The beginning of a text that stands for a withheld one."""

COMMON = frozenset(
    WORD.findall(
        """
    about above after again against also always another anything because been before being below between both cannot
    could does doing done down each either else even ever every from further good great have having here hers
    however into itself just know like line lines looks made make many maybe might more most much must need needs
    never nice only other ours over please really same seems shall should since some something still such sure take
    than thank thanks that their them then there these they thing things think this those though through today under
    until upon used using very want wants was were what when where whether which while will with within without
    would yeah yes your yours
    """
    )
)


def iterate_own_lines(body: str) -> Iterator[str]:
    """Iterate over the lines that are not quoted, hidden or in a code block."""
    shown = HIDDEN.sub("", "\n".join(_outside_code(body)))
    return (line for line in shown.splitlines() if not line.lstrip().startswith(">"))


def _outside_code(body: str) -> Iterator[str]:
    fence = ""
    for line in body.splitlines():
        found = FENCE.match(line)
        if fence:
            ends = found is not None and found[1].startswith(fence) and not line[found.end() :].strip()
            fence = "" if ends else fence
        elif found:
            fence = found[1]
        else:
            yield line


def list_verdicts(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the current verdict of each reviewer, and drafts that were not submitted."""
    found = sorted(
        _list_latest(stream), key=lambda review: (VERDICT_STATES.index(review.state), review.author.login.casefold())
    )
    return [SummaryPoint(f"{review.author.login} {_format_state(review)}", review.id) for review in found]


def list_change_requests(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the texts of the reviews whose current verdict requests changes."""
    remarks = _first_remarks(stream)
    asking = [review for review in _list_latest(stream) if review.state == "changes_requested"]
    return [SummaryPoint(review.author.login, review.id, _get_request_text(review, remarks)) for review in asking]


def _list_latest(stream: ConversationStream) -> list[Review]:
    """Return the latest verdict of each reviewer, oldest first; a dismissed one replaces an earlier one.

    Deleted accounts share one login, so each of their reviews counts for itself.
    """
    found: dict[tuple[str, str], Review] = {}
    for review in _reviews(stream):
        key = (_identity(review.author, review), "draft" if review.state == "pending" else "sent")
        found.pop(key, None)
        found[key] = review
    return list(found.values())


def _reviews(stream: ConversationStream) -> Iterator[Review]:
    for entry in stream.entries:
        if isinstance(entry.source, Review) and entry.source.state in VERDICT_STATES:
            yield entry.source


def _identity(author: User, review: Review) -> str:
    return f"review {review.key}" if author.kind is UserKind.GHOST else f"user {author.key}"


def _format_state(review: Review) -> str:
    word = review.state.replace("_", " ")
    return f"{word} (draft, not submitted)" if review.state == "pending" else word


def _first_remarks(stream: ConversationStream) -> dict[str, StreamEntry]:
    """Return the first review comment of each review, by the review's id."""
    found: dict[str, StreamEntry] = {}
    for entry in stream.entries:
        if isinstance(entry.source, ReviewComment):
            found.setdefault(entry.source.review, entry)
    return found


def _get_request_text(review: Review, remarks: dict[str, StreamEntry]) -> str:
    """Return the body of a review; if it is empty, the body of its first review comment."""
    if review.body.strip() or not review.id or review.id not in remarks:
        return review.body
    return remarks[review.id].row.body


def list_actions(stream: ConversationStream) -> list[SummaryPoint]:
    """Return open threads by place, then boxes and marks by time."""
    return [*_iterate_thread_points(stream), *_iterate_marks(stream)]


def list_open_threads(stream: ConversationStream) -> list[Thread]:
    """Return the threads that are not known to be resolved, by path, line and time, without those of draft reviews."""
    found = {id(entry.thread): entry.thread for entry in stream.entries if entry.thread}
    waiting = [one for one in found.values() if one.resolved is not True and not one.comments[0].pending]
    return sorted(waiting, key=lambda thread: thread.sort_key)


def _iterate_thread_points(stream: ConversationStream) -> Iterator[SummaryPoint]:
    for thread in list_open_threads(stream):
        root, count = thread.comments[0], len(thread.comments)
        answers = f", {count - 1} answered" if count > 1 else ""
        word = "open" if thread.resolved is False else "open or resolved"
        yield SummaryPoint(f"{word} {thread.place or 'discussion'} {root.author.login}{answers}", root.id, root.body)


def _iterate_marks(stream: ConversationStream) -> Iterator[SummaryPoint]:
    """Iterate over boxes and marks of people only: bots use boxes to offer their commands."""
    for entry in stream.entries:
        settled = entry.thread is not None and entry.thread.resolved is True
        for line in iterate_own_lines(entry.row.body) if entry.is_human_text and not settled else ():
            if box := BOX.match(line):
                yield SummaryPoint(f"box {entry.row.author.login}", entry.row.id, box["text"])
            elif mark := MARK.match(line):
                yield SummaryPoint(
                    f"{mark['mark']} {entry.row.author.login}", entry.row.id, mark["text"].lstrip(" :*_-")
                )


def list_commented_files(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the files with most comments, each with its numbers of comments, open threads and possibly open ones."""
    comments = Counter(entry.row.file_path for entry in stream.entries if entry.row.file_path is not None)
    waiting = list_open_threads(stream)
    threads = Counter(thread.path for thread in waiting if thread.resolved is False)
    unclear = Counter(thread.path for thread in waiting if isinstance(thread.resolved, Unknown))
    by_count = sorted(comments.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        SummaryPoint(f"{path} {count} ({_format_open_counts(threads[path], unclear[path])})")
        for path, count in by_count[:MOST_FILES]
    ]


def _format_open_counts(threads: int, unclear: int) -> str:
    if not unclear:
        return f"{threads} open"
    return f"{threads} open, {unclear} open or resolved" if threads else f"{unclear} open or resolved"


def list_themes(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the words and pairs of words that most comments of people have in common."""
    words: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for text in _iterate_texts(stream):
        found = [_normalize_word(word) for word in WORD.findall(text)]
        words.update(set(filter(None, found)))
        pairs.update({f"{one} {two}" for one, two in pairwise(found) if one and two})
    frequent = {pair: count for pair, count in pairs.items() if count >= LEAST_USES}
    covered = {(word, count) for pair, count in frequent.items() for word in pair.split()}
    frequent |= {word: count for word, count in words.items() if count >= LEAST_USES and (word, count) not in covered}
    best = sorted(frequent.items(), key=lambda pair: (-pair[1], pair[0]))
    return [SummaryPoint(f"{theme} {count}") for theme, count in best[:MOST_THEMES]]


def _iterate_texts(stream: ConversationStream) -> Iterator[str]:
    """Iterate over the texts of people, without URLs, mentions and secrets."""
    for entry in stream.entries:
        if entry.is_human_text and WITHHELD not in entry.row.body:
            # redact before the cut, so that no secret is cut in two
            text = redact(entry.row.body[: READ_CHARACTERS + REACH])[:READ_CHARACTERS]
            yield NO_WORDS.sub(" ", "\n".join(iterate_own_lines(text)))


def _normalize_word(word: str) -> str:
    """Return a word in the form that is counted; empty for common words."""
    plain = word.casefold().partition("'")[0].strip("-")
    return plain if SHORTEST_WORD <= len(plain) <= LONGEST_WORD and plain not in COMMON else ""
