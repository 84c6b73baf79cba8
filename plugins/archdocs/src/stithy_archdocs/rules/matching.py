"""One rule against one piece of code."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from stithy_archdocs.globs import fits
from stithy_archdocs.rules import policies
from stithy_archdocs.rules.imports import FORMS
from stithy_archdocs.rules.languages import OTHERS, language_of
from stithy_archdocs.rules.records import Hit, Rule, UnreadRule
from stithy_archdocs.rules.trees import Tree, find

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NAME = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")
_SHOWN = re.compile(r"\$([A-Z_][A-Z0-9_]*)")


def is_for(rule: Rule, language: str, path: str) -> bool:
    """Say whether a rule is for code of a language at a path; where the path is not known, its globs do not count."""
    if (rule.language != language) if rule.language else (language not in FORMS):
        return False
    if not path:
        return True
    return (not rule.files or fits(path, rule.files)) and not fits(path, rule.ignores)


def may_be_for(rule: UnreadRule, language: str, path: str) -> bool:
    """Return whether a rule that cannot be read may be for code at a path; yes where nothing says no.

    Args:
        rule: The rule.
        language: The code's; empty for a file that no grammar is there for.
        path: Where the code stands; empty where that is not known.
    """
    written = language_of(rule.language)
    other = rule.language.strip().lower() in OTHERS and bool(language)
    if written != language and (written or other):
        return False
    return not path or ((not rule.files or fits(path, rule.files)) and not fits(path, rule.ignores))


def hits_of(rule: Rule, tree: Tree, path: str) -> list[Hit]:
    """Find where code breaks a rule, in order, each place once.

    Raises:
        NotCheckable: ast-grep does not take the rule.
    """
    if rule.imports is not None:
        found = list(policies.hits_of(rule, rule.imports, tree, path))
    else:
        found = [_hit(rule, node, tree.code) for node in find(tree, dict(rule.config or {}))]
    return list({(hit.line, hit.column, hit.text): hit for hit in found}.values())


def _hit(rule: Rule, node: "SgNode", code: str) -> Hit:
    place = node.range()
    return Hit(
        rule=rule,
        description=_SHOWN.sub(lambda name: _shown(node, name), rule.message),
        text=node.text(),
        line=place.start.line + 1,
        column=place.start.column + 1,
        last=place.end.line + 1,
        fix=_NAME.sub(lambda name: _filled(node, name, code), rule.fix) if rule.fix else "",
    )


def _shown(node: "SgNode", name: re.Match[str]) -> str:
    """Put what a name of the rule matched into its message, as ast-grep does."""
    match = node.get_match(name[1])
    return match.text()[:100] if match else name[0]


def _filled(node: "SgNode", name: re.Match[str], code: str) -> str:
    if name[1]:
        many = node.get_multiple_matches(name[1])
        return code[many[0].range().start.index : many[-1].range().end.index] if many else ""
    match = node.get_match(name[2])
    return match.text() if match else node.get_transformed(name[2]) or ""


def tried(rule: Rule, tree: Tree, path: str) -> Iterator[Hit]:
    """Give the hits of a rule that is for such code; nothing where it is not."""
    if is_for(rule, tree.language, path):
        yield from hits_of(rule, tree, path)
