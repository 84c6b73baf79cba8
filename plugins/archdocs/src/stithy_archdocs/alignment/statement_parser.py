"""Parse a record into the statements it decides, and a proposal into what it wants."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Self

from attrs import evolve, frozen

from stithy_archdocs.alignment.clause_splitter import Clause, split_clauses
from stithy_archdocs.alignment.decision_passages import (
    MOST_TEXT,
    find_decision_sections,
    is_decision,
    iterate_paragraphs,
    split_sentences,
    strip_markup,
)
from stithy_archdocs.alignment.finite_verbs import ADVERBS, FINITE, is_finite_verb, is_wish
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.name_spellings import Spellings, collect_spellings, respell
from stithy_archdocs.alignment.polarity_cues import TAKE, is_left, measure_drop_cue
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokenizer import Token, tokenize
from stithy_archdocs.alignment.word_lists import load_word_list
from stithy_archdocs.document_models import Document, OptionOutcome

_SHORT = 2
"""Maximum number of words of an option that is a name, and not a sentence that contains one."""
_WORD = re.compile(r"\w+(?:\.\w+)*[+#]*")
_ANSWERS = load_word_list("answers")


def is_name(words: Sequence[Token]) -> bool:
    """Return whether a clause is only a name, as a decision may be: "WorkManager"."""
    telling = [token for token in words if not token.is_mark]
    plain = all(token.is_distinctive and (token.term or token.text[0].isupper()) for token in telling)
    return 0 < len(telling) <= _SHORT and plain and all(token.word not in _ANSWERS for token in telling)


def find_own_names(statements: Sequence[Statement], text: str) -> frozenset[str]:
    """Return the keys of words that titles, options and decisions adopt or drop and that the text writes as names.

    A word counts as a name if it is capitalized more often than not in the whole text.
    """
    found = {token.key: token.word for statement in statements for token in _iterate_taken(statement)}
    capital: Counter[str] = Counter()
    for word in _WORD.findall(text):
        capital[word.lower()] += 1 if word != word.lower() else -1
    return frozenset(key for key, word in found.items() if capital[word] > 0)


def _iterate_taken(statement: Statement) -> Iterator[Token]:
    if statement.role == "decision" and not statement.cued:
        return
    if statement.role in ("chosen", "rejected") and sum(token.is_distinctive for token in statement.tokens) > _SHORT:
        return
    plain = statement.role == "title" and any(token.word in TAKE for token in statement.tokens)
    for token, inside in zip(statement.tokens, statement.means, strict=True):
        if inside and token.weight >= 1 and (plain or not token.text.isupper()):
            yield token


_SUBJECTS = load_word_list("subjects")
_POINTING = frozenset(("it", "that", "these", "this", "those", "there"))
_EFFECTS = load_word_list("effects")
_STATES = load_word_list("states")
_LASTING = load_word_list("lasting")
_IS = frozenset(("are", "has", "is", "was", "were"))
_PLACES = frozenset(("as", "at", "in", "on", "outside", "under", "with"))
_NEAR = 3
_CAN = frozenset(("can", "could", "may", "might"))
_OPENINGS = (("that", "way"), ("this", "way"), ("in", "this", "way"), ("in", "that", "way"), ("as", "a", "result"))
_OFFERING = [phrase.split() for phrase in sorted(load_word_list("offering"))]
_COMPLAINTS = load_word_list("complaints")
_TELLING = load_word_list("telling")
_WILL = frozenset(("will", "shall", "must", "should"))


class Mood(Enum):
    """Whether a clause is a wish, a fact, or neither for certain."""

    WISH = "wish"
    FACT = "fact"
    OPEN = "open"


def is_question(sentence: Sequence[Token]) -> bool:
    """Return whether a sentence is a question, except a wish such as "why not use X?"."""
    words = [token.word for token in sentence]
    return words[-1:] == ["?"] and not any(words[: len(phrase)] == phrase for phrase in _OFFERING)


def classify_mood(part: Sequence[Token]) -> Mood:
    """Return whether a clause says what shall be done."""
    part = _strip_opening(part)
    if not part or _is_outlook(part):
        return Mood.FACT
    first, words = part[0].word, [token.word for token in part]
    if _is_effect(words):
        return Mood.FACT
    if is_wish(part) or _is_loss(words) or words[:2] == ["no", "longer"]:
        return Mood.WISH
    if first in ("we", "i"):
        return Mood.FACT if len(words) < 2 or words[1] in _STATES or words[1].endswith("ed") else Mood.WISH  # noqa: PLR2004
    verb = next((at for at in range(1, len(part)) if is_finite_verb(part, at)), 0)
    if not verb or not _is_subject(part, verb):
        return Mood.OPEN if first in _SUBJECTS else Mood.WISH
    return Mood.WISH if words[verb] in _WILL or _is_lasting(words, verb) else Mood.FACT


def _is_lasting(words: Sequence[str], verb: int) -> bool:
    """Return whether something shall stay as it is: "logs stay in Loki"; not "users keep asking", "it stays small"."""
    after = words[verb + 1] if verb + 1 < len(words) else ""
    if words[verb] == "never":
        return True
    return words[verb] in _LASTING and after not in _COMPLAINTS and (after.endswith("ing") or after in _PLACES)


def _is_outlook(part: Sequence[Token]) -> bool:
    """Return whether a clause describes a consequence: "without it the disk fills up"."""
    return part[0].word in ("without", "with") and len(part) > 1 and part[1].word in _POINTING


def _strip_opening(part: Sequence[Token]) -> Sequence[Token]:
    """Drop "then", "also", "in this way" and similar openings."""
    at = 0
    words = tuple(token.word for token in part)
    at = next((len(one) for one in _OPENINGS if words[: len(one)] == one), 0)
    while at < len(part) and (part[at].word in ADVERBS or part[at].is_mark):
        at += 1
    return part[at:]


def _is_effect(words: Sequence[str]) -> bool:
    """Return whether a clause describes an effect: "this saves us", "that way we lose nothing"."""
    if words[0] in _POINTING and any(word in _EFFECTS for word in words[1:4]):
        return True
    return "would" in words[1:5] and not any(word in ("like", "prefer", "rather") for word in words[1:6])


def _is_loss(words: Sequence[str]) -> bool:
    """Return whether something can or will go: "X can then be removed", "we could drop X", "X goes away"."""
    if any(is_left(words, at) for at in range(1, len(words))):
        return any(word in _CAN or word in _WILL or word == "goes" for word in words)
    return (
        words[0] == "we"
        and words[1:2] != []
        and words[1] in _CAN
        and any(measure_drop_cue(words, at) for at in range(2, min(len(words), 5)))
    )


def _is_subject(part: Sequence[Token], verb: int) -> bool:
    """Return whether the words before a verb are its subject, and not the verb of a request."""
    first = part[0]
    if first.word in _SUBJECTS or first.term or first.word[0].isdigit():
        return True
    if part[verb].word in _IS and verb <= _NEAR and first.word not in _TELLING:
        return True
    return part[verb].word in FINITE and (verb == 1 or first.word.endswith(("s", "ing")) or part[verb].word in _CAN)


_QUESTION = re.compile(
    r"\?\s*$|\bvs\.?\b|\bversus\b|^(?:which|what|how|whether|where|when|select(?:ing|ion)|choos\w+|choice"
    r"|evaluat\w+|compar\w+|investigat\w+)\b",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"^\W*(?:chosen|selected|preferred)(?: option| solution| alternative)?\W*(?::|is|was)", re.IGNORECASE
)
_MODAL = re.compile(
    r"\b(?:we|will|must|shall|should|may|never|always|only|use[sd]?|adopt|not|no|cannot|decided|each|every|all|are|is)\b",
    re.IGNORECASE,
)
_MOST_STATEMENTS = 14
_MOST_CLAUSES = 40
_LONGEST = 600


@frozen(eq=False)
class ParsedRecord:
    """A record, parsed for comparison.

    Args:
        document: The record.
        statements: What it decides.
        topic: Keys (stems and names) of its title, tags, statements and options.
        wide: Keys of its whole text.
        names: Keys of names of one word that it adopts or drops.
        spellings: How it spells possible names.
        counts: Number of occurrences of each key in the whole text.
        decided: Number of occurrences of each key in the sections of the decision; words of the title and of the chosen
            option count 2 more.
        length: Number of distinctive words in the text.
    """

    document: Document
    statements: tuple[Statement, ...]
    topic: frozenset[str]
    wide: frozenset[str]
    names: frozenset[str]
    spellings: Spellings
    counts: Mapping[str, int]
    decided: Mapping[str, int]
    length: int


@frozen(eq=False)
class Proposal:
    """A parsed proposal.

    Args:
        statements: What it wants.
        words: All its tokens, including those of reasons.
        spellings: How it spells possible names.
    """

    statements: tuple[Statement, ...]
    words: tuple[Token, ...]
    spellings: Spellings

    def respell_for(self, reading: ParsedRecord) -> Self:
        """Return the proposal with names spelled as in a record."""
        found = tuple(respell(one, self.spellings, reading.spellings, reading.topic) for one in self.statements)
        return evolve(self, statements=found) if found != self.statements else self


@frozen
class _ProposalClause:
    """A clause of a proposal, its sentence, and its mood."""

    clause: Clause
    sentence: str
    mood: Mood


def parse_proposal(description: str, lexicon: Lexicon) -> Proposal:
    """Parse a proposal. Clauses that give reasons are not wishes, but their words tell the subject."""
    read = [(sentence, tokenize(sentence, lexicon)) for sentence in split_sentences(description)]
    said = [
        _ProposalClause(
            clause, sentence, Mood.FACT if clause.reason or is_question(words) else classify_mood(clause.tokens)
        )
        for sentence, words in read
        for clause in split_clauses(words)
    ]
    statements = [_make_statement(one.clause, "proposal", one.sentence, 1) for one in _select_wishes(said)]
    words = [token for one in said for token in one.clause.tokens]
    kept = tuple(statements[:_MOST_CLAUSES])
    return Proposal(kept, tuple(words), collect_spellings(kept))


def _select_wishes(said: Sequence[_ProposalClause]) -> Sequence[_ProposalClause]:
    """Return the clauses that say what shall be done; if there are none, those that give no reason."""
    return [one for one in said if one.mood is Mood.WISH] or [one for one in said if not one.clause.reason]


def parse_record(document: Document, lexicon: Lexicon) -> ParsedRecord:
    """Parse a record: its title, its options and the sentences of its decision."""
    statements = [*_parse_title(document, lexicon), *_parse_options(document, lexicon)]
    told = list(_parse_decided(document, lexicon))
    statements += told
    said = [token for statement in statements for token in statement.tokens]
    said += tokenize(" . ".join((document.title, *document.tags)), lexicon)
    text = strip_markup(" \n".join(section.text for section in document.sections)[:MOST_TEXT])
    counts = _count_keys(text, lexicon)
    topic = frozenset(token.key for token in said if token.is_distinctive)
    return ParsedRecord(
        document=document,
        statements=tuple(statements),
        topic=topic,
        wide=frozenset(counts.keys() | topic),
        names=find_own_names(statements, text),
        spellings=collect_spellings(statements),
        counts=counts,
        decided=_count_decided(document, statements, lexicon),
        length=counts.total(),
    )


def _count_keys(text: str, lexicon: Lexicon) -> Counter[str]:
    return Counter(token.key for token in tokenize(text, lexicon) if token.is_distinctive)


def _count_decided(document: Document, statements: Sequence[Statement], lexicon: Lexicon) -> Counter[str]:
    counts = _count_keys(
        strip_markup(" \n".join(section.text for section in find_decision_sections(document))[:MOST_TEXT]), lexicon
    )
    for statement in statements:
        if statement.role in ("title", "chosen"):
            counts.update({token.key: 2 for token in statement.tokens if token.is_distinctive})
    return counts


def _parse_title(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    title = strip_markup(document.title)
    if " " not in title:  # a file's name
        title = title.replace("-", " ")
    if not _QUESTION.search(title):
        for clause in split_clauses(tokenize(title, lexicon)):
            yield _make_statement(clause, "title", document.title, _get_title_line(document))


def _get_title_line(document: Document) -> int:
    return next((section.first for section in document.sections if section.headings), 1)


def _parse_options(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    written = document.text.split("\n")
    for option in document.decision.options if document.decision else ():
        if option.outcome is OptionOutcome.UNSTATED:
            continue
        quote = written[option.line - 1].strip()[:_LONGEST] if option.line <= len(written) else option.text
        role = "chosen" if option.outcome is OptionOutcome.CHOSEN else "rejected"
        for clause in list(split_clauses(tokenize(strip_markup(option.text), lexicon)))[
            : 2 if "(" in option.text else 1
        ]:
            sign = 1 if role == "chosen" else -1
            yield Statement(
                clause.tokens, tuple(one * sign for one in clause.signs), role, quote, option.line, cued=True
            )


def _parse_decided(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    count = 0
    for sentence, line, decides in _iterate_decision_sentences(document):
        for clause in split_clauses(tokenize(sentence, lexicon)):
            role = _get_role(clause, sentence, alone=decides and not count)
            if role:
                count += 1
                yield evolve(_make_statement(clause, role, sentence, line), cued=clause.cued or role == "chosen")
            if count == _MOST_STATEMENTS:
                return


def _iterate_decision_sentences(document: Document) -> Iterator[tuple[str, int, bool]]:
    """Iterate over triples: a sentence of the decision, its line, and whether its section is called a decision."""
    for section in find_decision_sections(document):
        for quote, line in iterate_paragraphs(section):
            if not _CHOICE.match(quote):
                yield from ((sentence, line, is_decision(section)) for sentence in split_sentences(quote))


def _get_role(clause: Clause, sentence: str, *, alone: bool) -> str:
    """Return the role of a clause in a record; empty if it decides nothing. A bare name is a choice: "WorkManager"."""
    if not clause.reason and (clause.cued or _MODAL.search(sentence)):
        return "decision"
    return "chosen" if alone and is_name(clause.tokens) else ""


def _make_statement(clause: Clause, role: str, quote: str, line: int) -> Statement:
    return Statement(clause.tokens, clause.signs, role, quote.strip()[:_LONGEST], line, clause.cued)
