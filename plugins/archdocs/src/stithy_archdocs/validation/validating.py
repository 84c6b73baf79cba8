"""`validate-against-pattern`: from its arguments to the verdict."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from stithy_archdocs.documents.shelf import Library
from stithy_archdocs.records import Document
from stithy_archdocs.rules import baselines
from stithy_archdocs.rules.baselines import InvalidBaseline, Key
from stithy_archdocs.rules.languages import language_of
from stithy_archdocs.rules.rulebook import Rulebook, RuleSet
from stithy_archdocs.validation.checklist import points_of
from stithy_archdocs.validation.diffs import files_of, hunks_of
from stithy_archdocs.validation.judging import Judgement, explain_no_rules, judge, supported
from stithy_archdocs.validation.naming import pattern_of
from stithy_archdocs.validation.results import NotChecked, Validation, Verdict
from stithy_archdocs.validation.sources import Source, of_files, of_hunks
from stithy_archdocs.validation.spec import OTHERS, ValidateAgainstPattern
from stithy_core.spi import ConfigError, Context, InvalidArguments, Page, Unknown

MOST_TOLD = 20
MOST_NAMED = 8


async def validate(ctx: Context, args: ValidateAgainstPattern) -> Validation:
    """Hold a document's rules against code."""
    given = _given(ctx, args)
    library = ctx.shared(Library)
    document = pattern_of(await library.shelf(), args.pattern_name)
    spoken = language_of(args.language) if args.language else ""
    if spoken is None:
        reason = f"the language {args.language!r} is not supported"
        found = Judgement(reasons=[reason])
        return validation(document, found, [f"These are: {supported()}."])
    sources, gaps = await _sources(ctx, args, given, library.root)
    rules = await ctx.thread(ctx.shared(Rulebook).of, document)
    known = await ctx.thread(_known, library.root / library.settings.baseline)
    seconds = ctx.remaining() / 2
    found = await ctx.thread(judge, rules, sources, language=spoken, known=known, seconds=seconds)
    found.reasons += [gap.reason for gap in gaps]
    found.not_checked += gaps
    _explain(found, rules, sources)
    return validation(document, found)


def _given(ctx: Context, args: ValidateAgainstPattern) -> str:
    """Say which argument brings the code; what a call gives counts more than the code that its prompt was given.

    Raises:
        InvalidArguments: Several are given, or none.
    """
    others = [name for name in OTHERS if getattr(args, name)]
    brought = ctx.workflow is not None and ctx.workflow.arguments.get("code") == args.code
    given = others if others and brought else [*others, *(["code"] if args.code is not None else [])]
    if len(given) != 1:
        what = " and ".join(given) + " are given" if given else "no code is given"
        raise InvalidArguments(what, suggestion="Give code, or one argument in its place.")
    return given[0]


async def _sources(
    ctx: Context, args: ValidateAgainstPattern, given: str, root: Path
) -> tuple[Sequence[Source], Sequence[NotChecked]]:
    if given == "files":
        return await ctx.thread(of_files, root, args.files or []), ()
    if given == "diff":
        # The caller writes the paths: on another machine it must not learn which of them are files here.
        return await ctx.thread(_of_diff, None if ctx.remote else root, args.diff or ""), ()
    if given == "pr":
        return await _of_pull_request(ctx, args.pr or "", root)
    path = (args.path or "").replace("\\", "/").removeprefix("./").lstrip("/")
    return [Source(path=path, code=(args.code or "").replace("\r\n", "\n"))], ()


def _of_diff(root: Path | None, diff: str) -> list[Source]:
    return [source for path, hunks in files_of(diff) for source in of_hunks(root, path, hunks)]


async def _of_pull_request(ctx: Context, text: str, root: Path) -> tuple[Sequence[Source], Sequence[NotChecked]]:
    forge, ref = await ctx.pull_request(text)
    changes = await forge.changes.files(ref, patches=True)
    sources: list[Source] = []
    gaps = [NotChecked(what=str(ref), reason=changes.cut)] if changes.cut else []
    for change in changes:
        if change.status == "deleted":
            continue
        if isinstance(change.patch, Unknown):
            gaps.append(NotChecked(what=change.path, reason=change.patch.reason))
        elif change.patch:
            sources += await ctx.thread(of_hunks, root, change.path, hunks_of(change.patch.split("\n")))
    return sources, gaps


def _known(path: Path) -> Counter[Key]:
    """Read the baseline.

    Raises:
        ConfigError: It cannot be read.
    """
    try:
        return baselines.read(path)
    except InvalidBaseline as error:
        raise ConfigError(str(error), suggestion="Mend it, or write it anew.") from error


def _explain(found: Judgement, rules: RuleSet, sources: Sequence[Source]) -> None:
    """Say why nothing was checked."""
    if found.checked or found.reasons:
        return
    if not rules.rules:
        found.reasons.append(explain_no_rules(rules))
    elif not sources:
        found.reasons.append("there is no new code")
    else:
        what = f"for {found.language} here" if found.language else "for these files"
        found.reasons.append(f"the document has no rule {what}")


def validation(document: Document, found: Judgement, suggestions: Sequence[str] = ()) -> Validation:
    """Return the answer: compliant only where every rule for the code ran."""
    compliant = bool(found.checked) and not found.violations and not found.reasons
    verdict: Verdict = "violations" if found.violations else "compliant" if compliant else "not_checkable"
    violations = sorted(found.violations, key=lambda one: (one.file or "", one.line, one.column, one.rule))
    return Validation(
        compliant=compliant,
        verdict=verdict,
        pattern=document.names[1] if len(document.names) > 1 else document.names[0],
        uri=document.uri,
        why=found.reasons[0] if found.reasons else None,
        language=found.language or None,
        rules_checked=tuple(found.checked),
        files_checked=found.files,
        violations=Page(violations, key=lambda one: f"{one.file or ''}:{one.line}:{one.column}:{one.rule}"),
        suggestions=(*suggestions, *_suggestions(found)),
        baselined=tuple(found.baselined[:MOST_TOLD]) or None,
        suppressed=tuple(found.suppressed[:MOST_TOLD]) or None,
        parse_errors=tuple(found.unparsed[:MOST_TOLD]) or None,
        not_checked=tuple(found.not_checked[:MOST_TOLD]) or None,
        checklist=points_of(document) or None,
    )


def _suggestions(found: Judgement) -> list[str]:
    """Give what to do: the notes of broken rules, once each."""
    broken = dict.fromkeys(one.rule for one in found.violations)
    notes = [f"{name}: {found.checked[name].note}" for name in broken if found.checked[name].note]
    if any(one.applies_to for one in found.violations):
        notes.append("Some of these rules are for some files only: give path to have only those that hold there.")
    if found.macros:
        names = ", ".join(list(found.macros)[:MOST_NAMED])
        notes.append(f"Macros were passed over to parse the code ({names}): what they stand for was not looked at.")
    if found.unparsed:
        notes.append("Give code that can be parsed by itself, and its language.")
    if len(found.not_checked) > MOST_TOLD:
        notes.append(f"{len(found.not_checked)} things were not checked; the first {MOST_TOLD} are listed.")
    return [note[:500] for note in notes[:MOST_TOLD]]
