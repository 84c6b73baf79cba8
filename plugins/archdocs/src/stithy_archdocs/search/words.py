"""From what a caller wrote to what is looked for.

The text of a query is never query syntax: each word is quoted, and any of them may be missing.
"""

import re

from attrs import frozen

WORD = re.compile(r"[\w+#]+")
STOP = frozenset(
    word
    for line in (
        "a about all an and any are as at be been but by can could did do does for from had has have how i if in into",
        "is it its may me my no not of on or our should so some such than that the their them then there these they",
        "this those to us use used using was we were what when where which who why will with would you your",
    )
    for word in line.split()
)
"""Words that say nothing of a subject; a query of nothing else is looked for as it is."""


@frozen
class Query:
    """What is looked for.

    Args:
        words: Its words, each once, in lower case and in order.
        whole: Its text, in lower case and without needless spaces.
    """

    words: tuple[str, ...]
    whole: str

    @property
    def expression(self) -> str:
        """The query as FTS5 wants it."""
        return " OR ".join(f'"{word}"' for word in self.words)


def read_query(text: str) -> Query:
    """Read a caller's text."""
    found = tuple(dict.fromkeys(words_of(text)))
    telling = tuple(word for word in found if word not in STOP)
    return Query(telling or found, " ".join(text.lower().split()))


def words_of(text: str) -> list[str]:
    """Give the words of a text as the index has them, before they are reduced to stems: `C++` and `C#` are words."""
    return [word for word in WORD.findall(text.lower()) if word.strip("+#_")]
