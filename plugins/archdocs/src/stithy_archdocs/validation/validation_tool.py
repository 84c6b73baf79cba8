"""The tool `validate-against-pattern`: from arguments to verdict."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from stithy_archdocs.document_models import Document, Section
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.documents.text_sections import find_comment_end
from stithy_archdocs.rules import baselines
from stithy_archdocs.rules.baselines import BaselineKey, InvalidBaseline
from stithy_archdocs.rules.languages import describe_unsupported, find_language
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.project_rules import ProjectChecker
from stithy_archdocs.rules.rulebook import RuleSet
from stithy_archdocs.tools import ALTERNATIVES, ValidateAgainstPattern
from stithy_archdocs.validation.added_lines import iterate_changed_files, parse_hunks
from stithy_archdocs.validation.code_sources import CodeSource, read_files, select_hunks
from stithy_archdocs.validation.pattern_lookup import find_rules
from stithy_archdocs.validation.project_validation import check_project, record_unchecked_rule
from stithy_archdocs.validation.source_checker import (
    CheckOutcome,
    check_sources,
    explain_no_rules,
    list_supported_languages,
)
from stithy_archdocs.validation.validation_results import Requirement, UncheckedItem, ValidationResult, Verdict
from stithy_core.spi import ConfigError, Context, InvalidArguments, Page, Unknown

MOST = 20
LONGEST = 200
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)$")
_ASKS = re.compile(r"(?i)\b(?:must|should|shall|never|always|only|avoid|do not|don't|required?)\b")
_ASIDE = re.compile(
    r"(?i)^(?:references?|see also|links?|related|history|changelog|status|deciders|date|authors?|examples?)\b"
)
_FENCE = re.compile(r"^[ \t>]*(?:[-*+][ \t]+)?(`{3,}|~{3,})")


def extract_requirements(document: Document) -> tuple[Requirement, ...]:
    """Return the first requirements of a document, in its order."""
    found: list[Requirement] = []
    for section in document.sections:
        if not section.headings or _ASIDE.match(section.headings[-1]):
            continue
        for text, line in _iterate_requirements(section):
            plain = " ".join(text.split())
            if len(found) == MOST:
                return tuple(found)
            short = plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}…"
            found.append(Requirement(section=section.headings[-1][:LONGEST], text=short, line=line))
    return tuple(found)


def _iterate_requirements(section: Section) -> Iterator[tuple[str, int]]:
    """Iterate over list items, and over lines with words such as "must"; each with its line number."""
    lines = section.text.split("\n")
    start = section.last - len(lines) + 1
    mark, hidden = "", 0
    for number, line in enumerate(lines, start):
        if not mark and "<!--" in line and number > hidden:
            hidden = start - 1 + find_comment_end(lines, number - start + 1)
        if number <= hidden:
            continue
        if fence := _FENCE.match(line):
            mark = "" if mark and fence[1].startswith(mark) else mark or fence[1]
        elif mark or line.lstrip().startswith(("|", ">", "<!--")):
            continue
        elif item := _ITEM.match(line):
            yield item[1], number
        elif _ASKS.search(line):
            yield line, number


MOST_TOLD = 20
MOST_NAMED = 8


async def validate(ctx: Context, args: ValidateAgainstPattern) -> ValidationResult:
    """Check code against the rules of a document."""
    given = _choose_argument(ctx, args)
    library = ctx.shared(Library)
    rules = await ctx.thread(find_rules, ctx, await library.get_snapshot(), args.pattern_name)
    document = rules.document
    asked = args.language or ""
    spoken = find_language(asked) if asked else ""
    if spoken is None:
        found = CheckOutcome(reasons=[describe_unsupported(asked)])
        return make_result(document, found, [f"Supported languages: {list_supported_languages()}."])
    sources, gaps = await _collect_sources(ctx, args, given, library.root)
    known = await ctx.thread(_read_baseline, library.root / library.settings.baseline)
    seconds = ctx.remaining() / 2
    found = await ctx.thread(check_sources, rules, sources, language=spoken, known=known, seconds=seconds)
    await ctx.thread(_check_whole_project, library.root, rules, found, sources if given == "files" else None, known)
    found.reasons += [gap.reason for gap in gaps]
    found.not_checked += gaps
    _record_reason(found, rules, sources)
    return make_result(document, found)


def _check_whole_project(
    root: Path,
    rules: RuleSet,
    found: CheckOutcome,
    sources: Sequence[CodeSource] | None,
    known: Counter[BaselineKey],
) -> None:
    """Apply the rules about the whole project, whose hits count in the files that were passed."""
    own = [rule for rule in rules.rules if rule.project is not None]
    if own and sources is not None:
        selected = {source.path for source in sources}
        check_project(rules, ProjectChecker(ProjectFiles(root=root)), found, selected=selected, known=known)
        return
    for rule in own:
        record_unchecked_rule(found, rule, "it needs the files of the project: pass files")


def _choose_argument(ctx: Context, args: ValidateAgainstPattern) -> str:
    """Return the name of the argument with the code; an argument of the call wins over code from the prompt.

    Raises:
        InvalidArguments: Several are passed, or none.
    """
    others = [name for name in ALTERNATIVES if getattr(args, name)]
    brought = ctx.workflow is not None and ctx.workflow.arguments.get("code") == args.code
    given = others if others and brought else [*others, *(["code"] if args.code is not None else [])]
    if len(given) != 1:
        what = "conflicting arguments: " + " and ".join(given) if given else "no code passed"
        raise InvalidArguments(what, suggestion="Pass exactly one of code, files, diff and pr.")
    return given[0]


async def _collect_sources(
    ctx: Context, args: ValidateAgainstPattern, given: str, root: Path
) -> tuple[Sequence[CodeSource], Sequence[UncheckedItem]]:
    if given == "files":
        return await ctx.thread(read_files, root, args.files or []), ()
    if given == "diff":
        # The caller chooses the paths: a remote caller must not learn which of them exist on this machine.
        return await ctx.thread(_sources_of_diff, None if ctx.remote else root, args.diff or ""), ()
    if given == "pr":
        return await _sources_of_pull_request(ctx, args.pr or "", root)
    path = (args.path or "").replace("\\", "/").removeprefix("./").lstrip("/")
    return [CodeSource(path=path, code=(args.code or "").replace("\r\n", "\n"))], ()


def _sources_of_diff(root: Path | None, diff: str) -> list[CodeSource]:
    return [source for path, hunks in iterate_changed_files(diff) for source in select_hunks(root, path, hunks)]


async def _sources_of_pull_request(
    ctx: Context, text: str, root: Path
) -> tuple[Sequence[CodeSource], Sequence[UncheckedItem]]:
    forge, ref = await ctx.pull_request(text)
    changes = await forge.changes.files(ref, patches=True)
    sources: list[CodeSource] = []
    gaps = [UncheckedItem(what=str(ref), reason=changes.cut)] if changes.cut else []
    for change in changes:
        if change.status == "deleted":
            continue
        if isinstance(change.patch, Unknown):
            gaps.append(UncheckedItem(what=change.path, reason=change.patch.reason))
        elif change.patch:
            sources += await ctx.thread(select_hunks, root, change.path, parse_hunks(change.patch.split("\n")))
    return sources, gaps


def _read_baseline(path: Path) -> Counter[BaselineKey]:
    """Read the baseline.

    Raises:
        ConfigError: The baseline cannot be read.
    """
    try:
        return baselines.read_baseline(path)
    except InvalidBaseline as error:
        raise ConfigError(
            str(error), suggestion="Correct the file, or write it again with --write-baseline."
        ) from error


def _record_reason(found: CheckOutcome, rules: RuleSet, sources: Sequence[CodeSource]) -> None:
    """Record why nothing was checked."""
    if found.checked or found.reasons:
        return
    if not rules.rules:
        found.reasons.append(explain_no_rules(rules))
    elif not sources:
        found.reasons.append("the change adds no code")
    else:
        what = f"{found.language} at this path" if found.language else "these files"
        found.reasons.append(f"the document has no rule for {what}")


def make_result(document: Document, found: CheckOutcome, suggestions: Sequence[str] = ()) -> ValidationResult:
    """Build the result: compliant only if every rule for the code ran."""
    compliant = bool(found.checked) and not found.violations and not found.reasons
    verdict: Verdict = "violations" if found.violations else "compliant" if compliant else "not_checkable"
    violations = sorted(found.violations, key=lambda one: (one.file or "", one.line, one.column, one.rule))
    return ValidationResult(
        compliant=compliant,
        verdict=verdict,
        pattern=document.names[1] if len(document.names) > 1 else document.names[0],
        uri=document.uri,
        why=found.reasons[0] if found.reasons else None,
        language=found.language or None,
        rules_checked=tuple(found.checked),
        files_checked=found.files,
        violations=Page(violations, key=lambda one: f"{one.file or ''}:{one.line}:{one.column}:{one.rule}"),
        suggestions=(*suggestions, *_make_suggestions(found)),
        baselined=tuple(found.baselined[:MOST_TOLD]) or None,
        suppressed=tuple(found.suppressed[:MOST_TOLD]) or None,
        parse_errors=tuple(found.unparsed[:MOST_TOLD]) or None,
        not_checked=tuple(found.not_checked[:MOST_TOLD]) or None,
        checklist=extract_requirements(document) or None,
    )


def _make_suggestions(found: CheckOutcome) -> list[str]:
    """Return what to do next: the note of each violated rule, and hints."""
    broken = dict.fromkeys(one.rule for one in found.violations)
    notes = [f"{name}: {found.checked[name].note}" for name in broken if found.checked[name].note]
    if any(one.applies_to for one in found.violations):
        notes.append("Some of these rules apply only to some files: pass path to check only those that apply.")
    if found.macros:
        names = ", ".join(list(found.macros)[:MOST_NAMED])
        notes.append(f"Macros were skipped to parse the code ({names}): their expansion was not checked.")
    if found.unparsed:
        notes.append("Pass code that can be parsed on its own, and its language.")
    if len(found.not_checked) > MOST_TOLD:
        notes.append(f"{len(found.not_checked)} items were not checked; the first {MOST_TOLD} are listed.")
    return [note[:500] for note in notes[:MOST_TOLD]]
