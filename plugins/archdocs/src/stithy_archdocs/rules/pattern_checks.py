"""Check that ast-grep compares all that the patterns of a rule say."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from stithy_archdocs.rules.added_grammars import ADDED, SIGN
from stithy_archdocs.rules.rule_values import InvalidRule
from stithy_archdocs.rules.syntax_trees import NotCheckable, open_tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def check_patterns(config: object, language: str) -> None:
    """Check that the patterns of a rule have no text that is in no leaf of their trees.

    Some grammars hide words: of a TOML string the leaves are its quotes alone, so that `a = "b"` would match `a = "c"`.

    Args:
        config: The rule, or a part of it.
        language: Its language; only languages of added grammars are checked.

    Raises:
        InvalidRule: A pattern has hidden text, or cannot be parsed.
    """
    for pattern in _iterate_patterns(config) if language in ADDED else ():
        try:
            tree = open_tree(pattern.replace("$", SIGN), language)
        except NotCheckable as error:
            raise InvalidRule(str(error)) from error
        if hidden := next(_iterate_hidden(tree.root, tree.code), ""):
            reason = f"the grammar of {language} hides {hidden[:60]!r} from patterns, which would match any text there"
            raise InvalidRule(f"{reason}; use kind and regex")


def _iterate_patterns(config: object) -> Iterator[str]:
    if isinstance(config, Mapping):
        for key, value in config.items():
            if key in ("pattern", "context") and isinstance(value, str):
                yield value
            else:
                yield from _iterate_patterns(value)
    elif isinstance(config, list):
        for one in config:
            yield from _iterate_patterns(one)


def _iterate_hidden(node: "SgNode", code: str) -> Iterator[str]:
    """Iterate over the texts between the children of a node, and of those below it."""
    children = node.children()
    at = node.range().start.index
    for child in children:
        yield from filter(None, (code[at : child.range().start.index].strip(),))
        yield from _iterate_hidden(child, code)
        at = child.range().end.index
    if children:
        yield from filter(None, (code[at : node.range().end.index].strip(),))
