"""Recurring words of several comments."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from stithy_comments.stream.merged_stream import ConversationStream
from stithy_comments.stream.summary.own_words import iterate_own_lines
from stithy_comments.stream.summary.summary_points import REACH, SummaryPoint
from stithy_core.spi import redact

WORD = re.compile(r"[^\W\d_][\w'-]*")
NO_WORDS = re.compile(r"https?://\S+|@[\w./-]+|\[redacted\]|<[^<>]*>")
SHORTEST, LONGEST = 4, 30
FROM, MOST = 2, 6
READ = 1_000
"""Characters of each text that are read: a topic comes early, and pasted logs are long."""
WITHHELD = "[withheld: "

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


def list_themes(stream: ConversationStream) -> list[SummaryPoint]:
    """Return the words and pairs of words that most comments of people have in common."""
    words: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for text in _iterate_texts(stream):
        found = [_normalize_word(word) for word in WORD.findall(text)]
        words.update(set(filter(None, found)))
        pairs.update({f"{one} {two}" for one, two in pairwise(found) if one and two})
    kept = {pair: count for pair, count in pairs.items() if count >= FROM}
    covered = {(word, count) for pair, count in kept.items() for word in pair.split()}
    kept |= {word: count for word, count in words.items() if count >= FROM and (word, count) not in covered}
    best = sorted(kept.items(), key=lambda pair: (-pair[1], pair[0]))
    return [SummaryPoint(f"{theme} {count}") for theme, count in best[:MOST]]


def _iterate_texts(stream: ConversationStream) -> Iterator[str]:
    """Iterate over the texts of people, without URLs, mentions and secrets."""
    for entry in stream.entries:
        if entry.is_human_text and WITHHELD not in entry.row.body:
            text = redact(entry.row.body[: READ + REACH])[
                :READ
            ]  # redact before the cut, so that no secret is cut in two
            yield NO_WORDS.sub(" ", "\n".join(iterate_own_lines(text)))


def _normalize_word(word: str) -> str:
    """Return a word in the form that is counted; empty for common words."""
    plain = word.casefold().partition("'")[0].strip("-")
    return plain if SHORTEST <= len(plain) <= LONGEST and plain not in COMMON else ""
