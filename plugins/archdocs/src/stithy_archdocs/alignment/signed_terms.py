"""Parse short texts, such as proposals, titles and options: which words each wants, and which it does not want.

The reading is cautious: what gives a reason, describes or asks is neither wanted nor unwanted (sign 0), and so is what
cannot be told. Only certain signs may lead to a verdict.
"""

import re
from collections.abc import Iterator, Sequence

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
            "means" behind one for another object: "use Rails with Redis"; "" if none does.
        first: Whether it is the first word.
        beside: The stems of the other words of a longer name: "REST" for "Django" in "Django REST Helper", "strategy"
            for "Terraform" in "Terraform module strategy".
    """

    key: str
    text: str
    sign: int = 1
    is_name: bool = False
    taken: str = ""
    first: bool = False
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
        lower: The word in lower case, with a plain apostrophe.
    """

    text: str
    mark: str
    adjoins: bool
    lower: str


def parse_terms(text: str, technologies: TechnologyNames) -> tuple[Term, ...]:
    """Parse a text to its terms; words without a subject are left out."""
    terms: list[Term] = []
    for number, sentence in enumerate(split_sentences(text)):
        words = _split_words(sentence)[:MOST_WORDS]
        if words and len(terms) < MOST_TERMS:
            aside = sentence.rstrip().endswith("?") or _is_aside(words, later=number > 0)
            signs = [0] * len(words) if aside else _SignReader(words).read_signs()
            terms += _iterate_terms(words, signs, technologies)
    return tuple(terms)


def _split_words(sentence: str) -> list[_Word]:
    words, end = [], 0
    for found in WORD.finditer(sentence):
        mark = _MARK.search(sentence, end, found.start())
        between = sentence[end : found.start()]
        lower = found[0].lower().replace("\u2019", "'")
        words.append(_Word(found[0], mark[0] if mark else "", between.strip() in ("", "-", "/"), lower))
        end = found.end()
    return words


def _is_aside(words: Sequence[_Word], *, later: bool) -> bool:
    """Return whether a sentence asks or describes, and thus proposes nothing."""
    states = later and any(word.lower in _FINITE for word in words)
    return states or words[0].lower in load_words("aside_sentences")


_FINITE = frozenset(("would", "is", "are", "was", "were", "has", "have", "had"))


class _SignReader:
    """Reads the signs of a sentence, word by word.

    A cue holds until a mark: behind a comma, what was unwanted is uncertain unless another cue decides. `base` is the
    sign of the whole clause, which "not" turns, and `sign` that of the next word.
    """

    def __init__(self, words: Sequence[_Word]) -> None:
        self._words = words
        self._signs: list[int] = []
        self._base = self._sign = 1
        self._start = 0
        self._leaves = False

    def read_signs(self) -> list[int]:
        """Return the sign of each word."""
        while len(self._signs) < len(self._words):
            self._read_word()
        return self._signs

    def _read_word(self) -> None:
        """Read the next word, or the next cue of several words."""
        at = len(self._signs)
        word = self._words[at].lower
        if self._words[at].mark:
            self._begin_clause(at)
        many = _measure_phrase(self._words, at)
        if many and word == "no":
            self._set_before(-1)
            self._base = self._sign = -1
        elif _begins_aside(self._words, at):
            self._base = self._sign = 0
        elif many or word in load_words("drop") or (word == "from" and self._leaves):
            if self._drops and word != "from":  # "oppose replacing", "drop X instead of"
                self._base = 0
            self._sign, self._leaves = -self._base, True
        elif _is_unclear(self._words, at):
            self._start = 0
            self._set_before(0)
            self._base = self._sign = 0
        else:
            self._read_other(word)
        self._signs += [self._sign] * max(many, 1)

    def _read_other(self, word: str) -> None:
        if word in load_words("not"):
            self._base = self._sign = min(self._base, -self._base)
        elif self._leaves and word in _SWITCH:
            self._sign = self._base
        elif self._drops and word in load_words("turning"):
            self._base = self._sign = 0
        elif word in ("than", "over") or self._ends_unwanted(word):
            self._sign = 0
        self._leaves = self._leaves or word in load_words("move")

    @property
    def _drops(self) -> bool:
        """Whether the next word is unwanted by a cue that another one may turn."""
        return self._base > 0 > self._sign

    def _ends_unwanted(self, word: str) -> bool:
        """Return whether what is unwanted ends before a word: at a preposition, if a noun is unwanted already."""
        if self._sign >= 0:
            return False
        pairs = zip(self._signs[self._start :], self._words[self._start :], strict=False)
        has_object = any(sign < 0 and _is_subject(one.lower) for sign, one in pairs)
        return word == "and" or (word in _PREPOSITIONS and has_object)

    def _begin_clause(self, at: int) -> None:
        is_clear = self._words[at].mark != "," or self._base > 0 < self._sign or _begins_aside(self._words, self._start)
        self._base = self._sign = int(is_clear)
        self._start, self._leaves = at, False

    def _set_before(self, sign: int) -> None:
        """Set the sign of the words of the clause so far."""
        self._signs[self._start :] = [sign] * (len(self._signs) - self._start)


def _is_unclear(words: Sequence[_Word], at: int) -> bool:
    """Return whether a word may turn the meaning of a clause: "keep X out", "let X go"."""
    word = words[at].lower
    after = words[at + 1].lower if at + 1 < len(words) and not words[at + 1].mark else ""
    return word in load_words("unclear") or (word in ("go", "goes") and not after)


def _begins_aside(words: Sequence[_Word], at: int) -> bool:
    """Return whether a word begins a reason or a condition: "as" does so only at the beginning of a clause."""
    word = words[at].lower
    return word in load_words("aside") and (word != "as" or at == 0 or bool(words[at].mark))


def _measure_phrase(words: Sequence[_Word], at: int) -> int:
    for many in (4, 3, 2):
        phrase = " ".join(word.lower for word in words[at : at + many])
        if phrase in load_words("drop_phrases") or phrase == "no longer":
            return many
    return 0


def _iterate_terms(words: Sequence[_Word], signs: Sequence[int], technologies: TechnologyNames) -> Iterator[Term]:
    texts = [word.text for word in words]
    named = [_is_subject(text) and _is_written_as_name(words, at, technologies) for at, text in enumerate(texts)]
    at, has_object = 0, False
    ends: set[int] = set()  # of names that are taken
    while at < len(words):
        name, many = technologies.find_name(texts, at) or ("", 1)
        word = words[at].lower
        taken, taking = _find_taken(words, at)
        made = Term(
            key=make_key(name) if name else stem(word),
            text=" ".join(texts[at : at + many]),
            sign=signs[at],
            is_name=bool(name) or (named[at] and stem(word) not in get_stems("generic") | technologies.purposes),
            taken="means" if taken == "place" and (has_object or taking in ends) else taken,
            first=at == 0,
            beside=_find_beside(words, named, at, many) - technologies.get_words(name) - get_stems("vendors"),
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
    return ("place" if near[-back] in load_words("place") else "object"), at - back


def _find_beside(words: Sequence[_Word], named: Sequence[bool], at: int, many: int) -> frozenset[str]:
    """Return the stems of the other words of a longer name: names before it, and the noun behind it without its kind.

    "SQS broker" is SQS; "SQS message", "SQS brokers" and "react-testing-library" are other things.

    Args:
        words: The words of the sentence.
        named: Which of them are written as names.
        at: Index of the first word of the name.
        many: Number of its words.
    """
    start, end = at, at + many
    while start and words[start].adjoins and named[start - 1]:
        start -= 1
    while end < len(words) and words[end].adjoins and _is_subject(words[end].text):
        end += 1
    behind = [word.lower for word in words[at + many : end]]
    before = frozenset(stem(word.lower) for word in words[start:at])
    return before | {stem(word) for word in behind if word not in load_words("kinds")}


def _is_subject(text: str) -> bool:
    """Return whether a word names a subject: it is neither a stop word nor a cue."""
    return text.lower() not in get_stop_words()


def _is_written_as_name(words: Sequence[_Word], at: int, technologies: TechnologyNames) -> bool:
    """Return whether a word is a technology, has a capital or a digit inside, or a capital within a sentence."""
    text, is_first = words[at].text, at == 0 or bool(words[at].mark)
    is_technology = technologies.find_name([word.text for word in words], at) is not None
    return is_technology or (text[0].isalpha() and (_has_inner_mark(text) or (text[0].isupper() and not is_first)))


def _has_inner_mark(text: str) -> bool:
    return any(letter.isupper() or letter.isdigit() or letter in ".+#" for letter in text[1:])
