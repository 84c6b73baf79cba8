"""Immutable models of rules about the whole project: imports across modules, texts, names of files, manifests."""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import frozen


@frozen(kw_only=True)
class Layer:
    """One row of layers.

    Args:
        modules: Names of its modules.
        independent: Whether they must not import each other.
        optional: Modules that need not exist.
    """

    modules: tuple[str, ...]
    independent: bool = True
    optional: frozenset[str] = frozenset()


@frozen(kw_only=True)
class ImportContract:
    """What all contracts about imports have.

    Args:
        ignored: Imports that do not count: pairs of names, which may have `*` and `**`.
        without_types: Whether imports that only type checkers execute do not count: `if TYPE_CHECKING:` in Python.
    """

    ignored: tuple[tuple[str, str], ...] = ()
    without_types: bool = False


@frozen(kw_only=True)
class LayerContract(ImportContract):
    """A layer imports only the layers below it, also through other modules.

    Args:
        layers: The layers, the highest first.
        containers: Modules in which the names of the layers are looked up; empty for names from the top.
        exhaustive: Whether each module of the containers must be in a layer.
        exempt: Names in containers that need no layer then.
    """

    layers: tuple[Layer, ...]
    containers: tuple[str, ...] = ()
    exhaustive: bool = False
    exempt: frozenset[str] = frozenset()


@frozen(kw_only=True)
class IndependenceContract(ImportContract):
    """Modules do not import each other, also not through other modules."""

    modules: tuple[str, ...]


@frozen(kw_only=True)
class SiblingContract(ImportContract):
    """The modules in each package import each other in no circle.

    Args:
        ancestors: The packages, each with the packages below it.
        depth: Levels below the ancestors.
        skipped: Packages that are not looked into.
    """

    ancestors: tuple[str, ...]
    depth: int = 10
    skipped: tuple[str, ...] = ()


@frozen(kw_only=True)
class ForbiddenContract(ImportContract):
    """Some modules do not import others.

    Args:
        sources: The modules that import.
        targets: What they must not import.
        direct_only: Whether imports through other modules are allowed.
        exact: Whether the names stand for these modules alone, and not for what is below them.
    """

    sources: tuple[str, ...]
    targets: tuple[str, ...]
    direct_only: bool = False
    exact: bool = False


@frozen(kw_only=True)
class TextCheck:
    """Regular expressions for files of any kind.

    Args:
        disallow: Each match is a violation.
        require: A file without a match is a violation.
        unless: Expressions whose matches excuse each violation that they overlap.
    """

    disallow: str = ""
    require: str = ""
    unless: tuple[str, ...] = ()


@frozen(kw_only=True)
class PathCheck:
    """Names of files, and files that belong to others.

    Args:
        name: Expression that the whole name of each file must match.
        require: Globs of which one must match a file, for each file; `{stem}`, `{name}`, `{folder}` and `{parent}` are
            replaced. Without `each`, such a file must exist once.
        each: Whether `require` holds for each file of the rule.
        disallow: Whether the files of the rule must not exist.
    """

    name: str = ""
    require: tuple[str, ...] = ()
    each: bool = True
    disallow: bool = False


@frozen(kw_only=True)
class ManifestCheck:
    """Dependencies and values of manifests.

    Args:
        disallow: Globs of dependencies that are not used.
        allow: Globs of the only dependencies that may be used; empty for any.
        require: Dependencies that each manifest has.
        development: Whether dependencies for development count, too.
        key: Path of a value, as `project.requires-python`; empty to check no value.
        matches: Expression that the value must match.
    """

    disallow: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    require: tuple[str, ...] = ()
    development: bool = True
    key: str = ""
    matches: str = ""


ProjectCheck: TypeAlias = ImportContract | TextCheck | PathCheck | ManifestCheck


@frozen(kw_only=True)
class ProjectHit:
    """A violation of a project rule.

    Args:
        path: Path of the file.
        line: Line number, from 1.
        last: Last line.
        column: Column, from 1.
        text: The text that violates the rule.
        description: What is wrong; empty for the message of the rule alone.
        fix: Text to write instead.
        groups: Named groups of the expression that matched, for the message and the fix.
    """

    path: str
    line: int = 1
    last: int = 1
    column: int = 1
    text: str = ""
    description: str = ""
    fix: str = ""
    groups: Mapping[str, str] = {}
