"""Resolve imports of JavaScript and TypeScript to files, as Node.js, TypeScript and bundlers do.

Read are `paths`, `baseUrl` and `extends` of `tsconfig.json` and `jsconfig.json`, and `exports`, `imports` and the entry
points of `package.json`: https://nodejs.org/api/packages.html, https://www.typescriptlang.org/tsconfig/#paths.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from stithy_archdocs.globs import compile_glob
from stithy_archdocs.rules.project_files import ProjectFiles

SCRIPTED = (".vue", ".svelte")
"""Endings of components whose imports are in `<script>`."""
_ENDINGS = (
    *(".ts", ".tsx", ".mts", ".cts"),
    *(".js", ".jsx", ".mjs", ".cjs", *SCRIPTED, ".json"),
    *(".d.ts", ".d.mts", ".d.cts"),  # declarations describe a script, which is the module if it is there
)
_COMPILED = re.compile(r"\.(?:js|jsx|mjs|cjs)$")
_BUILT = re.compile(r"^(?:dist|build|lib|out|esm|cjs)/(?:esm/|cjs/)?")
_JSON_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)
_CONFIG = re.compile(r"[tj]sconfig(?:\.[\w.-]+)?\.json")
_ENTRIES = ("source", "module", "main", "types", "typings")
_LINKED = ("workspace:", "file:", "link:", "portal:")
_CONFIG_FOLDER = "${configDir}"
_MOST_BASES = 10
"""Configurations that one may extend in turn."""


def select_scripts(text: str) -> str:
    """Return a component with all but its scripts replaced by empty lines, so that line numbers stay."""
    lower, kept, end = text.lower(), "", 0
    while (start := lower.find("<script", end)) >= 0:
        begin = text.find(">", start) + 1
        close = lower.find("</script", begin)
        if not begin or close < 0:
            break
        kept += "\n" * text.count("\n", end, begin) + text[begin:close]
        end = close
    return kept


class EcmaResolver:
    """Resolves imports to the files of a project."""

    def __init__(self, files: ProjectFiles) -> None:
        self._files = files
        self._known = frozenset(files.paths)
        names = [posixpath.split(path) for path in files.paths]
        self._packages = {
            folder: load_json(files.read(posixpath.join(folder, name)))
            for folder, name in names
            if name == "package.json"
        }
        self._configs: dict[str, list[str]] = {}
        for folder, name in names:
            if _CONFIG.fullmatch(name):
                self._configs.setdefault(folder, []).append(posixpath.join(folder, name))
        self._own = {str(self._packages[folder].get("name")): folder for folder in self._find_workspaces()}
        self._load_aliases = lru_cache(None)(self._collect_aliases)

    def resolve(self, name: str, path: str) -> Iterator[str]:
        """Iterate over the files that an import means; its own name if it is not a file of the project."""
        plain = name.partition("?")[0] or name  # bundlers: "./logo.svg?raw"
        found = next((one for base in self._find_candidates(plain, path) if (one := self._find_file(base))), "")
        yield found or name
        if not found and name.startswith("node:"):
            yield name.removeprefix("node:")

    def _find_candidates(self, name: str, path: str) -> Iterator[str]:
        here = posixpath.dirname(path)
        if name.startswith("."):
            yield posixpath.normpath(posixpath.join(here, name))
            return
        above = list(_iterate_above(here))
        for folder in above:
            aliases = (pair for config in self._configs.get(folder, ()) for pair in self._load_aliases(config))
            yield from (one for pattern, to in aliases if (one := _apply_alias(name, pattern, to)))
        package = next((folder for folder in above if folder in self._packages), None)
        if name.startswith("#") and package is not None:
            yield from self._iterate_targets(package, "imports", name)
        parts = name.split("/", 2 if name.startswith("@") else 1)
        owner = "/".join(parts[:2] if name.startswith("@") else parts[:1])
        if owner in self._own or (package is not None and self._packages[package].get("name") == owner):
            yield from self._iterate_package(self._own.get(owner, package or ""), name[len(owner) :].lstrip("/"))

    def _iterate_package(self, folder: str, rest: str) -> Iterator[str]:
        """Iterate over the paths that a name below an own package may mean; `rest` is empty for the package itself."""
        for one in self._iterate_targets(folder, "exports", f"./{rest}" if rest else "."):
            yield from _iterate_sources(folder, posixpath.relpath(one, folder or "."))
        yield posixpath.join(folder, rest)
        yield posixpath.join(folder, "src", rest)

    def _iterate_targets(self, folder: str, key: str, name: str) -> Iterator[str]:
        """Iterate over the paths that `exports` or `imports` of a package have for a name, under any condition."""
        table = self._packages[folder].get(key)
        if not isinstance(table, dict) or not any(one.startswith((".", "#")) for one in table):
            table = {".": table}
        for pattern, value in table.items():
            for target in _flatten(value):
                if reached := _apply_alias(name, pattern, target):
                    yield posixpath.normpath(posixpath.join(folder, reached))

    def _find_file(self, base: str) -> str:
        base = "" if base == "." else base.rstrip("/")
        package = self._packages.get(base, {})
        entries = [str(package[key]) for key in _ENTRIES if package.get(key)]
        paths = (path for one in entries for path in _iterate_sources(base, one))
        found = (find_ecma_file(path, self._known) for path in paths)
        return _find_script(base, self._known) or next(filter(None, found), "") or find_ecma_file(base, self._known)

    def _find_workspaces(self) -> Iterator[str]:
        """Iterate over the folders of packages that others can import by name: workspaces, or linked."""
        globs = [compile_glob(posixpath.join(folder, one)) for folder, one in self._iterate_globs()]
        linked = {
            name
            for package in self._packages.values()
            for key in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
            if isinstance(package.get(key), dict)
            for name, version in package[key].items()  # type: ignore[attr-defined]
            if str(version).startswith(_LINKED)
        }
        for folder, package in self._packages.items():
            is_own = package.get("name") in linked or any(one.fullmatch(folder) for one in globs)
            if package.get("name") and is_own:
                yield folder

    def _iterate_globs(self) -> Iterator[tuple[str, str]]:
        for folder, package in self._packages.items():
            listed = package.get("workspaces")
            listed = listed.get("packages") if isinstance(listed, dict) else listed
            yield from ((folder, str(one).strip("./")) for one in (listed if isinstance(listed, list) else ()))
        for path in self._files.paths:
            folder, name = posixpath.split(path)
            if name == "pnpm-workspace.yaml":
                yield from ((folder, one.strip("./")) for one in _read_yaml_list(self._files.read(path)))
            elif name == "lerna.json":
                listed = load_json(self._files.read(path)).get("packages")
                yield from ((folder, str(one).strip("./")) for one in (listed if isinstance(listed, list) else ()))

    def _collect_aliases(self, path: str) -> Sequence[tuple[str, str]]:
        """Return pairs of pattern and path: `paths` and `baseUrl` of a configuration, or of those that it extends."""
        paths: list[tuple[str, str]] | None = None
        base: str | None = None
        for config, options in self._iterate_configs(path):
            folder = posixpath.dirname(config)
            root = options.get("baseUrl")
            if base is None and root:
                base = _join(folder, str(root), path)
            mapped = options.get("paths")
            if paths is None and isinstance(mapped, dict):
                home = base if base is not None else folder
                paths = [
                    (pattern, _join(home, str(target), path))
                    for pattern, targets in mapped.items()
                    for target in (targets if isinstance(targets, list) else ())
                ]
        return [*(paths or ()), *([("*", posixpath.normpath(posixpath.join(base, "*")))] if base is not None else ())]

    def _iterate_configs(self, path: str) -> Iterator[tuple[str, Mapping[str, object]]]:
        """Iterate over a configuration and those that it extends, with their compiler options."""
        waiting, seen = [path], set[str]()
        while waiting and len(seen) < _MOST_BASES:
            config = waiting.pop(0)
            if config in seen or config not in self._known:
                continue
            seen.add(config)
            value = load_json(self._files.read(config))
            options = value.get("compilerOptions")
            yield config, options if isinstance(options, dict) else {}
            bases = value.get("extends")
            for one in reversed(bases if isinstance(bases, list) else [bases] if bases else []):
                base = posixpath.normpath(posixpath.join(posixpath.dirname(config), str(one)))
                waiting += [base, f"{base}.json"]


def _iterate_above(folder: str) -> Iterator[str]:
    """Iterate over a folder and those that contain it."""
    yield folder
    while folder:
        folder = posixpath.dirname(folder)
        yield folder


def _iterate_sources(folder: str, path: str) -> Iterator[str]:
    """Iterate over a path of a package, and those from which it may be built outside of the repository."""
    path = posixpath.normpath(path)
    for one in (path, _BUILT.sub("src/", path), _BUILT.sub("", path)):
        yield posixpath.normpath(posixpath.join(folder, one))


def _join(folder: str, target: str, config: str) -> str:
    """Return a path of a configuration; `${configDir}` is the folder of the one that extends the others."""
    if target.startswith(_CONFIG_FOLDER):
        return posixpath.normpath(posixpath.join(posixpath.dirname(config), target[len(_CONFIG_FOLDER) :].lstrip("/")))
    return posixpath.normpath(posixpath.join(folder, target))


def _flatten(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _flatten(one)


def _read_yaml_list(text: str) -> list[str]:
    """Return the items of `packages:` in `pnpm-workspace.yaml`."""
    _, _, after = text.partition("packages:")
    return re.findall(
        r"^\s*-\s*[\"']?([^\"'\s#]+)", re.split(r"^\w", after, maxsplit=1, flags=re.MULTILINE)[0], re.MULTILINE
    )


def find_ecma_file(base: str, known: frozenset[str]) -> str:
    """Return the file that a path without an ending, with that of compiled code, or of a folder means; "" if none."""
    folder = f"{base}/" if base else ""
    indexes = (f"{folder}index{ending}" for ending in _ENDINGS)
    return _find_script(base, known) or next((one for one in indexes if one in known), "")


def _find_script(base: str, known: frozenset[str]) -> str:
    stems = (base, _COMPILED.sub("", base)) if base else ()
    return next((one for stem in stems for end in ("", *_ENDINGS) if (one := stem + end) in known), "")


def load_json(text: str) -> dict[str, object]:
    """Return a JSON object that may have comments and trailing commas; empty if it is not one."""
    try:
        value = json.loads(_JSON_COMMENT.sub(lambda found: found[1] or "", text))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _apply_alias(name: str, pattern: str, target: str) -> str:
    if "*" not in pattern:
        return target if name == pattern else ""
    before, _, after = pattern.partition("*")
    if len(name) < len(before) + len(after) or not (name.startswith(before) and name.endswith(after)):
        return ""
    return target.replace("*", name[len(before) : len(name) - len(after)])
