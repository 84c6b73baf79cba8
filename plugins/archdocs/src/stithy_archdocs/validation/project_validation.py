"""Check the whole project against the rules about it, and add what they find to the outcome of a check."""

from collections import Counter
from collections.abc import Collection

from stithy_archdocs.rules.baselines import BaselineKey
from stithy_archdocs.rules.languages import find_language_of_path
from stithy_archdocs.rules.project_rules import ProjectChecker
from stithy_archdocs.rules.rule_models import Rule
from stithy_archdocs.rules.rulebook import RuleSet
from stithy_archdocs.rules.syntax_trees import NotCheckable, parse_code
from stithy_archdocs.validation.code_sources import CodeSource
from stithy_archdocs.validation.source_checker import CheckOutcome, Suppression, find_suppressions, record_hit
from stithy_archdocs.validation.validation_results import UncheckedItem


def check_project(
    rules: RuleSet,
    checker: ProjectChecker,
    found: CheckOutcome,
    *,
    selected: Collection[str] | None = None,
    known: Counter[BaselineKey] | None = None,
) -> None:
    """Check the project against those rules of a document that are about all of it.

    Args:
        rules: The rules of the document.
        checker: The project.
        found: The outcome, to which hits are added.
        selected: Paths of the files whose hits count; None for all.
        known: Accepted violations with their counts.
    """
    left = Counter(known or {})
    comments: dict[str, list[Suppression]] = {}
    gaps: dict[str, str] = {}
    read: set[str] = set()
    own = set(checker.files.paths)
    for rule in rules.rules:
        if rule.project is None:
            continue
        try:
            hits = checker.find_hits(rule)
        except NotCheckable as error:
            record_unchecked_rule(found, rule, str(error))
            continue
        found.checked[rule.id] = rule
        own.update(checker.select(rule))
        read |= set(checker.list_read(rule))
        gaps |= checker.find_gaps(rule)
        for path, hit in hits:
            if selected is None or path in selected or path not in own:
                if path not in comments:
                    comments[path] = _find_comments(checker, path) if path in own else []
                record_hit(hit, CodeSource(path=path), comments[path], found, left)
    found.files = max(found.files, len(read if selected is None else read & set(selected)))
    for path, reason in gaps.items():
        found.reasons.append(f"{path}: {reason}"[:300])
        found.not_checked.append(UncheckedItem(what=path, reason=reason))


def record_unchecked_rule(found: CheckOutcome, rule: Rule, reason: str) -> None:
    """Record that a rule was not applied, so that nothing counts as approved."""
    found.reasons.append(f"rule {rule.id}: {reason}"[:300])
    found.not_checked.append(UncheckedItem(what=f"rule {rule.id}", reason=reason[:300]))


def _find_comments(checker: ProjectChecker, path: str) -> list[Suppression]:
    language = find_language_of_path(path)
    if language is None:
        return []
    try:
        return find_suppressions(parse_code(checker.files.read(path), language))
    except NotCheckable:
        return []
