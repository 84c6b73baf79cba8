"""Facts about public definitions that a diff removes, or whose callers must change."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from stithy_core.spi import Maybe, Unknown, excerpt
from stithy_pulls.code.touched_definitions import TouchedCode, TouchedDefinition
from stithy_pulls.diffs.diff_model import ChangedFile, LineKind
from stithy_pulls.facts.code_lines import is_comment, is_product_code
from stithy_pulls.facts.migration_facts import is_migration
from stithy_pulls.facts.risk_facts import Fact
from stithy_pulls.facts.secret_masking import mask_secrets

SHOWN = 5
"""Removed names that one fact names."""
LONGEST, BEFORE = 160, 40
"""Characters of a signature, and those before the first difference."""
WORD = re.compile(r"[A-Za-z_$][\w$]*")
TRAITS = re.compile(r"^\s+use\s+\\?[A-Z][\w\\, ]*[;{]")
"""A line of a class of PHP that takes methods from traits."""
DEFINED = re.compile(
    rf"\b(?:pub|public|export)\b[^;(){{}}\n]{{0,80}}?\b(?:struct|enum|trait|class|interface|type|fn|func|function)\s+({WORD.pattern})"
)
"""A public definition, also one that the parser does not see, such as in a macro."""
CONSTRUCTORS = ("__construct", "__init__", "constructor")
ALIAS = re.compile(rf"\bas\s+({WORD.pattern})")


def is_importable(path: str) -> bool:
    """Return whether other projects may import from a file, by the rules of its language and by its folder.

    In Python a leading underscore marks a private module, and in Go the compiler refuses `internal`. In Java it is a
    convention, which modules and OSGi follow.
    """
    pure = PurePosixPath(path)
    if not is_product_code(path) or is_migration(path):
        return False
    if pure.suffix in (".py", ".pyi"):
        names = [*pure.parts[:-1], pure.stem]
        return not any(name.startswith("_") and name != "__init__" for name in names)
    if pure.suffix == ".rs":
        return pure.name not in ("main.rs", "build.rs")
    return not (pure.suffix in (".go", ".java") and {"internal", "internals"} & set(pure.parts))


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
    """Yield, for each file, its removed public names, and its signatures that former calls do not fit.

    A name that is defined elsewhere in the diff, that added lines of its file still mention, or that is an alias now,
    has moved or is exported in another way. A method may be inherited after its removal. A signature that names a
    renamed definition is not another fact.

    Args:
        code: The changed definitions, if known.
        changes: The files.
        paths: The paths of all files of the head, if known. Nobody imports the code of an application.
    """
    if not isinstance(code, TouchedCode):
        return
    internal = _list_application_languages(() if isinstance(paths, Unknown) else paths)
    breaking = [
        one
        for one in code.touched
        if _is_fact(one)
        and code.is_exported(one)
        and one.path not in code.generated
        and PurePosixPath(one.path).suffix not in internal
    ]
    kept, inheriting = _list_kept_names(code, changes), _list_inheriting(code, changes)
    lost = [
        one
        for one in breaking
        if one.what == "removed"
        and get_own_name(one) not in kept.get(one.path, ())
        and not one.symbol.overrides
        and not _is_last_constructor(one)
        and not {(one.path, one.symbol.name.rpartition(".")[0]), (one.path, "")} & inheriting
    ]
    renaming = _Renaming(code, lost)
    by_kind: dict[tuple[str, str], list[TouchedDefinition]] = {}
    for one in lost:
        by_kind.setdefault((one.path, "public name removed"), []).append(one)
    for one in breaking:
        if one.what == "signature" and not one.is_compatible and not renaming.explains(one):
            by_kind.setdefault((one.path, "public signature"), []).append(one)
    for (path, kind), found in by_kind.items():
        if kind == "public name removed":
            text, line, points = _describe_all(found, "public definitions were removed"), None, 2
        else:
            text, line, points = _describe_all(found, "public signatures changed"), found[0].symbol.first, 1
        yield Fact(kind=kind, focus="api", path=path, line=line, text=text, points=points)


def _is_fact(touched: TouchedDefinition) -> bool:
    return touched.breaks and touched.symbol.certain and is_importable(touched.path)


def _is_last_constructor(touched: TouchedDefinition) -> bool:
    """Return whether a removed definition was the only constructor of its class, which still inherits or has one."""
    holder, _, name = touched.symbol.name.rpartition(".")
    return not touched.before and name in {*CONSTRUCTORS, holder.rpartition(".")[2]}


def get_own_name(touched: TouchedDefinition) -> str:
    """Return the name without the names of enclosing definitions."""
    return touched.symbol.name.rpartition(".")[2]


def describe_break(touched: TouchedDefinition) -> str:
    """Return what happened to a public definition."""
    if touched.what == "removed" and touched.before:
        shown = excerpt(mask_secrets(touched.before), LONGEST)
        return f"one definition of {touched.symbol.name} was removed: `{shown}`"
    if touched.what == "removed":
        return f"{_name(touched)} was removed"
    was, now = _cut_to_difference(mask_secrets(touched.before), mask_secrets(touched.symbol.signature))
    return f"{touched.symbol.name} was `{was}`, is `{now}`"


def _cut_to_difference(*signatures: str) -> list[str]:
    """Shorten signatures, so that the place where they differ is shown."""
    same = next((at for at, pair in enumerate(zip(*signatures, strict=False)) if len(set(pair)) > 1), 0)
    begin = max(same - BEFORE, 0) if max(map(len, signatures)) > LONGEST else 0
    return [excerpt(("…" if begin else "") + text[begin:], LONGEST) for text in signatures]


def _name(touched: TouchedDefinition) -> str:
    return f"{touched.symbol.kind} {touched.symbol.name}"


def _describe_all(found: Sequence[TouchedDefinition], what: str) -> str:
    if len(found) == 1:
        return describe_break(found[0])
    names = Counter(
        f"one definition of {one.symbol.name}" if one.what == "removed" and one.before else _name(one) for one in found
    )
    named = ", ".join(f"{name} ({count})" if count > 1 else name for name, count in [*names.items()][:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{len(found)} {what}: {named}{more}"


def _list_kept_names(code: TouchedCode, changes: Sequence[ChangedFile]) -> Mapping[str, frozenset[str]]:
    """Return, by path, the removed names that still exist: in another file, or in added lines of the same one."""
    added = {get_own_name(one) for one in code.touched if one.what == "added" and one.symbol.exposed}
    texts = {
        change.path: "\n".join(
            line.text for line in change.iterate_lines(LineKind.ADDED) if not is_comment(line.text, change.path)
        )
        for change in changes
    }
    added |= {found[1] for text in texts.values() for form in (ALIAS, DEFINED) for found in form.finditer(text)}
    return {path: frozenset(added.union(WORD.findall(text))) for path, text in texts.items()}


def _list_inheriting(code: TouchedCode, changes: Sequence[ChangedFile]) -> frozenset[tuple[str, str]]:
    """Return the types that get methods from elsewhere now: path and name, which is empty for any type of a file."""
    bases = {(one.path, one.symbol.name) for one in code.touched if one.what == "signature" and one.is_compatible}
    traits = {
        (change.path, "")
        for change in changes
        if change.path.endswith(".php")
        and any(TRAITS.match(line.text) for line in change.iterate_lines(LineKind.ADDED))
    }
    return frozenset(bases | traits)


class _Renaming:
    """The names that a diff removes, and those that it adds."""

    def __init__(self, code: TouchedCode, lost: Sequence[TouchedDefinition]) -> None:
        self._removed = {get_own_name(one) for one in lost}
        self._added = {get_own_name(one) for one in code.touched if one.what == "added"}

    def explains(self, one: TouchedDefinition) -> bool:
        """Return whether a signature differs in nothing but names that were removed, and added ones in their place."""
        was, now = one.before, one.symbol.signature
        pairs = {pair for pair in zip(WORD.findall(was), WORD.findall(now), strict=False) if pair[0] != pair[1]}
        is_alike = WORD.sub("_", was) == WORD.sub("_", now)
        return is_alike and bool(pairs) and all(old in self._removed and new in self._added for old, new in pairs)
