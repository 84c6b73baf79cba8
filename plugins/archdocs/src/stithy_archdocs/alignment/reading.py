"""What a record decided, statement by statement, and what a proposal wants."""

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from stithy_archdocs.alignment.lexicon import Lexicon
from stithy_archdocs.alignment.names import own_names
from stithy_archdocs.alignment.polarity import Clause, clauses
from stithy_archdocs.alignment.statements import Statement
from stithy_archdocs.alignment.tokens import Token, tokens
from stithy_archdocs.records import Document, Outcome, Section

_DECISIONS = re.compile(
    r"^[\W\d_]*(?:the )?(?:decisions?|decision outcomes?|outcome|resolution|solution|our decision|what we decided"
    r"|chosen option|conclusion|entscheidung|décision|decisión|decisão)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^[\W\d_]*(?:status|context|consequences?|background|links?|references?|more information|pros and cons"
    r"|considered|alternatives?|options?|rationale|reasons?|decision drivers|positive|negative|drawbacks|risks?|problem"
    r"|motivation|confirmation|validation|date|deciders|notes?|implementation|history|change|appendix|see also"
    r"|related|further|kontext)",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?\s*$|\bvs\.?\b|\bversus\b|^(?:which|what|how|whether|where|when|select(?:ing|ion)|choos\w+|choice"
    r"|evaluat\w+|compar\w+|investigat\w+)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])[\"”)*_]*\s+(?=[\"“(*_`]*[A-ZÀ-Ý])")
_BULLET = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_MARKUP = (
    (re.compile(r"<!--.{0,2000}?-->"), ""),
    (re.compile(r"!\[[^\]]{0,300}\]\([^)]{0,500}\)"), ""),
    (re.compile(r"\[([^\]]{0,300})\](?:\([^)]{0,500}\)|\[[^\]]{0,300}\])"), r"\1"),
    (re.compile(r":\w+:`([^`<]{0,300})[^`]{0,300}`"), r"\1"),
    (re.compile(r"https?://\S+"), ""),
    (re.compile(r"[*`~|]{1,3}|(?<!\w)_+|_+(?!\w)"), " "),
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
_MOST_TEXT = 200_000
"""Characters of a record that tell its subject; and of one paragraph that are read."""


@frozen(eq=False)
class Reading:
    """A record as it is compared.

    Args:
        document: The record.
        statements: What it decided.
        topic: All stems and names of its title, tags, statements and options.
        wide: Those of all its text.
        names: What it takes or leaves and calls by a name of one word.
    """

    document: Document
    statements: tuple[Statement, ...]
    topic: frozenset[str]
    wide: frozenset[str]
    names: frozenset[str]


@frozen(eq=False)
class Proposal:
    """What is proposed: its statements, and all stems and names in it and in its context."""

    statements: tuple[Statement, ...]
    words: tuple[Token, ...]
    context: frozenset[str]


def read_proposal(description: str, context: str, lexicon: Lexicon) -> Proposal:
    """Read a proposal: what its reasons and its context say is no wish, but tells the subject."""
    statements: list[Statement] = []
    words: list[Token] = []
    for number, sentence in enumerate(_sentences(description)):
        for clause in clauses(tokens(sentence, lexicon)):
            words += clause.tokens
            if not clause.reason and (clause.cued or number == 0 or _MODAL.search(sentence)):
                statements.append(_statement(clause, "proposal", sentence, 1))
    also = frozenset(
        token.key for sentence in _sentences(context) for token in tokens(sentence, lexicon) if token.telling
    )
    return Proposal(tuple(statements[:_MOST_CLAUSES]), tuple(words), also)


def read_record(document: Document, lexicon: Lexicon) -> Reading:
    """Read a record: its title, its options and the sentences of its decision."""
    statements = [*_title(document, lexicon), *_options(document, lexicon)]
    told = list(_decided(document, lexicon))
    statements += told
    said = [token for statement in statements for token in statement.tokens]
    said += tokens(" . ".join((document.title, *document.tags)), lexicon)
    text = _plain(" \n".join(section.text for section in document.sections)[:_MOST_TEXT])
    wide = {token.key for token in tokens(text, lexicon) if token.telling}
    topic = frozenset(token.key for token in said if token.telling)
    return Reading(document, tuple(statements), topic, frozenset(wide | topic), own_names(statements, text))


def _title(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    title = _plain(document.title)
    if " " not in title:  # a file's name
        title = title.replace("-", " ")
    if not _QUESTION.search(title):
        for clause in clauses(tokens(title, lexicon)):
            yield _statement(clause, "title", document.title, _title_line(document))


def _title_line(document: Document) -> int:
    return next((section.first for section in document.sections if section.headings), 1)


def _options(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    lines = document.text.split("\n")
    for option in document.decision.options if document.decision else ():
        if option.outcome is Outcome.UNSTATED:
            continue
        quote = lines[option.line - 1].strip()[:_LONGEST] if option.line <= len(lines) else option.text
        role = "chosen" if option.outcome is Outcome.CHOSEN else "rejected"
        for clause in list(clauses(tokens(_plain(option.text), lexicon)))[: 2 if "(" in option.text else 1]:
            sign = 1 if role == "chosen" else -1
            yield Statement(
                clause.tokens, tuple(one * sign for one in clause.signs), role, quote, option.line, cued=True
            )


def _decided(document: Document, lexicon: Lexicon) -> Iterator[Statement]:
    count = 0
    for section in _sections(document):
        for quote, line in _lines(section):
            if _CHOICE.match(quote):
                continue
            for sentence in _sentences(quote):
                for clause in clauses(tokens(sentence, lexicon)):
                    if count == _MOST_STATEMENTS:
                        return
                    if not clause.reason and (clause.cued or _MODAL.search(sentence)):
                        count += 1
                        yield _statement(clause, "decision", sentence, line)


def _sections(document: Document) -> Sequence[Section]:
    """Give the parts that tell the decision; all that is no known other part where none is called so."""
    named = [
        at
        for at, section in enumerate(document.sections)
        if section.headings and _DECISIONS.match(section.headings[-1]) and not _ASIDE.match(section.headings[-1])
    ]
    if named:
        tops = [document.sections[at].headings for at in named]
        return [
            section
            for section in document.sections
            if any(
                section.headings[: len(top)] == top
                and not any(_ASIDE.match(one) for one in section.headings[len(top) :])
                for top in tops
            )
        ]
    return [
        section
        for section in document.sections
        if not any(_ASIDE.match(one) for one in section.headings[1:] or section.headings[:0])
    ]


def _lines(section: Section) -> Iterator[tuple[str, int]]:
    """Give the paragraphs and bullets of a section, each with its first line; without fences and quotes."""
    number = section.last - section.text.count("\n")
    parts: list[str] = []
    start, fenced = number, False
    for at, line in enumerate(section.text.split("\n"), number):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        stops = fenced or not line.strip() or line.lstrip().startswith((">", "```", "~~~", "<!--"))
        if parts and (stops or _BULLET.match(line)):
            yield _plain(" ".join(parts)), start
            parts = []
        if not stops:
            start = start if parts else at
            parts.append(_BULLET.sub("", line).strip())
    if parts:
        yield _plain(" ".join(parts)), start


def _statement(clause: Clause, role: str, quote: str, line: int) -> Statement:
    return Statement(clause.tokens, clause.signs, role, quote.strip()[:_LONGEST], line, clause.cued)


def _sentences(text: str) -> list[str]:
    return [sentence for part in text.split("\n") for sentence in _SENTENCE.split(part) if sentence.strip()]


def _plain(text: str) -> str:
    text = text[:_MOST_TEXT]
    for pattern, instead in _MARKUP:
        text = pattern.sub(instead, text)
    return re.sub(r"[ \t]+", " ", text).strip()
