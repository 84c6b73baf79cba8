"""Cache the rules of documents: each document is parsed and tested once for each version."""

import threading
from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from stithy_archdocs.document_models import Document, DocumentProblem, DocumentSnapshot
from stithy_archdocs.rules.code_blocks import find_blocks
from stithy_archdocs.rules.import_policies import FORMS
from stithy_archdocs.rules.languages import find_language, find_language_of_path
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.project_rules import ProjectChecker
from stithy_archdocs.rules.rule_matching import find_hits, find_hits_if_applicable, is_applicable
from stithy_archdocs.rules.rule_models import CodeBlock, Rule, RuleSample, UnreadRule
from stithy_archdocs.rules.rule_parser import parse_rules
from stithy_archdocs.rules.syntax_trees import NotCheckable, parse_code
from stithy_core.spi import Scope


def find_sample_faults(rule: Rule) -> Iterator[str]:
    """Iterate over what a rule does wrong on its samples; a rule with a fault is not used.

    A rule that can never match looks like one that nothing violates, so it must hit its `invalid` samples.
    """
    for name, samples, wanted in (("valid", rule.valid, False), ("invalid", rule.invalid, True)):
        for number, sample in enumerate(samples, 1):
            if fault := _find_fault(rule, sample, wanted=wanted):
                yield f"{name} sample {number}: {fault}"
    if not rule.valid and not rule.invalid and rule.config is not None:
        yield from _find_rejection(rule)


def _find_fault(rule: Rule, sample: RuleSample, *, wanted: bool) -> str:
    if rule.project is not None:
        return _find_project_fault(rule, sample, wanted=wanted)
    language = _get_sample_language(rule, sample)
    if language is None:
        return "unknown language; add language: or path:"
    try:
        tree = parse_code(sample.code, language)
        hits = find_hits(rule, tree, sample.path) if is_applicable(rule, language, sample.path) else []
    except NotCheckable as error:
        return str(error)
    if bool(hits) != wanted:
        return "the rule does not hit it" if wanted else f"the rule hits it in line {hits[0].line}"
    if tree.errors and not wanted:
        return f"line {tree.errors[0].line} cannot be parsed as {language}"
    return ""


def _find_project_fault(rule: Rule, sample: RuleSample, *, wanted: bool) -> str:
    """Return what a rule about the whole project does wrong with the files of a sample, or with its one text."""
    texts = sample.files if sample.files is not None else {sample.path or "sample": sample.code}
    checker = ProjectChecker(ProjectFiles(texts))
    try:
        hits = checker.find_hits(
            rule if sample.files is not None or sample.path else evolve(rule, files=(), ignores=())
        )
    except NotCheckable as error:
        return str(error)
    if bool(hits) == wanted:
        return ""
    return "the rule does not hit it" if wanted else f"the rule hits it: {hits[0][1].description}"


def _get_sample_language(rule: Rule, sample: RuleSample) -> str | None:
    """Return the language of a sample; for a rule without one, the stated one or the first that parses it."""
    named = find_language(sample.language) if sample.language else find_language_of_path(sample.path)
    if named or rule.language:
        return named or rule.language
    fitting = [language for language in FORMS if not parse_code(sample.code, language).errors]
    return fitting[0] if fitting else None


def _find_rejection(rule: Rule) -> Iterator[str]:
    """Iterate over the faults that ast-grep reports for a rule without samples."""
    try:
        find_hits(rule, parse_code("", rule.language), "")
    except NotCheckable as error:
        yield str(error)


_BAD = (
    "bad", "wrong", "avoid", "anti", "pitfall", "mistake", "don't", "dont", "do not", "never", "incorrect", "violation",
    "problem", "instead of", "before", "❌", "not like", "invalid", "smell", "legacy",
)  # fmt: skip


@frozen
class DisabledRule:
    """A rule that is not used, and why."""

    rule: Rule
    reason: str


@frozen
class RuleSet:
    """The rules of one document.

    Args:
        document: Their document.
        rules: The usable rules.
        disabled: Rules that fail their own samples.
        unread: Rules that are unreadable or beyond the maximum.
        problems: All problems, for the maintainers of the document.
    """

    document: Document
    rules: tuple[Rule, ...]
    disabled: tuple[DisabledRule, ...]
    unread: tuple[UnreadRule, ...]
    problems: tuple[DocumentProblem, ...]


class Rulebook:
    """The rule sets of one server, `scope.shared(Rulebook)`; thread-safe."""

    def __init__(self, _: Scope) -> None:
        self._sets: dict[str, RuleSet] = {}
        self._lock = threading.Lock()

    def get_rules(self, document: Document) -> RuleSet:
        """Return the rules of the current version of a document."""
        known = self._sets.get(document.path)
        if known is None or known.document is not document:
            with self._lock:
                known = self._sets.get(document.path)
                if known is None or known.document is not document:
                    known = self._sets[document.path] = load_rules(document)
        return known


def find_rule_problems(scope: Scope, snapshot: DocumentSnapshot) -> list[DocumentProblem]:
    """Return the problems of the rules of all documents."""
    book = scope.shared(Rulebook)
    carrying = [one for one in snapshot.documents.values() if carries_rules(one)]
    return [problem for document in carrying for problem in book.get_rules(document).problems]


def carries_rules(document: Document) -> bool:
    """Return whether a document may have rules; much cheaper than parsing them."""
    return any(map(document.text.__contains__, ("ast-grep", "policy")))


def load_rules(document: Document) -> RuleSet:
    """Parse the rules of a document, and test them on their samples and on the document's good examples."""
    found = parse_rules(document)
    used, disabled, problems = check_samples(document, found.rules)
    problems = [*found.problems, *problems, *_find_broken_examples(document, used)]
    return RuleSet(document, tuple(used), tuple(disabled), found.unread, tuple(problems))


def check_samples(
    document: Document, rules: Iterable[Rule]
) -> tuple[list[Rule], list[DisabledRule], list[DocumentProblem]]:
    """Check rules with their samples: return the usable ones, the others, and the problems."""
    used: list[Rule] = []
    disabled: list[DisabledRule] = []
    problems: list[DocumentProblem] = []
    for rule in rules:
        faults = list(find_sample_faults(rule))
        if faults:
            disabled.append(DisabledRule(rule, "; ".join(faults)[:500]))
            said = f"rule {rule.id} is disabled: {'; '.join(faults)[:500]}"
            problems.append(_make_problem("rule-fails-samples", said, document, rule.line, "error"))
            continue
        used.append(rule)
        if not rule.invalid:
            said = f"rule {rule.id} has no `invalid:` sample to prove that it can match; add one"
            problems.append(_make_problem("rule-without-sample", said, document, rule.line, "warning"))
    return used, disabled, problems


def find_good_examples(document: Document) -> list[tuple[CodeBlock, str]]:
    """Return the code blocks that a document shows as good, each with its language."""
    return [
        (block, language)
        for block in find_blocks(document)
        if block.words and "ast-grep" not in block.words and "policy" not in block.words
        if (language := find_language(block.words[0])) and not _is_bad(block)
    ]


def _is_bad(block: CodeBlock) -> bool:
    first = block.text.lstrip().partition("\n")[0].lower()
    comment = first if first[:1] in "#/-<;*" else ""
    said = " ".join((*block.headings[1:], block.before, comment, *block.words[1:])).lower()
    return any(word in said for word in _BAD)


def _find_broken_examples(document: Document, rules: list[Rule]) -> list[DocumentProblem]:
    problems = []
    for block, language in find_good_examples(document) if rules else ():
        try:
            tree = parse_code(block.text, language)
            hits = [hit for rule in rules if not rule.files for hit in find_hits_if_applicable(rule, tree, "")]
        except NotCheckable:
            continue
        for hit in hits[:1]:
            said = f"the example violates the document's own rule {hit.rule.id}; correct one, or mark it as bad"
            problems.append(_make_problem("example-breaks-rule", said, document, block.line + hit.line - 1, "error"))
    return problems


def _make_problem(rule: str, message: str, document: Document, line: int, severity: str) -> DocumentProblem:
    return DocumentProblem(rule=rule, message=message, path=document.path, line=line, severity=severity)
