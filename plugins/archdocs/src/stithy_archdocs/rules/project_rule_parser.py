"""Parse rules about the whole project: `layers`, `independence`, `forbidden`, `texts`, `paths`, `manifests`."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stithy_archdocs.rules.import_graph import SEPARATORS
from stithy_archdocs.rules.project_models import (
    ForbiddenContract,
    IndependenceContract,
    Layer,
    LayerContract,
    ManifestCheck,
    PathCheck,
    ProjectCheck,
    TextCheck,
)
from stithy_archdocs.rules.project_rules import compile_expression
from stithy_archdocs.rules.rule_values import InvalidRule, to_flag, to_text, to_texts
from stithy_archdocs.rules.syntax_trees import NotCheckable

_COLON = re.compile(r"(?<!:):(?!:)")
"""A colon that separates modules; names of Rust have two."""


def parse_project_check(kind: str, raw: Mapping[str, Any]) -> ProjectCheck:
    """Parse what a rule of one kind demands.

    Raises:
        InvalidRule: A key is missing, or a value is invalid.
    """
    try:
        return _PARSERS[kind](raw)
    except NotCheckable as error:
        raise InvalidRule(str(error)) from error


def needs_graph(kind: str) -> bool:
    """Return whether rules of a kind are about imports, and need a language."""
    return kind in ("layers", "independence", "forbidden")


def check_graph_language(language: str) -> None:
    """Check that there is a graph for a language.

    Raises:
        InvalidRule: There is none.
    """
    if language not in SEPARATORS:
        raise InvalidRule(f"imports across modules are known for {', '.join(SEPARATORS)} only")


def parse_layers(rows: Sequence[str]) -> tuple[Layer, ...]:
    """Parse layers as import-linter writes them.

    Raises:
        InvalidRule: A row mixes `|` and `:`, or a module is named twice.
    """
    layers = tuple(_parse_layer(row) for row in rows)
    counts = Counter(name for layer in layers for name in layer.modules)
    if repeated := next((name for name, count in counts.items() if count > 1), ""):
        raise InvalidRule(f"the layers name {repeated[:60]!r} twice")
    return layers


def _parse_layer(text: str) -> Layer:
    """Parse a row: `a`, `a | b` (independent), `a : b`, `(a)` (optional)."""
    independent = not _COLON.search(text)
    if not independent and "|" in text:
        raise InvalidRule(f"a layer is separated by either | or a colon: {text[:60]!r}")
    names = [one.strip() for one in (text.split("|") if independent else _COLON.split(text))]
    bare = tuple(one.strip("() ") for one in names if one.strip("() "))
    return Layer(
        modules=bare,
        independent=independent,
        optional=frozenset(one.strip("() ") for one in names if one.startswith("(")),
    )


def parse_ignored(value: object) -> tuple[tuple[str, str], ...]:
    """Parse imports that do not count, as `a.b -> c.d`.

    Raises:
        InvalidRule: One has no arrow.
    """
    pairs = [tuple(part.strip() for part in one.split("->")) for one in to_texts(value)]
    for pair in pairs:
        if len(pair) != 2:  # noqa: PLR2004 -- a pair
            raise InvalidRule(f"invalid ignored import {' '.join(pair)[:60]!r}; expected importing -> imported")
    return tuple((one, other) for one, other in pairs)


def _parse_layers(raw: Mapping[str, Any]) -> LayerContract:
    return LayerContract(
        layers=parse_layers(_require(raw, "layers")),
        containers=to_texts(raw.get("containers")),
        ignored=parse_ignored(raw.get("ignore_imports")),
    )


def _parse_independence(raw: Mapping[str, Any]) -> IndependenceContract:
    return IndependenceContract(modules=_require(raw, "modules"), ignored=parse_ignored(raw.get("ignore_imports")))


def _parse_forbidden(raw: Mapping[str, Any]) -> ForbiddenContract:
    return ForbiddenContract(
        sources=_require(raw, "from"),
        targets=_require(raw, "to"),
        direct_only=to_flag(raw.get("direct_only")),
        ignored=parse_ignored(raw.get("ignore_imports")),
    )


def _parse_text_check(raw: Mapping[str, Any]) -> TextCheck:
    made = TextCheck(disallow=to_text(raw.get("disallow")), require=to_text(raw.get("require")))
    for one in filter(None, (made.disallow, made.require)):
        compile_expression(one)
    if not made.disallow and not made.require:
        raise InvalidRule("texts: neither disallow nor require has an expression")
    return made


def _parse_path_check(raw: Mapping[str, Any]) -> PathCheck:
    made = PathCheck(
        name=to_text(raw.get("name")),
        require=to_texts(raw.get("require")),
        each=bool(to_texts(raw.get("files"))),
        disallow=to_flag(raw.get("disallow")),
    )
    if made.name:
        compile_expression(made.name)
    if not (made.name or made.require or made.disallow):
        raise InvalidRule("paths: add name, require, or disallow: true")
    if not made.each and (made.name or made.disallow):
        raise InvalidRule("paths: name and disallow need files")
    return made


def _parse_manifest_check(raw: Mapping[str, Any]) -> ManifestCheck:
    made = ManifestCheck(
        disallow=to_texts(raw.get("disallow")),
        allow=to_texts(raw.get("allow")),
        require=to_texts(raw.get("require")),
        development=to_flag(raw.get("development"), default=True),
        key=to_text(raw.get("key")),
        matches=to_text(raw.get("matches")),
    )
    if made.matches:
        compile_expression(made.matches)
    if not (made.disallow or made.allow or made.require or made.key):
        raise InvalidRule("manifests: add disallow, allow, require or key")
    if not to_texts(raw.get("files")):
        raise InvalidRule("manifests: add files, such as [pyproject.toml]")
    return made


def _require(raw: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = to_texts(raw.get(key))
    if not found:
        raise InvalidRule(f"{key} is missing or empty")
    return found


_PARSERS: Mapping[str, Callable[[Mapping[str, Any]], ProjectCheck]] = {
    "layers": _parse_layers,
    "independence": _parse_independence,
    "forbidden": _parse_forbidden,
    "texts": _parse_text_check,
    "paths": _parse_path_check,
    "manifests": _parse_manifest_check,
}
PROJECT_KINDS = tuple(_PARSERS)
