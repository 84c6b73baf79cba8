"""Apply one rule to one source."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from stithy_archdocs.globs import matches_any
from stithy_archdocs.rules.import_policies import FORMS, find_policy_hits
from stithy_archdocs.rules.languages import OTHERS, find_language
from stithy_archdocs.rules.rule_models import Rule, RuleHit, UnreadRule
from stithy_archdocs.rules.syntax_trees import SyntaxTree, find_nodes

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NAME = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")
_SHOWN = re.compile(r"\$([A-Z_][A-Z0-9_]*)")


def is_applicable(rule: Rule, language: str, path: str) -> bool:
    """Return whether a rule applies to a language and path; if the path is unknown, its globs are ignored."""
    if rule.project is not None:
        return False
    if (rule.language != language) if rule.language else (language not in FORMS):
        return False
    if not path:
        return True
    return (not rule.files or matches_any(path, rule.files)) and not matches_any(path, rule.ignores)


def may_be_applicable(rule: UnreadRule, language: str, path: str) -> bool:
    """Return whether an unreadable rule may apply to code; yes unless something rules it out.

    Args:
        rule: The rule.
        language: Language of the code; empty for a file without a grammar.
        path: Path of the code; empty if unknown.
    """
    written = find_language(rule.language)
    other = rule.language.strip().lower() in OTHERS and bool(language)
    if written != language and (written or other):
        return False
    return not path or ((not rule.files or matches_any(path, rule.files)) and not matches_any(path, rule.ignores))


def find_hits(rule: Rule, tree: SyntaxTree, path: str) -> list[RuleHit]:
    """Return the hits of a rule, in order, each position once.

    Raises:
        NotCheckable: ast-grep rejects the rule.
    """
    if rule.imports is not None:
        found = list(find_policy_hits(rule, rule.imports, tree, path))
    else:
        found = [_make_hit(rule, node, tree.code) for node in find_nodes(tree, dict(rule.config or {}))]
    return list({(hit.line, hit.column, hit.text): hit for hit in found}.values())


def _make_hit(rule: Rule, node: "SgNode", code: str) -> RuleHit:
    place = node.range()
    return RuleHit(
        rule=rule,
        description=_SHOWN.sub(lambda name: _expand_message(node, name), rule.message),
        text=node.text(),
        line=place.start.line + 1,
        column=place.start.column + 1,
        last=place.end.line + 1,
        fix=_NAME.sub(lambda name: _expand_fix(node, name, code), rule.fix) if rule.fix else "",
    )


def _expand_message(node: "SgNode", name: re.Match[str]) -> str:
    """Replace a metavariable in a message with the matched text, as ast-grep does."""
    match = node.get_match(name[1])
    return match.text()[:100] if match else name[0]


def _expand_fix(node: "SgNode", name: re.Match[str], code: str) -> str:
    if name[1]:
        many = node.get_multiple_matches(name[1])
        return code[many[0].range().start.index : many[-1].range().end.index] if many else ""
    match = node.get_match(name[2])
    return match.text() if match else node.get_transformed(name[2]) or ""


def find_hits_if_applicable(rule: Rule, tree: SyntaxTree, path: str) -> Iterator[RuleHit]:
    """Iterate over the hits of a rule; none if it does not apply to the code."""
    if is_applicable(rule, tree.language, path):
        yield from find_hits(rule, tree, path)
