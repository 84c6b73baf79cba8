"""A rule is tried on its own samples before it judges anybody's code."""

from collections.abc import Iterator

from stithy_archdocs.rules.imports import FORMS
from stithy_archdocs.rules.languages import language_of, language_of_path
from stithy_archdocs.rules.matching import hits_of, is_for
from stithy_archdocs.rules.records import Rule, Sample
from stithy_archdocs.rules.trees import NotCheckable, parse


def faults_of(rule: Rule) -> Iterator[str]:
    """Say what a rule does that it should not; a rule with a fault is not used.

    A rule that cannot match at all looks like one that nothing breaks, so its `invalid` samples must be hit.
    """
    for name, samples, wanted in (("valid", rule.valid, False), ("invalid", rule.invalid, True)):
        for number, sample in enumerate(samples, 1):
            if fault := _fault(rule, sample, wanted=wanted):
                yield f"{name} sample {number}: {fault}"
    if not rule.valid and not rule.invalid and rule.config is not None:
        yield from _rejected(rule)


def _fault(rule: Rule, sample: Sample, *, wanted: bool) -> str:
    language = _language(rule, sample)
    if language is None:
        return "its language is not known: write language:, or a path:"
    try:
        tree = parse(sample.code, language)
        hits = hits_of(rule, tree, sample.path) if is_for(rule, language, sample.path) else []
    except NotCheckable as error:
        return str(error)
    if bool(hits) != wanted:
        return "it is not hit" if wanted else f"it is hit in line {hits[0].line}"
    if tree.errors and not wanted:
        return f"line {tree.errors[0].line} of it cannot be parsed as {language}"
    return ""


def _language(rule: Rule, sample: Sample) -> str | None:
    """Find the language of a sample of a policy that is for many; where nothing says it, that which parses it."""
    named = language_of(sample.language) if sample.language else language_of_path(sample.path)
    if named or rule.language:
        return named or rule.language
    fitting = [language for language in FORMS if not parse(sample.code, language).errors]
    return fitting[0] if fitting else None


def _rejected(rule: Rule) -> Iterator[str]:
    """Let ast-grep look at a rule that has no samples."""
    try:
        hits_of(rule, parse("", rule.language), "")
    except NotCheckable as error:
        yield str(error)
