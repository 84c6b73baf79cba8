"""The dependencies that a manifest declares, read with the parser of its format where Python has one."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from configparser import ConfigParser
from configparser import Error as ConfigError
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from xml.etree import ElementTree as ET

Declared: TypeAlias = tuple[str, str]
"""The name of a dependency, and its version or range as written; empty without one."""

_REQUIREMENT = re.compile(
    r"\s*(?P<name>[A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?(?P<version>(?:[<>=~!]=|[<>]|@\s)[^;#)\n]*)?\)?\s*(?:[;#].*)?"
)
_COMPILED = re.compile(r"^(?P<line>\S.*)(?P<below>(?:\n[ \t]+(?:#|--hash).*)*)", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://|#|/?\*).*$", re.MULTILINE)
_VIA = re.compile(r"^[ \t]*#[ \t]+via\b", re.MULTILINE)
"""What pip-compile writes below a dependency that another one needs; the file `.in` follows if it is a direct one."""
_QUOTED = re.compile(r"""["'](?P<text>@?[A-Za-z][\w./-]*(?:\[[\w, -]*\])?\s*(?:[<>=~!]=|[<>])\s*v?\d[^"'\n]*)["']""")
_GO = re.compile(
    r"^[ \t]*(?P<name>(?=[\w-]++\.)[\w./~-]++)[ \t]+(?P<version>v(?!0\.0\.0-0001)\d\S*(?:[ \t]*//[ \t]*indirect)?)",
    re.MULTILINE,
)
_GO_REQUIRE = re.compile(r"^require\s*\(([^)]*)\)|^require([ \t]+\S[^\n]*)", re.MULTILINE)
_GEM = re.compile(
    r"""^[ \t]*gem[ \t(]+["'](?P<name>[\w-]+)["'](?:,\s*(?P<version>["'][^"']*["'](?:,\s*["'][^"']*["'])*))?""",
    re.MULTILINE,
)
_GEM_GROUP = re.compile(r"^group\b[^\n]*:(?:development|test)\b[^\n]*\n(?:(?!end\b)[^\n]*\n)*", re.MULTILINE)
"""The gems that nobody has who uses the program, up to the end of the block."""
_DEVELOPMENT = re.compile(
    r"(?:^|[-_./])(?:dev\w*|tests?|testing|docs?|documentation|lint\w*|typing|mypy|ci|bench\w*|style|format\w*)(?=$|[-_./])"
)
_GRADLE = re.compile(r"""["'](?P<name>[\w.-]+:[\w.-]+):(?P<version>\d[\w.-]*)["']""")
_PUBSPEC = re.compile(r"^  (?P<name>[a-z]\w*):\s*(?P<version>\^?\d\S*)", re.MULTILINE)
_MIX = re.compile(r'\{:(?P<name>\w+),\s*"(?P<version>[^"]+)"')
_PLATFORM = re.compile(r"(?:php|hhvm|python|composer(?:-[a-z-]+)?|ext-.*|lib-.*)$", re.IGNORECASE)
"""What runs the code, beside its dependencies."""
_VERSION = re.compile(r"[\^~<>=v\s]*\d|\*|npm:|dev-")
_PROPERTY = re.compile(r"\$\{([^}]+)\}")


class UnparsableManifest(Exception):
    """A manifest does not have its format."""


def list_dependencies(path: str, content: bytes) -> dict[str, str]:
    """Return the versions of the dependencies that a manifest declares, by name, beside those for development alone.

    One that several of its tables have in different versions has none.

    What only another dependency needs has `// indirect` behind its version in Go.

    Raises:
        UnparsableManifest: The content is not of the format.
    """
    parse = _PARSERS[_get_format(path)]
    found: dict[str, str] = {}
    try:
        rows = [*parse(content.decode(errors="replace").replace("\r\n", "\n"))]
    except (ValueError, ET.ParseError, ConfigError, AttributeError, TypeError, RecursionError) as error:
        raise UnparsableManifest(str(error)) from error
    for name, written in rows:
        version = " ".join(written.split()).strip(" ,\\")
        found[name] = version if found.get(name, version) == version else ""
    return found


def has_parser(path: str) -> bool:
    """Return whether the dependencies of a manifest can be listed."""
    return _get_format(path) in _PARSERS


def _get_format(path: str) -> str:
    """Return the name of a manifest in lower case; a project may have several files of requirements."""
    name = PurePosixPath(path).name.lower()
    return "requirements.txt" if name.startswith("requirements") and name.endswith(".txt") else name


def _parse_lines(form: re.Pattern[str], text: str) -> Iterator[Declared]:
    text = _COMMENT.sub("", text)
    yield from ((found["name"], found["version"] or "") for found in form.finditer(text))


def _parse_gemfile(text: str) -> Iterator[Declared]:
    found = _parse_lines(_GEM, _GEM_GROUP.sub("", text))
    return ((name, re.sub(r"[\"']", "", version)) for name, version in found)


def _parse_json(text: str, keys: Sequence[str]) -> Iterator[Declared]:
    """Yield what a manifest of npm or Composer requires. Packages of its own scope or vendor do not count."""
    manifest = json.loads(text)
    scope, slash, _ = str(manifest.get("name", "")).rpartition("/")
    for key in keys:
        for name, version in (manifest.get(key) or {}).items():
            is_own = bool(slash) and name.startswith(f"{scope}/")
            if not is_own and not _PLATFORM.match(name) and _VERSION.match(str(version)):
                yield name, str(version)


def _parse_npm(text: str) -> Iterator[Declared]:
    """Yield what npm installs. Peers are ranges that others may install, often beside an own version."""
    return _parse_json(text, ("dependencies", "optionalDependencies"))


def _parse_composer(text: str) -> Iterator[Declared]:
    return _parse_json(text, ("require",))


def _parse_tables(tables: Sequence[Mapping[str, Any]]) -> Iterator[Declared]:
    """Yield the entries of tables from names to versions, or to tables that have one. Paths are one's own packages."""
    for table in tables:
        for name, value in table.items():
            entry = value if isinstance(value, dict) else {"version": value if isinstance(value, str) else ""}
            if entry.get("version") and not _PLATFORM.match(name) and "path" not in entry:
                yield entry.get("package", name), entry["version"]


def _parse_cargo(text: str) -> Iterator[Declared]:
    manifest = tomllib.loads(text)
    holders = [manifest, manifest.get("workspace", {}), *manifest.get("target", {}).values()]
    keys = ("dependencies", "build-dependencies")
    return _parse_tables([holder[key] for holder in holders for key in keys if key in holder])


def _parse_pipfile(text: str) -> Iterator[Declared]:
    manifest = tomllib.loads(text)
    return _parse_tables([manifest.get("packages", {})])


def _parse_pyproject(text: str) -> Iterator[Declared]:
    manifest = tomllib.loads(text)
    project, poetry = manifest.get("project", {}), manifest.get("tool", {}).get("poetry", {})
    extras = _select_used(project.get("optional-dependencies", {}))
    lists = [project.get("dependencies", []), *extras]
    for entry in (entry for entries in lists for entry in entries if isinstance(entry, str)):
        yield from _parse_requirement(entry)
    holders = [poetry, *_select_used(poetry.get("group", {}))]
    yield from _parse_tables([holder["dependencies"] for holder in holders if "dependencies" in holder])


def _select_used(groups: Mapping[str, Any]) -> list[Any]:
    """Return the groups whose names do not say that they are for development."""
    return [group for name, group in groups.items() if not is_for_development(name)]


def is_for_development(name: str) -> bool:
    """Return whether the name of a group, or of a file of requirements, says that users do not get it."""
    return _DEVELOPMENT.search(name.lower()) is not None


def _parse_requirement(text: str) -> Iterator[Declared]:
    if found := _REQUIREMENT.fullmatch(text.strip()):
        yield found["name"], found["version"] or ""


def _parse_requirements(text: str) -> Iterator[Declared]:
    for found in _COMPILED.finditer(text):
        if not _VIA.search(found["below"]) or ".in" in found["below"]:
            yield from _parse_requirement(found["line"].rstrip(" \\"))


def _parse_setup_py(text: str) -> Iterator[Declared]:
    for found in _QUOTED.finditer(text):
        yield from _parse_requirement(found["text"])


def _parse_setup_cfg(text: str) -> Iterator[Declared]:
    parser = ConfigParser(interpolation=None, strict=False)
    parser.read_string(text)
    lists = [parser.get("options", key, fallback="") for key in ("install_requires", "setup_requires")]
    if parser.has_section("options.extras_require"):
        lists += [value for _, value in parser.items("options.extras_require")]
    for line in (line for entries in lists for line in entries.splitlines()):
        yield from _parse_requirement(line)


def _parse_go(text: str) -> Iterator[Declared]:
    """Yield what Go's manifest requires itself, beside replaced and excluded versions."""
    for block in _GO_REQUIRE.finditer(text):
        yield from _parse_lines(_GO, block[1] or block[2])


def _parse_xml(text: str) -> ET.Element:
    if "<!ENTITY" in text or "<!DOCTYPE" in text:
        raise ValueError("the file declares a document type")
    root = ET.fromstring(text)  # noqa: S314 -- without a document type there are no entities to expand
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def _parse_pom(text: str) -> Iterator[Declared]:
    """Yield the artifacts with a version, that of a property if the file has one value for it: profiles may differ."""
    root = _parse_xml(text)
    declared = [(one.tag, one.text or "") for holder in root.iter("properties") for one in holder]
    counts = Counter(tag for tag, _ in declared)
    properties = {tag: value for tag, value in declared if counts[tag] == 1}
    for element in root.iter():
        group, name, version = (element.findtext(key, "").strip() for key in ("groupId", "artifactId", "version"))
        if element.tag not in {"dependency", "plugin", "extension", "path", "annotationProcessorPath", "parent"}:
            continue
        version = _PROPERTY.sub(lambda found: properties.get(found[1], found[0]), version)
        if name and version[:1].isdigit() and element.findtext("scope", "").strip() != "test":
            default = "org.apache.maven.plugins" if element.tag == "plugin" else ""
            yield f"{group or default}:{name}".lstrip(":"), version


def _parse_packages(text: str) -> Iterator[Declared]:
    """Yield the versions of NuGet that are declared once, without a condition such as a target framework."""
    for group in _parse_xml(text):
        for element in group if "Condition" not in group.attrib else ():
            if element.tag == "PackageVersion" and "Condition" not in element.attrib:
                with suppress(KeyError):
                    yield element.attrib["Include"], element.attrib["Version"]


_PARSERS: Mapping[str, Callable[[str], Iterator[Declared]]] = {
    "package.json": _parse_npm,
    "composer.json": _parse_composer,
    "cargo.toml": _parse_cargo,
    "pipfile": _parse_pipfile,
    "pyproject.toml": _parse_pyproject,
    "requirements.txt": _parse_requirements,
    "setup.py": _parse_setup_py,
    "setup.cfg": _parse_setup_cfg,
    "go.mod": _parse_go,
    "pom.xml": _parse_pom,
    "directory.packages.props": _parse_packages,
    "gemfile": _parse_gemfile,
    "build.gradle": partial(_parse_lines, _GRADLE),
    "build.gradle.kts": partial(_parse_lines, _GRADLE),
    "pubspec.yaml": partial(_parse_lines, _PUBSPEC),
    "mix.exs": partial(_parse_lines, _MIX),
}
"""By the name of the manifest in lower case; those by lines have a format for which Python has no parser."""
