"""Facts about public definitions that a diff removes."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from stithy_core.spi import Maybe, Unknown
from stithy_pulls.code.definitions import Definition
from stithy_pulls.code.touched_definitions import TouchedCode, TouchedDefinition
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.diffs.file_roles import MANIFESTS
from stithy_pulls.facts.code_lines import is_comment, is_product_code
from stithy_pulls.facts.migration_facts import is_migration
from stithy_pulls.facts.risk_facts import Fact

SHOWN = 5
"""Removed names that one fact names."""
WORD = re.compile(r"[A-Za-z_$][\w$]*")
TRAITS = re.compile(r"^\s+use\s+\\?[A-Z][\w\\, ]*[;{]")
"""A line of a class of PHP that takes methods from traits."""
PUBLIC = re.compile(r"(?!_)[\w$][^\[]*|__(?:init|call|new)__|__(?:construct|invoke)")
"""The name of a definition that is not internal, special, computed or an operator."""
INTERNAL = {".go": {"internal", "internals"}, ".java": {"internal", "internals", "impl"}}
"""By suffix, the names of folders whose code belongs to a library itself."""
CONSTRUCTORS = ("__construct", "__init__", "constructor")


def is_importable(path: str) -> bool:
    """Return whether other projects may import from a file, by the rules of its language and by its folder.

    In Python a leading underscore marks a private one, and no name has a dash. In Go the compiler refuses `internal`.
    In Java it is a convention, which modules and OSGi follow, and so is `impl` beside the interfaces of a library.
    """
    pure = PurePosixPath(path)
    if not is_product_code(path) or is_migration(path):
        return False
    if pure.suffix in (".py", ".pyi"):
        names = [*pure.parts[:-1], pure.stem]
        return pure.stem.isidentifier() and not any(name.startswith("_") and name != "__init__" for name in names)
    if pure.suffix == ".rs":
        return pure.name not in ("main.rs", "build.rs")
    return not INTERNAL.get(pure.suffix, frozenset()) & set(pure.parts)


def _select_deployed(files: frozenset[str], paths: Sequence[str]) -> frozenset[str]:
    """Return the files of a program that a repository builds an image of, beside the packages within it."""
    if "Dockerfile" not in paths:
        return frozenset()
    packages = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2].lower() in MANIFESTS} - {""}
    return frozenset(one for one in files if packages.isdisjoint(map(str, PurePosixPath(one).parents)))


def _list_application_languages(paths: Sequence[str]) -> frozenset[str]:
    """Return the suffixes of languages in which a repository is an application, by the program that starts it."""
    programs = {path for path in paths if path.count("/") <= 1}
    names = {path.rpartition("/")[2] for path in programs}
    found = {
        ".py": "manage.py" in names,
        ".go": "main.go" in paths,
        ".php": bool({"artisan", "bin/console"} & programs),
    }
    return frozenset(suffix for suffix, is_found in found.items() if is_found)


def find_api_facts(
    code: Maybe[TouchedCode], changes: Sequence[ChangedFile], paths: Maybe[Sequence[str]]
) -> Iterator[Fact]:
    """Yield, for each file, its removed public names.

    A name that added lines still mention has moved, has an alias, or is exported in another way. A method may be
    inherited after its removal. How many names there are is not told: what a program counts as one differs.

    Args:
        code: The changed definitions, if known.
        changes: The files.
        paths: The paths of all files of the head, if known. Nobody imports the code of an application.
    """
    if not isinstance(code, TouchedCode):
        return
    known = () if isinstance(paths, Unknown) else paths
    internal = _list_application_languages(known)
    kept, inheriting = list_kept_names(changes), _list_inheriting(code, changes)
    deployed = _select_deployed(frozenset(one.path for one in code.touched), known)
    by_path: dict[str, list[TouchedDefinition]] = {}
    for one in code.touched:
        if not _is_fact(one, code) or one.path in deployed or PurePosixPath(one.path).suffix in internal:
            continue
        if {(one.path, one.symbol.name.rpartition(".")[0]), (one.path, "")} & inheriting:
            continue
        if _fold_case(get_own_name(one), one.path) not in kept:
            by_path.setdefault(one.path, []).append(one)
    for path, found in by_path.items():
        names = tuple(map(get_own_name, found))
        yield Fact(kind="public name removed", focus="api", path=path, text=_describe_all(found), points=2, names=names)


def _is_fact(touched: TouchedDefinition, code: TouchedCode) -> bool:
    """Return whether a definition that others could use is certainly gone: not by type or by convention internal."""
    symbol = touched.symbol
    is_gone = touched.what == "removed" and not (touched.before or touched.may_remain or symbol.overrides)
    is_public = symbol.exposed and symbol.certain and code.is_exported(touched) and touched.path not in code.generated
    is_named = all(PUBLIC.fullmatch(part) for part in symbol.name.split("."))
    return is_gone and is_public and is_named and not _is_constructor(symbol) and is_importable(touched.path)


def _is_constructor(symbol: Definition) -> bool:
    """Return whether a definition is a constructor, of which its class still inherits or has one."""
    holder, _, name = symbol.name.rpartition(".")
    return name in {*CONSTRUCTORS, holder.rpartition(".")[2]}


def _describe_all(found: Sequence[TouchedDefinition]) -> str:
    names = list(dict.fromkeys(f"{one.symbol.keyword} {one.symbol.name}" for one in found))
    if len(names) == 1:
        return f"{names[0]} was removed"
    return f"public definitions were removed: {', '.join(names[:SHOWN])}{' and others' if names[SHOWN:] else ''}"


def get_own_name(touched: TouchedDefinition) -> str:
    """Return the name without the names of enclosing definitions."""
    return touched.symbol.name.rpartition(".")[2]


def _fold_case(text: str, path: str) -> str:
    """Return a text in lower case in PHP, whose names of functions and classes have no case."""
    return text.lower() if path.endswith(".php") else text


def list_kept_names(changes: Sequence[ChangedFile]) -> frozenset[str]:
    """Return the words of added code, which may define, alias, import or export a name in another way."""
    lines = (
        _fold_case(line.text, change.path)
        for change in changes
        if is_importable(change.path)
        for line in change.iterate_lines(LineKind.ADDED)
        if not is_comment(line.text, change.path)
    )
    return frozenset(word for line in lines for word in WORD.findall(line))


def _list_inheriting(code: TouchedCode, changes: Sequence[ChangedFile]) -> frozenset[tuple[str, str]]:
    """Return the types that get methods from elsewhere now: path and name, which is empty for any type of a file."""
    bases = {(one.path, one.symbol.name) for one in code.touched if one.what == "signature"}
    traits = {
        (change.path, "")
        for change in changes
        if change.path.endswith(".php")
        and any(TRAITS.match(line.text) for line in change.iterate_lines(LineKind.ADDED))
    }
    return frozenset(bases | traits)
