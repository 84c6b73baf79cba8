"""The rules of all documents that were asked for: each is read and tried once for each version of its document."""

import threading

from attrs import frozen

from stithy_archdocs.records import Document, Problem, Shelf
from stithy_archdocs.rules.blocks import blocks
from stithy_archdocs.rules.languages import language_of
from stithy_archdocs.rules.matching import tried
from stithy_archdocs.rules.reading import read
from stithy_archdocs.rules.records import Block, Rule, UnreadRule
from stithy_archdocs.rules.samples import faults_of
from stithy_archdocs.rules.trees import NotCheckable, parse
from stithy_core.spi import Scope

_BAD = (
    "bad", "wrong", "avoid", "anti", "pitfall", "mistake", "don't", "dont", "do not", "never", "incorrect", "violation",
    "problem", "instead of", "before", "❌", "not like", "invalid", "smell", "legacy",
)  # fmt: skip


@frozen
class Disabled:
    """A rule that is not used, and why."""

    rule: Rule
    reason: str


@frozen
class RuleSet:
    """The rules of one document.

    Args:
        document: Whose they are.
        rules: Those that are used.
        disabled: Those that fail their own samples.
        unread: Those that cannot be read, or are beyond the limit.
        problems: All that is wrong, for whom keeps the document.
    """

    document: Document
    rules: tuple[Rule, ...]
    disabled: tuple[Disabled, ...]
    unread: tuple[UnreadRule, ...]
    problems: tuple[Problem, ...]


class Rulebook:
    """The rule sets of one server; `scope.shared(Rulebook)` gives it. Its methods may be called in any thread."""

    def __init__(self, _: Scope) -> None:
        self._sets: dict[str, RuleSet] = {}
        self._lock = threading.Lock()

    def of(self, document: Document) -> RuleSet:
        """Give the rules of a document as it is now."""
        known = self._sets.get(document.path)
        if known is None or known.document is not document:
            with self._lock:
                known = self._sets.get(document.path)
                if known is None or known.document is not document:
                    known = self._sets[document.path] = rules_of(document)
        return known


def problems_of(scope: Scope, shelf: Shelf) -> list[Problem]:
    """Give what is wrong with the rules of all documents."""
    book = scope.shared(Rulebook)
    marks = ("ast-grep", "policy")
    carrying = [one for one in shelf.documents.values() if any(mark in one.text for mark in marks)]
    return [problem for document in carrying for problem in book.of(document).problems]


def rules_of(document: Document) -> RuleSet:
    """Read the rules of a document and try them on their samples, and on the document's own good examples."""
    found = read(document)
    used: list[Rule] = []
    disabled: list[Disabled] = []
    problems = list(found.problems)
    for rule in found.rules:
        faults = list(faults_of(rule))
        if faults:
            disabled.append(Disabled(rule, "; ".join(faults)[:500]))
            said = f"the rule {rule.id} is disabled: {'; '.join(faults)[:500]}"
            problems.append(_problem("rule-fails-samples", said, document, rule.line, "error"))
            continue
        used.append(rule)
        if not rule.invalid:
            said = f"the rule {rule.id} has no `invalid:` sample, so nothing shows that it can match: add one"
            problems.append(_problem("rule-without-sample", said, document, rule.line, "warning"))
    problems += _broken_examples(document, used)
    return RuleSet(document, tuple(used), tuple(disabled), found.unread, tuple(problems))


def examples(document: Document) -> list[tuple[Block, str]]:
    """Give the code that a document shows as good, with its language; what stands under a bad heading is not."""
    return [
        (block, language)
        for block in blocks(document)
        if block.words and "ast-grep" not in block.words and "policy" not in block.words
        if (language := language_of(block.words[0])) and not _is_bad(block)
    ]


def _is_bad(block: Block) -> bool:
    first = block.text.lstrip().partition("\n")[0].lower()
    comment = first if first[:1] in "#/-<;*" else ""
    said = " ".join((*block.headings[1:], block.before, comment, *block.words[1:])).lower()
    return any(word in said for word in _BAD)


def _broken_examples(document: Document, rules: list[Rule]) -> list[Problem]:
    problems = []
    for block, language in examples(document) if rules else ():
        try:
            tree = parse(block.text, language)
            hits = [hit for rule in rules if not rule.files for hit in tried(rule, tree, "")]
        except NotCheckable:
            continue
        for hit in hits[:1]:
            said = f"this example breaks the document's own rule {hit.rule.id}: mend one of them, or say that it is bad"
            problems.append(_problem("example-breaks-rule", said, document, block.line + hit.line - 1, "error"))
    return problems


def _problem(rule: str, message: str, document: Document, line: int, severity: str) -> Problem:
    return Problem(rule=rule, message=message, path=document.path, line=line, severity=severity)
