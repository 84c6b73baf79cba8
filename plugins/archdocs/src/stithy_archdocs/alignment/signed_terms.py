"""Parse short texts, such as proposals, titles and options: which words each wants, and which it does not want.

The reading is cautious: what gives a reason, describes or asks is neither wanted nor unwanted (sign 0), and so is what
cannot be told. Only certain signs may lead to a verdict.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import frozen

from stithy_archdocs.alignment.decision_passages import split_sentences
from stithy_archdocs.alignment.technology_names import TechnologyNames, make_key
from stithy_archdocs.alignment.word_stems import WORD, get_stems, get_stop_words, load_words, stem

MOST_TERMS = 1_000
MOST_WORDS = 200
"""Words that are read of a sentence; the time grows with their square."""
_MARK = re.compile(r"[,;:()–—]|\.(?=\s)")  # noqa: RUF001 -- people write these dashes
_NEAR = 3
"""Words that may stand between a verb and its object."""
_FAR = 30
"""Words before a preposition among which another one may be."""
_MEANS = frozenset(("in", "on", "as", "by", "via", "through", "with"))
_JOINING = frozenset(("", "-", "/"))
_BE = frozenset(("be", "been", "being", "is", "are", "was", "were", "gets", "get"))
_SWITCH = frozenset(("by", "with", "to", "into", "for", "onto"))
_PREPOSITIONS = frozenset(("for", "in", "on", "with"))
"""Words behind which nothing is unwanted but what was before: "no Dataloader for GraphQL" is not against GraphQL."""


@frozen
class Term:
    """A word of a text, or the name of a technology.

    Args:
        key: What is compared: the stem of a word, or the name of a technology with "=" before it.
        text: The word as written.
        sign: 1 if it is wanted, -1 if not, 0 if it is neither or cannot be told.
        is_name: Whether it is a technology or written like a name.
        taken: How a word before it takes it: "object" of "use" or "migrate to", "place" behind another preposition,
            "inner" behind a second one, "means" behind one for another object: "use Rails with Redis"; "" if none does.
        first: Whether it is the first word.
        modifies: Whether it only modifies the noun behind it: "Terraform" in "Terraform module strategy".
        beside: The stems of the other words of a longer name: "REST" for "Django" in "Django REST Helper".
    """

    key: str
    text: str
    sign: int = 1
    is_name: bool = False
    taken: str = ""
    first: bool = False
    modifies: bool = False
    beside: frozenset[str] = frozenset()

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return find_stems(self.text)

    @property
    def is_technology(self) -> bool:
        """Whether it is a known technology."""
        return self.key.startswith("=")

    @property
    def is_distinctive(self) -> bool:
        """Whether it is more than a word that occurs in records on any subject."""
        return self.is_name or self.key not in get_stems("generic")


def find_stems(text: str) -> frozenset[str]:
    """Return the stems of all words of a text; much faster than its terms."""
    return frozenset(stem(word.lower()) for word in WORD.findall(text))


@frozen
class _Word:
    """A word of a sentence.

    Args:
        text: The word.
        mark: The comma or other mark before it; "" if there is none.
        adjoins: Whether only spaces, a hyphen or a slash are between it and the word before it.
        joined: Whether only a hyphen is between them.
        lower: The word in lower case, with a plain apostrophe.
    """

    text: str
    mark: str
    adjoins: bool
    joined: bool
    lower: str


def parse_terms(text: str, technologies: TechnologyNames) -> tuple[Term, ...]:
    """Parse a text to its terms; words without a subject are left out."""
    terms: list[Term] = []
    sentences = split_sentences(text)
    for number, sentence in enumerate(sentences):
        words = _split_words(sentence)[:MOST_WORDS]
        if words and len(terms) < MOST_TERMS:
            aside = _is_aside(words, later=number > 0, only=len(sentences) == 1)
            signs = [0] * len(words) if aside else _find_signs(words)
            terms += _iterate_terms(words, signs, technologies)
    return tuple(terms)


def _split_words(sentence: str) -> list[_Word]:
    words, end = [], 0
    for found in WORD.finditer(sentence):
        mark = _MARK.search(sentence, end, found.start())
        between = sentence[end : found.start()]
        lower = found[0].lower().replace("\u2019", "'")
        words.append(_Word(found[0], mark[0] if mark else "", between.strip() in _JOINING, between == "-", lower))
        end = found.end()
    return words


def _is_aside(words: Sequence[_Word], *, later: bool, only: bool) -> bool:
    """Return whether a sentence asks or describes, and thus proposes nothing."""
    lead = next((word.lower for word in words if word.lower not in _COURTESY), "")
    describes = lead in load_words("describing") or (later and any(word.lower in _FINITE for word in words))
    return lead in load_words("asking") or (describes and not only)


_FINITE = frozenset(("would", "is", "are", "was", "were", "has", "have", "had"))
_COURTESY = frozenset(("we", "i", "let", "us", "let's", "please", "should", "want", "to", "propose", "that", "will"))


def _find_signs(words: Sequence[_Word]) -> list[int]:
    """Return the sign of each word of a sentence."""
    reader = _SignReader(words)
    while len(reader.signs) < len(words):
        reader.read_word()
    return reader.signs


class _SignReader:
    """Reads the signs of a sentence, word by word.

    A cue holds until a mark: behind a comma, what was unwanted is uncertain unless another cue decides. `base` is the
    sign of the whole clause, which "not" turns, and `sign` that of the next word.
    """

    def __init__(self, words: Sequence[_Word]) -> None:
        self.words = words
        self.signs: list[int] = []
        self._base = self._sign = 1
        self._start = 0
        self._leaves = False

    def read_word(self) -> None:
        """Read the next word, or the next cue of several words."""
        at = len(self.signs)
        word = self.words[at].lower
        if self.words[at].mark:
            self._begin_clause(at)
        many = _measure_phrase(self.words, at)
        if many and word == "no":
            self._set_before(-1)
            self._base = self._sign = -1
        elif _begins_aside(self.words, at):
            self._base = self._sign = 0
        elif many or word in load_words("drop") or (word == "from" and self._leaves):
            self._sign, self._leaves = -self._base, True
        elif word in load_words("dropped") and _is_passive(self.words, at):
            self._set_before(None)
            self._leaves = True
        elif _is_unclear(self.words, at):
            self._start = 0
            self._set_before(0)
            self._base = self._sign = 0
        else:
            self._read_other(word, at)
        self.signs += [self._sign] * max(many, 1)

    def _read_other(self, word: str, at: int) -> None:
        if word in load_words("not"):
            self._base = self._sign = min(self._base, -self._base)
        elif self._leaves and word in _SWITCH:
            self._sign = self._base
        elif word == "but" or (word == "and" and _begins_action(self.words, at + 1)):
            self._base = self._sign = 1
            self._start = at
        elif word == "so":  # what is before is the reason
            self._start = 0
            self._set_before(0)
            self._base = self._sign = 1
        elif word == "than":
            self._sign = 0
        elif word == "over":
            self._sign = self._read_over(at)
        elif self._ends_unwanted(word) or (word in load_words("move") and self._base < 0):
            self._sign = 0
        self._leaves = self._leaves or word in load_words("move")

    def _read_over(self, at: int) -> int:
        """Return the sign behind "over": unwanted if something else is preferred; "use X over Y" may be transport."""
        if any(one.lower in load_words("prefer") for one in self.words[:at]):
            return -self._base
        before = self.words[self._start : at]
        is_compared = any(one.lower in load_words("take") for one in before) or (
            at > 0 and _is_written_as_name(self.words[at - 1].text, first=False)
        )
        return 0 if is_compared else self._sign

    def _ends_unwanted(self, word: str) -> bool:
        """Return whether what is unwanted ends before a word: at a preposition, if a noun is unwanted already."""
        if self._sign >= 0:
            return False
        pairs = zip(self.signs[self._start :], self.words[self._start :], strict=False)
        has_object = any(sign < 0 and _is_subject(one.lower) for sign, one in pairs)
        return word == "and" or (word in _PREPOSITIONS and has_object)

    def _begin_clause(self, at: int) -> None:
        is_clear = self.words[at].mark != "," or self._base > 0 < self._sign or _begins_aside(self.words, self._start)
        self._base = self._sign = int(is_clear)
        self._start, self._leaves = at, False

    def _set_before(self, sign: int | None) -> None:
        """Set the sign of the words of the clause so far; None turns their signs."""
        self.signs[self._start :] = [-one if sign is None else sign for one in self.signs[self._start :]]


def _is_unclear(words: Sequence[_Word], at: int) -> bool:
    """Return whether a word may turn the meaning of a clause: "keep X out", "let X go", "prefer X to Y"."""
    word = words[at].lower
    after = words[at + 1].lower if at + 1 < len(words) and not words[at + 1].mark else ""
    if word == "to":
        return at > 1 and any(one.lower == "prefer" for one in words[: at - 1])
    return (
        word in load_words("unclear") or (word in ("go", "goes") and not after) or (word == "revert" and after != "to")
    )


def _begins_aside(words: Sequence[_Word], at: int) -> bool:
    """Return whether a word begins a reason or a condition: "as" does so only at the beginning of a clause."""
    word = words[at].lower
    after = words[at + 1].lower if at + 1 < len(words) else ""
    if word == "as":
        return at == 0 or bool(words[at].mark)
    return word in load_words("aside") and not (word == "so" and (at == 0 or after in _COURTESY))


def _measure_phrase(words: Sequence[_Word], at: int) -> int:
    for many in (4, 3, 2):
        phrase = " ".join(word.lower for word in words[at : at + many])
        if phrase in load_words("drop_phrases") or phrase == "no longer":
            return many
    return 0


def _is_passive(words: Sequence[_Word], at: int) -> bool:
    before = {word.lower for word in words[max(0, at - 2) : at]}
    return bool(before & _BE) or (at > 0 and at + 1 < len(words) and words[at + 1].lower == "by")


def _begins_action(words: Sequence[_Word], at: int) -> bool:
    word = words[at].lower if at < len(words) else ""
    return any(word in load_words(name) for name in ("drop", "move", "not", "actions"))


def _iterate_terms(words: Sequence[_Word], signs: Sequence[int], technologies: TechnologyNames) -> Iterator[Term]:
    texts = [word.text for word in words]
    subjects = [_is_subject(text) for text in texts]
    runs = _find_runs(words, subjects, technologies)
    ends_of_nouns = _find_noun_ends(words, subjects)
    at, has_object = 0, False
    ends: set[int] = set()  # of names that are taken
    while at < len(words):
        name = technologies.find_name(texts, at)
        many = name[1] if name else 1
        word = words[at].lower
        start, end = runs[at]
        behind = at + many if name else end
        taken, taking = _find_taken(words, at)
        made = Term(
            key=make_key(name[0]) if name else stem(word),
            text=" ".join(texts[at : at + many]),
            sign=signs[at],
            is_name=bool(name) or (start < end and _is_own_name(texts[at])),
            taken="means" if taken in ("place", "inner") and (has_object or taking in ends) else taken,
            first=at == 0,
            modifies=(end - at - many > 1 and not any(map(_is_own_name, texts[at + many : end])))
            or _is_package(words[at + many :])
            or _modifies(
                words[ends_of_nouns[behind] - 1].lower if ends_of_nouns[behind] > behind else "",
                technologies.get_words(name[0] if name else ""),
            ),
            beside=_find_beside(texts[start:at], texts[at + many : end], name[0] if name else "", technologies),
        )
        has_object = has_object or (made.is_name and (made.first or taken == "object"))
        ends |= {at + many} if made.is_name and taken else set()
        if name or _is_subject(word):
            yield made
        at += many


def _find_taken(words: Sequence[_Word], at: int) -> tuple[str, int]:
    """Return how a word near before a word takes it, and the index of it; "use Testify for Go" does not take Go."""
    near = [word.lower for word in words[max(0, at - _NEAR) : at]]
    back = next((back for back, word in enumerate(reversed(near), 1) if word in load_words("take")), 0)
    if not back or "for" in near[-back:]:
        return "", at
    before = words[max(0, at - back - _FAR) : at - back]
    if near[-back] not in load_words("place") or _is_moved(near[-back], before):
        return "object", at - back
    pairs = pairwise(before)  # "in" of "log in through Keycloak" takes nothing
    takes = (one.lower in _MEANS and after.lower not in load_words("take") for one, after in pairs)
    return ("inner" if any(takes) else "place"), at - back


def _is_moved(preposition: str, before: Sequence[_Word]) -> bool:
    return preposition in _SWITCH and any(one.lower in load_words("move") for one in before)


def _find_runs(
    words: Sequence[_Word], subjects: Sequence[bool], technologies: TechnologyNames
) -> list[tuple[int, int]]:
    """Return for each word the start and the end of the name that it is a part of; both are its index if none."""
    texts = [word.text for word in words]
    named = [
        subjects[at]
        and (
            technologies.find_name(texts, at) is not None
            or _is_written_as_name(word.text, first=at == 0 or bool(word.mark))
        )
        for at, word in enumerate(words)
    ]
    starts = list(range(len(words)))
    for at in range(1, len(words)):
        if named[at] and named[at - 1] and words[at].adjoins:
            starts[at] = starts[at - 1]
    ends = [at + 1 if named[at] else at for at in range(len(words))]
    for at in reversed(range(len(words) - 1)):
        if starts[at + 1] <= at:
            ends[at] = ends[at + 1]
    return list(zip(starts, ends, strict=True))


def _find_beside(
    before: Sequence[str], after: Sequence[str], name: str, technologies: TechnologyNames
) -> frozenset[str]:
    """Return the stems of words that distinguish a longer name; "Amazon", other spellings and a kind behind do not."""
    first, last = (
        find_stems(" ".join(text for text in side if technologies.find_name(["", text], 1) != (name, 1)))
        for side in (before, after)
    )
    return (first | (last - get_stems("generic") - get_stems("kinds"))) - get_stems("vendors")


def _find_noun_ends(words: Sequence[_Word], subjects: Sequence[bool]) -> list[int]:
    """Return for each word, and for the end, where the noun ends that it continues; its own index if it begins one."""
    ends = list(range(len(words) + 1))
    for at in reversed(range(len(words))):
        if words[at].adjoins and subjects[at]:
            ends[at] = max(at + 1, ends[at + 1])
    return ends


def _modifies(last: str, kinds: frozenset[str]) -> bool:
    """Return whether a name only modifies the noun behind it, and not one for the kind of thing it is.

    "SQS message broker" is SQS, "SQS message", "SQS brokers" and "SQS broker audit" are not.

    Args:
        last: The last word of the noun; empty if no noun is behind the name.
        kinds: Stems of words for the kind of thing that it is, beside those for many things.
    """
    is_kind = stem(last) in kinds - get_stems("generic") and not last.endswith("s")
    return bool(last) and not is_kind and last not in load_words("kinds") and not last.endswith("ed")


def _is_package(after: Sequence[_Word]) -> bool:
    """Return whether hyphens join two words to a name: "react-testing-library" is not React."""
    return len(after) > 1 and after[0].joined and after[1].joined


def _is_subject(text: str) -> bool:
    """Return whether a word names a subject: it is neither a stop word nor a cue."""
    word = text.lower()
    return word not in get_stop_words() and not any(
        word in load_words(name) for name in ("drop", "dropped", "not", "move", "take")
    )


def _is_written_as_name(text: str, *, first: bool) -> bool:
    """Return whether a word has a capital or a digit inside, or a capital within a sentence."""
    return text[0].isalpha() and (_has_inner_mark(text) or (text[0].isupper() and not first))


def _is_own_name(text: str) -> bool:
    """Return whether a word that is written as a name is one without the words beside it: "Framework" is not."""
    return stem(text.lower()) not in get_stems("generic")


def _has_inner_mark(text: str) -> bool:
    return any(letter.isupper() or letter.isdigit() or letter in ".+#" for letter in text[1:])
