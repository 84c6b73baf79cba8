"""Parse a record into the statements it decides, and a proposal into what it wants."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Self

from attrs import evolve, frozen

from stithy_archdocs.alignment.clauses import Clause, clauses
from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.moods import Mood, asks, mood
from stithy_archdocs.alignment.names import is_name, own_names
from stithy_archdocs.alignment.passages import MOST_TEXT, is_decision, lines, plain, sections, sentences
from stithy_archdocs.alignment.spellings import Spellings, respelt, spellings
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokens import Token, tokens
from stithy_archdocs.document_models import Document, OptionOutcome

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
class Reading:
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

    def as_written_in(self, reading: Reading) -> Self:
        """Return the proposal with names spelled as in a record."""
        found = tuple(respelt(one, self.spellings, reading.spellings, reading.topic) for one in self.statements)
        return evolve(self, statements=found) if found != self.statements else self


@frozen
class _Said:
    """A clause of a proposal, its sentence, and its mood."""

    clause: Clause
    sentence: str
    mood: Mood


def read_proposal(description: str, lexicon: Lexicon) -> Proposal:
    """Parse a proposal. Clauses that give reasons are not wishes, but their words tell the subject."""
    read = [(sentence, tokens(sentence, lexicon)) for sentence in sentences(description)]
    said = [
        _Said(clause, sentence, Mood.FACT if clause.reason or asks(words) else mood(clause.tokens))
        for sentence, words in read
        for clause in clauses(words)
    ]
    statements = [_statement(one.clause, "proposal", one.sentence, 1) for one in _wishes(said)]
    words = [token for one in said for token in one.clause.tokens]
    kept = tuple(statements[:_MOST_CLAUSES])
    return Proposal(kept, tuple(words), spellings(kept))


def _wishes(said: Sequence[_Said]) -> Sequence[_Said]:
    """Return the clauses that say what shall be done; if there are none, those that give no reason."""
    return [one for one in said if one.mood is Mood.WISH] or [one for one in said if not one.clause.reason]


def read_record(document: Document, lexicon: Lexicon) -> Reading:
    """Parse a record: its title, its options and the sentences of its decision."""
    statements = [*_title(document, lexicon), *_options(document, lexicon)]
    told = list(_decided(document, lexicon))
    statements += told
    said = [token for statement in statements for token in statement.tokens]
    said += tokens(" . ".join((document.title, *document.tags)), lexicon)
    text = plain(" \n".join(section.text for section in document.sections)[:MOST_TEXT])
    counts = _counted(text, lexicon)
    topic = frozenset(token.key for token in said if token.telling)
    return Reading(
        document=document,
        statements=tuple(statements),
        topic=topic,
        wide=frozenset(counts.keys() | topic),
        names=own_names(statements, text),
        spellings=spellings(statements),
        counts=counts,
        decided=_decided_words(document, statements, lexicon),
        length=counts.total(),
    )


def _counted(text: str, lexicon: Lexicon) -> Counter[str]:
    return Counter(token.key for token in tokens(text, lexicon) if token.telling)


def _decided_words(document: Document, statements: Sequence[Statement], lexicon: Lexicon) -> Counter[str]:
    counts = _counted(plain(" \n".join(section.text for section in sections(document))[:MOST_TEXT]), lexicon)
    for statement in statements:
        if statement.role in ("title", "chosen"):
            counts.update({token.key: 2 for token in statement.tokens if token.telling})
    return counts


def _title(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    title = plain(document.title)
    if " " not in title:  # a file's name
        title = title.replace("-", " ")
    if not _QUESTION.search(title):
        for clause in clauses(tokens(title, lexicon)):
            yield _statement(clause, "title", document.title, _title_line(document))


def _title_line(document: Document) -> int:
    return next((section.first for section in document.sections if section.headings), 1)


def _options(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    written = document.text.split("\n")
    for option in document.decision.options if document.decision else ():
        if option.outcome is OptionOutcome.UNSTATED:
            continue
        quote = written[option.line - 1].strip()[:_LONGEST] if option.line <= len(written) else option.text
        role = "chosen" if option.outcome is OptionOutcome.CHOSEN else "rejected"
        for clause in list(clauses(tokens(plain(option.text), lexicon)))[: 2 if "(" in option.text else 1]:
            sign = 1 if role == "chosen" else -1
            yield Statement(
                clause.tokens, tuple(one * sign for one in clause.signs), role, quote, option.line, cued=True
            )


def _decided(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    count = 0
    for sentence, line, decides in _told(document):
        for clause in clauses(tokens(sentence, lexicon)):
            role = _role(clause, sentence, alone=decides and not count)
            if role:
                count += 1
                yield evolve(_statement(clause, role, sentence, line), cued=clause.cued or role == "chosen")
            if count == _MOST_STATEMENTS:
                return


def _told(document: Document) -> Iterator[tuple[str, int, bool]]:
    """Iterate over triples: a sentence of the decision, its line, and whether its section is called a decision."""
    for section in sections(document):
        for quote, line in lines(section):
            if not _CHOICE.match(quote):
                yield from ((sentence, line, is_decision(section)) for sentence in sentences(quote))


def _role(clause: Clause, sentence: str, *, alone: bool) -> str:
    """Return the role of a clause in a record; empty if it decides nothing. A bare name is a choice: "WorkManager"."""
    if not clause.reason and (clause.cued or _MODAL.search(sentence)):
        return "decision"
    return "chosen" if alone and is_name(clause.tokens) else ""


def _statement(clause: Clause, role: str, quote: str, line: int) -> Statement:
    return Statement(clause.tokens, clause.signs, role, quote.strip()[:_LONGEST], line, clause.cued)
