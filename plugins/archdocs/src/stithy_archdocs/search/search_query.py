"""Parse a search query.

The text of a query is never FTS5 syntax: each word is quoted, and any of them may be missing in a match.
"""

import re

from attrs import frozen

WORD = re.compile(r"[^\W_]+(?:[+#]|[^\W_])*|[+#]+")
STOP = frozenset(
    word
    for line in (
        "a about all an and any are as at be been but by can could did do does for from had has have how i if in into",
        "is it its may me my no not of on or our should so some such than that the their them then there these they",
        "this those to us use used using was we were what when where which who why will with would you your",
    )
    for word in line.split()
)
"""Words without a subject; a query of stop words alone is searched as it is."""


@frozen
class SearchQuery:
    """A parsed query.

    Args:
        words: Its words, each once, in lower case and in order.
        whole: Its text, in lower case and with single spaces.
    """

    words: tuple[str, ...]
    whole: str

    @property
    def expression(self) -> str:
        """The query as an FTS5 expression."""
        return " OR ".join(f'"{word}"' for word in self.words)


def parse_query(text: str) -> SearchQuery:
    """Parse the text of a query."""
    found = tuple(dict.fromkeys(split_words(text)))
    telling = tuple(word for word in found if word not in STOP)
    return SearchQuery(telling or found, " ".join(text.lower().split()))


def split_words(text: str) -> list[str]:
    """Return the words of a text as the index has them before stemming: `C++` and `C#` are words, `a_b` is two."""
    return [word for word in WORD.findall(text.lower()) if word.strip("+#")]
