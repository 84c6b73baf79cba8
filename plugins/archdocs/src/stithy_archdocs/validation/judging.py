"""Rules against sources, in one thread: trees stay where they were made."""

import time
from collections import Counter
from collections.abc import Sequence

from attrs import define, field

from stithy_archdocs.rules.baselines import Key, key_of
from stithy_archdocs.rules.imports import FORMS
from stithy_archdocs.rules.languages import ENDINGS, language_of_path
from stithy_archdocs.rules.matching import hits_of, is_for, may_be_for
from stithy_archdocs.rules.records import Hit, Rule
from stithy_archdocs.rules.rulebook import RuleSet
from stithy_archdocs.rules.suppressions import Suppression, suppressed, suppressions_of
from stithy_archdocs.rules.trees import NotCheckable, Tree, find, parse
from stithy_archdocs.validation.results import Excused, NotChecked, Unparsed, Violation
from stithy_archdocs.validation.sources import Source

CPP_ALONE = {
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
"""What is in a header of C++, and in none of C, whose grammar takes `namespace a {` for a function."""


@define(eq=False)
class Judgement:
    """What was found.

    Args:
        checked: The rules that were held against some code, by id, in the document's order.
        files: How much code was parsed and judged.
        macros: What was passed over in C and C++, whose preprocessor did not run.
        reasons: Why not all was checked; then nothing is called compliant.
        keys: What the violations are known by in a baseline.
    """

    violations: list[Violation] = field(factory=list)
    baselined: list[Excused] = field(factory=list)
    suppressed: list[Excused] = field(factory=list)
    unparsed: list[Unparsed] = field(factory=list)
    not_checked: list[NotChecked] = field(factory=list)
    macros: dict[str, None] = field(factory=dict)
    checked: dict[str, Rule] = field(factory=dict)
    files: int = 0
    language: str = ""
    reasons: list[str] = field(factory=list)
    keys: list[Key] = field(factory=list)


def judge(
    rules: RuleSet,
    sources: Sequence[Source],
    *,
    language: str = "",
    known: Counter[Key] | None = None,
    seconds: float = 20,
) -> Judgement:
    """Hold a document's rules against code.

    Args:
        rules: The rules.
        sources: The code.
        language: Of the code, where its caller said it and it is one that can be parsed.
        known: The hits that were there before; counted down as they are met.
        seconds: After which no other source is begun.
    """
    found = Judgement()
    ends = time.monotonic() + seconds
    left = Counter(known or {})
    for source in sources:
        if time.monotonic() > ends:
            found.reasons.append("the time was up before all files were checked")
            found.not_checked.append(NotChecked(what=source.path or "the code", reason="the time was up"))
            break
        try:
            _judge(rules, source, language, found, left)
        except NotCheckable as error:
            _leave_out(found, source, str(error))
    for one in rules.disabled:
        found.not_checked.append(NotChecked(what=f"rule {one.rule.id}", reason=f"disabled: {one.reason}"))
    for unread in rules.unread:
        found.not_checked.append(NotChecked(what=unread.what, reason=f"line {unread.line}: {unread.reason}"[:300]))
    return found


def _judge(rules: RuleSet, source: Source, language: str, found: Judgement, known: Counter[Key]) -> None:
    if source.fault:
        raise NotCheckable(source.fault)
    spoken = language or language_of_path(source.path) or ""
    if not spoken and source.path:
        found.not_checked.append(NotChecked(what=source.path, reason="no grammar is there for such a file"))
        _note_unread(rules, "", source, found)
        return
    tree = _parsed(rules, source, spoken, said=bool(language))
    found.language = tree.language
    disabled = [one.rule for one in rules.disabled if is_for(one.rule, tree.language, source.path)]
    if disabled:
        found.reasons.append(f"the rule {disabled[0].id} is disabled: it fails its own samples")
    _note_unread(rules, tree.language, source, found)
    own = [rule for rule in rules.rules if is_for(rule, tree.language, source.path)]
    if not own:
        return
    found.files += 1
    _note_errors(tree, source, found)
    found.macros.update(dict.fromkeys(tree.macros))
    comments = suppressions_of(tree)
    _note_unreasoned(comments, source, found)
    for rule in own:
        found.checked[rule.id] = rule
        for hit in hits_of(rule, tree, source.path):
            if _is_meant(hit.line, hit.last, source):
                _sort(hit, source, comments, found, known)


def _parsed(rules: RuleSet, source: Source, spoken: str, *, said: bool) -> Tree:
    """Parse a source; a header is C or C++, whichever it can be parsed as."""
    if not spoken:
        return _guessed(rules, source.code)
    if said or not source.path.lower().endswith(".h"):
        return parse(source.code, spoken)
    c, other = (parse(source.code, language) for language in ("c", "cpp"))
    faults = len(other.errors) + other.added - len(c.errors) - c.added
    wanted = {rule.language for rule in rules.rules}
    fits = bool(find(other, CPP_ALONE)) or ("cpp" in wanted and "c" not in wanted)
    return other if faults < 0 or (not faults and fits) else c


def _sort(hit: Hit, source: Source, comments: list[Suppression], found: Judgement, known: Counter[Key]) -> None:
    """Tell a violation from what is allowed or was there before."""
    key = key_of(hit, source.path)
    if comment := suppressed(hit, comments):
        found.suppressed.append(_excused(hit, source, comment.reason))
    elif known[key] > 0:
        known[key] -= 1
        found.baselined.append(_excused(hit, source, "in the baseline"))
    else:
        found.keys.append(key)
        found.violations.append(_violation(hit, source))


def _note_unreasoned(comments: list[Suppression], source: Source, found: Judgement) -> None:
    for one in comments:
        if not one.reason:
            what = f"{source.path or 'line'}:{source.before + one.line}"
            found.not_checked.append(NotChecked(what=what, reason="a suppression without a reason: write -- and why"))


def _guessed(rules: RuleSet, code: str) -> Tree:
    """Take the one language of the rules, or the one of several in which the code can be parsed.

    Raises:
        NotCheckable: There is none, or it may be one of several.
    """
    if not rules.rules:
        raise NotCheckable(explain_no_rules(rules))
    fitting = dict.fromkeys(rule.language for rule in rules.rules if rule.language) or FORMS
    if len(fitting) == 1:
        return parse(code, next(iter(fitting)))
    trees = [tree for one in fitting if not (tree := parse(code, one)).errors]
    if len(trees) == 1:
        return trees[0]
    raise NotCheckable("the language of the code is not known: say language")


def explain_no_rules(rules: RuleSet) -> str:
    """Return why a document has no rule that is used: an unreadable one is told from none."""
    if rules.unread:
        first = rules.unread[0]
        return f"no rule of the document can be used: {first.what} (line {first.line}): {first.reason}"
    if rules.disabled:
        return f"the document's rules are disabled: {rules.disabled[0].rule.id} fails its own samples"
    return "the document has no rules: it is prose that somebody has to read"


def _note_unread(rules: RuleSet, language: str, source: Source, found: Judgement) -> None:
    """Note that rules which cannot be read may be for a source."""
    unread = [one for one in rules.unread if may_be_for(one, language, source.path)]
    if not unread:
        return
    more = f", and {len(unread) - 1} more" if len(unread) > 1 else ""
    reason = f"{unread[0].what} (line {unread[0].line}{more}) is not used: {unread[0].reason}"
    if reason not in found.reasons:
        found.reasons.append(reason)


def _note_errors(tree: Tree, source: Source, found: Judgement) -> None:
    for error in tree.errors:
        if source.whole or _is_meant(error.line, error.last, source):
            found.unparsed.append(
                Unparsed(
                    file=source.path or None,
                    line=source.before + error.line,
                    column=source.indent + error.column,
                    text=error.text,
                )
            )
    if found.unparsed and not any("cannot be parsed" in reason for reason in found.reasons):
        found.reasons.append(f"code cannot be parsed as {tree.language}")


def _is_meant(first: int, last: int, source: Source) -> bool:
    """Say whether lines, counted from 1 in the source, are among those that are judged."""
    if source.lines is None:
        return True
    return any(line + source.before in source.lines for line in range(first, last + 1))


def _violation(hit: Hit, source: Source) -> Violation:
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


def _excused(hit: Hit, source: Source, reason: str) -> Excused:
    return Excused(rule=hit.rule.id, file=source.path or None, line=source.before + hit.line, reason=reason[:200])


def _leave_out(found: Judgement, source: Source, reason: str) -> None:
    found.reasons.append(reason)
    found.not_checked.append(NotChecked(what=source.path or "the code", reason=reason))


def supported() -> str:
    """Name the languages that can be parsed."""
    return ", ".join(sorted(ENDINGS))
