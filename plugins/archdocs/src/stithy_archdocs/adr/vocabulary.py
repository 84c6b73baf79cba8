"""The words by which an option is known, brought to one form."""

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:\+\+|#)?|[&+]")
_ENDING = re.compile(r"(?<=\w\w\w)(?:ings?|ed|es|s|e)$")
_SAYS_NOTHING = """
    a an the of to for in on at by with via and or as is are be it its this that our we from into use using used adopt
    option alternative approach solution i e g etc & +
"""
_LIMITING = "only alone all everything both no not without nothing never full none don neither purely solely just"
FILLERS = frozenset(_SAYS_NOTHING.split())
LIMITS = frozenset(_LIMITING.split())
"""What says how far an option goes: without it, another thing is meant."""

_FEWEST = 3


@lru_cache(maxsize=2048)
def words(text: str) -> tuple[str, ...]:
    """Give the words of a text in lower case, without their endings; each option asks anew for the same sentence."""
    return tuple([_ENDING.sub("", word) for word in _WORD.findall(text.lower())])


def telling(text: str) -> tuple[str, ...]:
    """Give the words that tell a thing from others; all where none does."""
    said = words(text)
    return tuple([word for word in said if word not in FILLERS]) or said


def acronym(text: str) -> str:
    """Give "uswds" for "US Web Design System"; nothing for what has too few words."""
    said = [word for word in _WORD.findall(text) if word.lower() not in FILLERS]
    letters = "".join(word if word.isupper() else word[0] for word in said)
    return letters.lower() if len(said) >= _FEWEST else ""


def spelled(short: str, said: tuple[str, ...]) -> tuple[str, ...]:
    """Give the words whose first letters are an acronym; none where they do not follow each other."""
    at = "".join(word[0] for word in said).find(short) if len(short) >= _FEWEST else -1
    return said[at : at + len(short)] if at >= 0 else ()
