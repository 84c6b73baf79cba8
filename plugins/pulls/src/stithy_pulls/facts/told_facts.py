"""Which facts the title of a pull request tells already. Such a fact counts for the risk, but is not pointed at."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from stithy_pulls.facts.code_lines import MARKERS
from stithy_pulls.facts.risk_facts import CALLED_REVERT, Fact

UNDONE = frozenset({"public name removed", "test removed", "test deleted", "revert"})
"""Kinds that a revert has anyway, since it removes what a change added, and that it is one."""
TELLING = {
    "revert": re.compile(
        r"\b(?:restor|undo|un-?did|(?:back|roll)\w* ?(?:out|back)|re-?(?:add|enabl|introduc))", re.IGNORECASE
    ),
    "test skipped": re.compile(r"\b(?:skip|disabl|ignor|quarantin|mut(?:e|ing)\b|xfail)", re.IGNORECASE),
    "untested": re.compile(
        r"\b(?:refactor|restructur|reformat|re-?organi[sz]|clean(?:ing)?[- ]?up|typing|type (?:hints?|annotations?))",
        re.IGNORECASE,
    ),
    "todo": re.compile(rf"\b(?:{'|'.join(sorted(MARKERS))})s?\b"),
}
"""By the kind of fact, the words of a title that tell it."""
GIVEN_UP = re.compile(r"\b(?:remov|delet|drop|renam|replac|get(?:ting)? rid|clean|prun|eliminat)", re.IGNORECASE)
"""How a title says that something goes, of which it names a part."""
DEPRECATED = re.compile(r"\bdeprecat(?:ed|ions)", re.IGNORECASE)
GOING = frozenset({"public name removed", "test removed", "test deleted"})
WORD, PART = re.compile(r"[^\W_]+"), re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W_A-Z]+")
VERSION = re.compile(r"(?<![\w.])[v^~<>=]{0,4}(\d+(?:\.\d+)*)")
LEAST = 4
"""Letters of a part of a name by which a title names it."""
COMMON = re.compile(
    r"tests?|with|from|when|that|this|should|into|code|function|method|class|types?|interface|unused|deprecated|public"
)
"""Words that name nothing."""


def is_told(fact: Fact, title: str) -> bool:
    """Return whether a title tells a fact.

    It has all words of all that the fact names, or the versions, says that it is a revert, or that what it names a part
    of goes.
    """
    if (fact.kind in UNDONE and CALLED_REVERT.search(title)) or _has_telling_word(fact, title):
        return True
    said = frozenset(WORD.findall(title.lower()))
    if not fact.names or all(said.issuperset(WORD.findall(name.lower())) for name in fact.names):
        return bool(fact.names)
    parts = frozenset(_list_parts(title))
    named = [any(_is_alike(one, parts) for one in _list_parts(name)) for name in fact.names]
    if fact.versions:
        return _has_versions(title, fact.versions, is_named=any(named))
    is_going = fact.kind in GOING and GIVEN_UP.search(title) is not None
    return is_going and (all(named) or _is_folder_named(fact.path, title) or DEPRECATED.search(title) is not None)


def _is_folder_named(path: str, title: str) -> bool:
    """Return whether a title names the folder of a file, such as a package of Go."""
    folder = PurePosixPath(path).parent.name.lower()
    return len(folder) >= LEAST and not COMMON.fullmatch(folder) and folder in WORD.findall(title.lower())


def _has_versions(title: str, versions: Iterable[str], *, is_named: bool) -> bool:
    """Return whether a title has the beginning of each version; a number alone is one beside a name."""
    said = [found.split(".") for found in VERSION.findall(title)]
    fitting = [one for one in said if is_named or len(one) > 1]
    numbers = [found[1].split(".") for version in versions if (found := VERSION.search(version))]
    return bool(numbers) and all(any(number[: len(one)] == one for one in fitting) for number in numbers)


def _has_telling_word(fact: Fact, title: str) -> bool:
    form = TELLING.get(fact.kind)
    return form is not None and form.search(title) is not None


def _list_parts(text: str) -> Iterator[str]:
    """Yield the words of a text and of the names in it, in lower case, without those that name nothing."""
    words = (word.lower() for word in PART.findall(text))
    return (word for word in words if len(word) >= LEAST and not COMMON.fullmatch(word))


def _is_alike(word: str, others: frozenset[str]) -> bool:
    """Return whether a word is another one, or its singular or plural, or begins with it."""
    return any(word.startswith(one) or one.startswith(word) for one in others)
