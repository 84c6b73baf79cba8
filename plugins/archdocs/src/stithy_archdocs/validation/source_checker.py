"""Check sources against rules. Runs in one thread, since syntax trees must stay in the thread that created them."""

import re
import time
from collections import Counter
from collections.abc import Sequence

from attrs import define, field, frozen

from stithy_archdocs.rules.baselines import BaselineKey, make_key
from stithy_archdocs.rules.import_policies import FORMS
from stithy_archdocs.rules.languages import ENDINGS, find_language_of_path
from stithy_archdocs.rules.rule_matching import find_hits, is_applicable, may_be_applicable
from stithy_archdocs.rules.rule_models import Rule, RuleHit
from stithy_archdocs.rules.rulebook import RuleSet
from stithy_archdocs.rules.syntax_trees import NotCheckable, SyntaxTree, find_nodes, parse_code
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.validation_results import ExcusedHit, UncheckedItem, UnparsedCode, Violation

_ALLOW = re.compile(r"\bstithy:[ \t]*allow[ \t]+([^\s,]+(?:[ \t]*,[ \t]*[^\s,]+)*)[ \t]*(?:--[ \t]*(\S[^\n]*))?")
_ENDS = re.compile(r"[ \t]*(?:\*/|-->|-\})[ \t]*$")


@frozen
class Suppression:
    """A comment that names rules; without a reason it has no effect.

    Args:
        rules: Ids of the rules.
        reason: Why they may be violated here.
        line: Its line.
        next: The first line of code below it, if the comment stands alone; else its own line.
    """

    rules: tuple[str, ...]
    reason: str
    line: int
    next: int


def find_suppressions(tree: SyntaxTree) -> list[Suppression]:
    """Return the suppressions in comments; strings do not count."""
    lines = tree.code.split("\n")
    commented = _get_comment_lines(tree)
    found = []
    for first, text in tree.comments:
        for match in _ALLOW.finditer(text):
            line = first + text.count("\n", 0, match.start())
            following = line + 1
            while following <= len(lines) and (following in commented or not lines[following - 1].strip()):
                following += 1
            alone = line in commented
            rules = tuple(name.strip() for name in match[1].split(","))
            found.append(Suppression(rules, _ENDS.sub("", match[2] or "").strip(), line, following if alone else line))
    return found


def _get_comment_lines(tree: SyntaxTree) -> frozenset[int]:
    """Return the lines that hold only a comment."""
    lines = tree.code.split("\n")
    return frozenset(
        number
        for first, text in tree.comments
        for number, part in enumerate(text.split("\n"), first)
        if number <= len(lines) and lines[number - 1].strip() == part.strip()
    )


def get_suppression(hit: RuleHit, suppressions: list[Suppression]) -> Suppression | None:
    """Return the suppression of a hit: in its first line, or alone above it; None without one."""
    return next(
        (one for one in suppressions if one.reason and hit.rule.id in one.rules and hit.line in (one.line, one.next)),
        None,
    )


@frozen
class FixEdit:
    """What a rule would write instead of a text. Line and column count from 1."""

    path: str
    line: int
    column: int
    text: str
    fix: str


CPP_ONLY = {
    "rule": {
        "any": [
            {"kind": kind}
            for kind in (
                "namespace_definition",
                "class_specifier",
                "template_declaration",
                "access_specifier",
                "using_declaration",
                "alias_declaration",
                "reference_declarator",
                "qualified_identifier",
            )
        ]
    }
}
"""Matches C++ headers but not C headers; the C grammar parses `namespace a {` as a function."""


@define(eq=False)
class CheckOutcome:
    """The result of checking sources.

    Args:
        checked: The rules that applied to some source, by id, in the order of the document.
        files: Number of files that were read and checked.
        macros: Macros that were skipped in C and C++, because no preprocessor runs.
        reasons: Why not everything was checked; if there are any, nothing is called compliant.
        keys: Baseline keys of the violations.
        fixes: What rules would write instead, in files that were read as a whole.
    """

    violations: list[Violation] = field(factory=list)
    baselined: list[ExcusedHit] = field(factory=list)
    suppressed: list[ExcusedHit] = field(factory=list)
    unparsed: list[UnparsedCode] = field(factory=list)
    not_checked: list[UncheckedItem] = field(factory=list)
    macros: dict[str, None] = field(factory=dict)
    checked: dict[str, Rule] = field(factory=dict)
    files: int = 0
    language: str = ""
    reasons: list[str] = field(factory=list)
    keys: list[BaselineKey] = field(factory=list)
    fixes: list[FixEdit] = field(factory=list)


def check_sources(
    rules: RuleSet,
    sources: Sequence[CodeSource],
    *,
    language: str = "",
    known: Counter[BaselineKey] | None = None,
    seconds: float = 20,
) -> CheckOutcome:
    """Check sources against the rules of a document.

    Args:
        rules: The rules.
        sources: The code.
        language: Language of the code, if the caller stated one that can be parsed.
        known: Accepted violations with their counts.
        seconds: Seconds after which no further source is started.
    """
    found = CheckOutcome()
    ends = time.monotonic() + seconds
    left = Counter(known or {})
    for source in sources:
        if time.monotonic() > ends:
            found.reasons.append("time ran out before all files were checked")
            found.not_checked.append(UncheckedItem(what=source.path or "the code", reason="time ran out"))
            break
        try:
            _check_source(rules, source, language, found, left)
        except NotCheckable as error:
            _record_unchecked(found, source, str(error))
    for one in rules.disabled:
        item = UncheckedItem(what=f"rule {one.rule.id}", reason=f"disabled: {one.reason}")
        if item not in found.not_checked:  # a rule for several languages is one in each of them
            found.not_checked.append(item)
    for unread in rules.unread:
        found.not_checked.append(UncheckedItem(what=unread.what, reason=f"line {unread.line}: {unread.reason}"[:300]))
    return found


def _check_source(
    rules: RuleSet, source: CodeSource, language: str, found: CheckOutcome, known: Counter[BaselineKey]
) -> None:
    spoken = language or find_language_of_path(source.path) or ""
    if source.fault and (not source.path or _concern(rules, spoken, source.path)):
        raise NotCheckable(source.fault)
    if source.fault:
        found.not_checked.append(UncheckedItem(what=source.path, reason=source.fault))
        return
    if not spoken and source.path:
        found.not_checked.append(UncheckedItem(what=source.path, reason="no grammar for this kind of file"))
        _record_unread(rules, "", source, found)
        return
    tree = _parse_source(rules, source, spoken, said=bool(language))
    found.language = tree.language
    disabled = [one for one in rules.disabled if is_applicable(one.rule, tree.language, source.path)]
    if disabled:
        first, more = disabled[0], f" (and {len(disabled) - 1} more)" if len(disabled) > 1 else ""
        found.reasons.append(f"rule {first.rule.id} is disabled because it fails its own samples: {first.reason}{more}")
    _record_unread(rules, tree.language, source, found)
    own = [rule for rule in rules.rules if is_applicable(rule, tree.language, source.path)]
    if not own:
        return
    found.files += 1
    _record_parse_errors(tree, source, found)
    found.macros.update(dict.fromkeys(tree.macros))
    comments = find_suppressions(tree)
    _record_unreasoned(comments, source, found)
    for rule in own:
        found.checked[rule.id] = rule
        for hit in find_hits(rule, tree, source.path):
            if _is_selected(hit.line, hit.last, source):
                record_hit(hit, source, comments, found, known)


def _concern(rules: RuleSet, language: str, path: str) -> bool:
    """Return whether a rule is for a file, also one that cannot be used."""
    known = (*rules.rules, *(one.rule for one in rules.disabled))
    return any(is_applicable(rule, language, path) for rule in known if language) or any(
        may_be_applicable(one, language, path) for one in rules.unread
    )


def _parse_source(rules: RuleSet, source: CodeSource, spoken: str, *, said: bool) -> SyntaxTree:
    """Parse a source; a header is parsed as C or C++, whichever has fewer errors."""
    if not spoken:
        return _guess_language(rules, source.code)
    if said or not source.path.lower().endswith(".h"):
        return parse_code(source.code, spoken)
    c, other = (parse_code(source.code, language) for language in ("c", "cpp"))
    faults = len(other.errors) + other.added - len(c.errors) - c.added
    wanted = {rule.language for rule in rules.rules}
    fits = bool(find_nodes(other, CPP_ONLY)) or ("cpp" in wanted and "c" not in wanted)
    return other if faults < 0 or (not faults and fits) else c


def record_hit(
    hit: RuleHit, source: CodeSource, comments: list[Suppression], found: CheckOutcome, known: Counter[BaselineKey]
) -> None:
    """Record a hit as violation, suppressed or baselined."""
    key = make_key(hit, source.path)
    if comment := get_suppression(hit, comments):
        found.suppressed.append(_make_excused(hit, source, comment.reason))
    elif known[key] > 0:
        known[key] -= 1
        found.baselined.append(_make_excused(hit, source, "in the baseline"))
    else:
        found.keys.append(key)
        found.violations.append(_make_violation(hit, source))
        if hit.fix and source.whole and source.path and hit.rule.imports is None:
            found.fixes.append(FixEdit(source.path, hit.line, hit.column, hit.text, hit.fix))


def _record_unreasoned(comments: list[Suppression], source: CodeSource, found: CheckOutcome) -> None:
    for one in comments:
        if not one.reason:
            what = f"{source.path or 'line'}:{source.before + one.line}"
            found.not_checked.append(
                UncheckedItem(what=what, reason="suppression without a reason; append -- and the reason")
            )


def _guess_language(rules: RuleSet, code: str) -> SyntaxTree:
    """Parse code as the only language of the rules, or as the only one that parses without errors.

    Raises:
        NotCheckable: There are no rules, or several languages are possible.
    """
    if not rules.rules:
        raise NotCheckable(explain_no_rules(rules))
    fitting = dict.fromkeys(rule.language for rule in rules.rules if rule.language) or FORMS
    if len(fitting) == 1:
        return parse_code(code, next(iter(fitting)))
    trees = [tree for one in fitting if not (tree := parse_code(code, one)).errors]
    if len(trees) == 1:
        return trees[0]
    raise NotCheckable("unknown language of the code; pass language")


def explain_no_rules(rules: RuleSet) -> str:
    """Return why a document has no usable rule: unreadable, disabled, or none at all."""
    if rules.unread:
        first = rules.unread[0]
        return f"the document has no usable rule: {first.what} (line {first.line}): {first.reason}"
    if rules.disabled:
        return f"all rules of the document are disabled; {rules.disabled[0].rule.id} fails its own samples"
    return "the document has no rules, only prose; read it"


def _record_unread(rules: RuleSet, language: str, source: CodeSource, found: CheckOutcome) -> None:
    """Record that unreadable rules may apply to a source."""
    unread = [one for one in rules.unread if may_be_applicable(one, language, source.path)]
    if not unread:
        return
    more = f", and {len(unread) - 1} more" if len(unread) > 1 else ""
    reason = f"{unread[0].what} (line {unread[0].line}{more}) is not used: {unread[0].reason}"
    if reason not in found.reasons:
        found.reasons.append(reason)


def _record_parse_errors(tree: SyntaxTree, source: CodeSource, found: CheckOutcome) -> None:
    for error in tree.errors:
        if source.whole or _is_selected(error.line, error.last, source):
            found.unparsed.append(
                UnparsedCode(
                    file=source.path or None,
                    line=source.before + error.line,
                    column=source.indent + error.column,
                    text=error.text,
                )
            )
    if found.unparsed and not any("cannot be parsed" in reason for reason in found.reasons):
        found.reasons.append(f"the code cannot be parsed as {tree.language}")


def _is_selected(first: int, last: int, source: CodeSource) -> bool:
    """Return whether one of the lines, counted from 1 in the source, is to be checked."""
    if source.lines is None:
        return True
    return any(line + source.before in source.lines for line in range(first, last + 1))


def _make_violation(hit: RuleHit, source: CodeSource) -> Violation:
    scope = (*hit.rule.files, *(f"not {glob}" for glob in hit.rule.ignores))
    return Violation(
        rule=hit.rule.id,
        description=hit.description,
        severity="error" if hit.rule.severity == "error" else "warning",
        file=source.path or None,
        line=source.before + hit.line,
        column=source.indent + hit.column,
        last_line=source.before + hit.last,
        code=hit.text[:400],
        fix=hit.fix[:2_000] or None,
        applies_to=scope if scope and not source.path else None,
    )


def _make_excused(hit: RuleHit, source: CodeSource, reason: str) -> ExcusedHit:
    return ExcusedHit(rule=hit.rule.id, file=source.path or None, line=source.before + hit.line, reason=reason[:200])


def _record_unchecked(found: CheckOutcome, source: CodeSource, reason: str) -> None:
    found.reasons.append(f"{source.path}: {reason}" if source.path else reason)
    found.not_checked.append(UncheckedItem(what=source.path or "the code", reason=reason))


def list_supported_languages() -> str:
    """Return the languages that can be parsed."""
    return ", ".join(sorted(ENDINGS))
