"""Read manifests: dependencies and values of pyproject.toml, package.json, go.mod, Cargo.toml and pom.xml."""

import json
import posixpath
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from attrs import field, frozen

from stithy_archdocs.rules.syntax_trees import NotCheckable

_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_NPM_ALIAS = re.compile(r"npm:(@?[^@\s]+)")
_GO_OTHER_BLOCK = re.compile(r"^(?:exclude|replace|retract|ignore)\s*\([^)]*\)", re.MULTILINE)
_GO_REQUIRE = re.compile(r"^(?:require\s+)?(\S+/\S+|\S+\.\S+)\s+v\S+(?:\s*//.*)?$")


@frozen
class Manifest:
    """A manifest.

    Args:
        values: All of it as plain values; for go.mod its directives, for pom.xml the elements below the root.
        dependencies: Names of what it depends on at run time.
        development: Names of what it needs for development and tests alone.
    """

    values: Mapping[str, Any]
    dependencies: frozenset[str] = field(factory=frozenset)
    development: frozenset[str] = field(factory=frozenset)

    def get_value(self, key: str) -> object:
        """Return the value with a path such as `project.requires-python`; None without one."""
        value: object = self.values
        for part in key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value


def read_manifest(path: str, text: str) -> Manifest:
    """Read a manifest by the name of its file.

    Raises:
        NotCheckable: The name is not known, or the file is invalid.
    """
    name = posixpath.basename(path)
    read = _READERS.get(name)
    if read is None:
        raise NotCheckable(f"{name} is not a known manifest; known are {', '.join(_READERS)}")
    try:
        return read(text)
    except (ValueError, TypeError, AttributeError, LookupError, RecursionError, ET.ParseError) as error:
        raise NotCheckable(f"{path} is invalid: {str(error)[:200]}") from error


def _read_pyproject(text: str) -> Manifest:
    values = tomllib.loads(text)
    project, tools = values.get("project", {}), values.get("tool", {})
    poetry = tools.get("poetry", {})
    groups = [one.get("dependencies", {}) for one in poetry.get("group", {}).values()]
    optional = [one for some in project.get("optional-dependencies", {}).values() for one in some]
    grouped = {**values.get("dependency-groups", {}), **tools.get("pdm", {}).get("dev-dependencies", {})}
    develop = [one for some in grouped.values() for one in some if isinstance(one, str)]
    develop += tools.get("uv", {}).get("dev-dependencies", [])
    main = {*_name_requirements([*project.get("dependencies", []), *optional]), *poetry.get("dependencies", {})}
    more = {
        *_name_requirements(develop),
        *poetry.get("dev-dependencies", {}),
        *(one for some in groups for one in some),
    }
    return Manifest(values, frozenset(map(_normalize, main - {"python"})), frozenset(map(_normalize, more)))


def _name_requirements(rows: list[str]) -> Iterator[str]:
    return (found[1] for row in rows if (found := _REQUIREMENT.match(row)))


def _normalize(name: str) -> str:
    """Return a Python distribution's name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _read_package_json(text: str) -> Manifest:
    values = json.loads(text)
    keys = ("dependencies", "peerDependencies", "optionalDependencies")
    main = {name for key in keys for name in _name_packages(values.get(key, {}))}
    return Manifest(values, frozenset(main), frozenset(_name_packages(values.get("devDependencies", {}))))


def _name_packages(rows: Mapping[str, object]) -> Iterator[str]:
    """Iterate over the names of dependencies, and over those for which they stand: `"a": "npm:b@1"`."""
    for name, version in rows.items():
        yield name
        if found := _NPM_ALIAS.match(str(version)):
            yield found[1]


def _read_go_mod(text: str) -> Manifest:
    lines = [line.strip() for line in _GO_OTHER_BLOCK.sub("", text).split("\n")]
    found = {one[1] for line in lines if not line.startswith("//") and (one := _GO_REQUIRE.match(line))}
    words = [line.split() for line in lines if line.startswith(("module ", "go ", "toolchain "))]
    return Manifest({word[0]: word[1] for word in words if len(word) > 1}, frozenset(found))


def _read_cargo(text: str) -> Manifest:
    values = tomllib.loads(text)
    tables = [values, values.get("workspace", {}), *values.get("target", {}).values()]
    main = {name for table in tables for name in _name_crates(table.get("dependencies", {}))}
    keys = ("dev-dependencies", "build-dependencies")
    more = {name for table in tables for key in keys for name in _name_crates(table.get(key, {}))}
    return Manifest(values, frozenset(main), frozenset(more))


def _name_crates(rows: Mapping[str, object]) -> Iterator[str]:
    """Iterate over the names of dependencies, and over those of the crates that they rename."""
    for name, about in rows.items():
        yield name
        if isinstance(about, Mapping) and isinstance(about.get("package"), str):
            yield about["package"]


def _read_pom(text: str) -> Manifest:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("declarations of types and entities are not read")
    root = ET.fromstring(re.sub(r'\sxmlns="[^"]*"', "", text, count=1))  # noqa: S314 -- without entities
    main: set[str] = set()
    more: set[str] = set()
    for one in root.iter("dependency"):
        name = f"{one.findtext('groupId', '').strip()}:{one.findtext('artifactId', '').strip()}"
        (more if one.findtext("scope", "").strip() == "test" else main).add(name)
    values = {child.tag: _read_element(child, 0) for child in root}
    return Manifest(values, frozenset(main), frozenset(more))


def _read_element(element: ET.Element, depth: int) -> object:
    if not len(element) or depth > 20:  # noqa: PLR2004 -- deeper than any manifest
        return (element.text or "").strip()
    return {child.tag: _read_element(child, depth + 1) for child in element}


_READERS: Mapping[str, Callable[[str], Manifest]] = {
    "pyproject.toml": _read_pyproject,
    "package.json": _read_package_json,
    "go.mod": _read_go_mod,
    "Cargo.toml": _read_cargo,
    "pom.xml": _read_pom,
}
