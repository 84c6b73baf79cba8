"""Read the contracts of import-linter: from pyproject.toml, .importlinter or setup.cfg.

The format is that of https://import-linter.readthedocs.io/en/stable/contract_types.html.
"""

import configparser
import posixpath
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from attrs import evolve

from stithy_archdocs.rules.import_contracts import check_apart
from stithy_archdocs.rules.project_models import (
    ForbiddenContract,
    ImportContract,
    IndependenceContract,
    LayerContract,
    SiblingContract,
)
from stithy_archdocs.rules.project_rule_parser import parse_ignored, parse_layers
from stithy_archdocs.rules.rule_models import Rule
from stithy_archdocs.rules.rule_values import InvalidRule, to_flag, to_text, to_texts
from stithy_archdocs.rules.syntax_trees import NotCheckable


def has_contracts(path: str, text: str) -> bool:
    """Return whether a file may have contracts of import-linter."""
    return posixpath.basename(path) in ("pyproject.toml", ".importlinter", "setup.cfg") and "importlinter" in text


def iterate_contracts(path: str, text: str) -> Iterator[tuple[str, Callable[[], Rule]]]:
    """Iterate over the contracts of a file: the name of each, and the function that translates it.

    Raises:
        InvalidRule: The file is invalid.
    """
    settings, contracts = _read_toml(text) if path.endswith(".toml") else _read_ini(text)
    for number, (name, raw) in enumerate(contracts, 1):
        named = to_text(raw.get("id")) or name or f"contract-{number}"
        yield named, partial(_translate, raw, named, settings, _find_line(text, raw))


def _read_toml(text: str) -> tuple[Mapping[str, Any], list[tuple[str, Mapping[str, Any]]]]:
    try:
        found = tomllib.loads(text).get("tool", {}).get("importlinter", {})
    except tomllib.TOMLDecodeError as error:
        raise InvalidRule(f"invalid TOML: {error}") from error
    return found, [("", one) for one in found.get("contracts", [])]


def _read_ini(text: str) -> tuple[Mapping[str, Any], list[tuple[str, Mapping[str, Any]]]]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        raise InvalidRule(f"invalid INI: {str(error)[:200]}") from error
    rows: dict[str, Mapping[str, Any]] = {
        name: {key: _split_lines(value) for key, value in parser[name].items()} for name in parser.sections()
    }
    named = [(name.rpartition(":")[2], row) for name, row in rows.items() if name.startswith("importlinter:contract:")]
    return rows.get("importlinter", {}), named


def _split_lines(value: str) -> str | list[str]:
    lines = [line.strip() for line in value.split("\n") if line.strip()]
    return lines if "\n" in value else value.strip()


def _find_line(text: str, raw: Mapping[str, Any]) -> int:
    name = to_text(raw.get("name"))
    return next((number for number, line in enumerate(text.split("\n"), 1) if name and name in line), 1)


def _translate(raw: Mapping[str, Any], name: str, settings: Mapping[str, Any], line: int) -> Rule:
    kind = to_text(raw.get("type"))
    if kind not in _KINDS:
        raise InvalidRule(f"contracts of type {kind[:50]!r} are not known; known are {', '.join(_KINDS)}")
    return Rule(
        id=name[:100],
        language="python",
        severity="error",
        message=to_text(raw.get("name")),
        project=evolve(_KINDS[kind](raw), without_types=to_flag(settings.get("exclude_type_checking_imports"))),
        line=line,
    )


def _translate_layers(raw: Mapping[str, Any]) -> ImportContract:
    exhaustive = to_flag(raw.get("exhaustive"))
    if exhaustive and not raw.get("containers"):
        raise InvalidRule("exhaustive layers need containers")
    layers = parse_layers(to_texts(raw.get("layers")))
    try:
        check_apart([name for layer in layers for name in layer.modules], ".")
    except NotCheckable as error:
        raise InvalidRule(str(error)) from error
    return LayerContract(
        exhaustive=exhaustive,
        exempt=frozenset(to_texts(raw.get("exhaustive_ignores"))),
        layers=layers,
        containers=to_texts(raw.get("containers")),
        ignored=parse_ignored(raw.get("ignore_imports")),
    )


def _translate_siblings(raw: Mapping[str, Any]) -> ImportContract:
    depth = to_text(raw.get("depth")) or "10"
    if not depth.isdecimal():
        raise InvalidRule(f"invalid depth {depth[:20]!r}; expected a number")
    return SiblingContract(
        ancestors=to_texts(raw.get("ancestors")),
        depth=int(depth),
        skipped=to_texts(raw.get("skip_descendants")),
        ignored=parse_ignored(raw.get("ignore_imports")),
    )


def _translate_independence(raw: Mapping[str, Any]) -> ImportContract:
    return IndependenceContract(modules=to_texts(raw.get("modules")), ignored=parse_ignored(raw.get("ignore_imports")))


def _translate_forbidden(raw: Mapping[str, Any]) -> ImportContract:
    return ForbiddenContract(
        sources=to_texts(raw.get("source_modules")),
        targets=to_texts(raw.get("forbidden_modules")),
        direct_only=to_flag(raw.get("allow_indirect_imports")),
        exact=str(raw.get("as_packages", True)).lower() == "false",
        ignored=parse_ignored(raw.get("ignore_imports")),
    )


_KINDS: Mapping[str, Callable[[Mapping[str, Any]], ImportContract]] = {
    "acyclic_siblings": _translate_siblings,
    "layers": _translate_layers,
    "independence": _translate_independence,
    "forbidden": _translate_forbidden,
}
