"""Apply rules about the whole project: contracts of imports, texts, names of files, manifests."""

import posixpath
import re
import time
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from stithy_archdocs.documents.path_characters import UNSAFE_NAME
from stithy_archdocs.globs import matches_any
from stithy_archdocs.rules.import_contracts import find_contract_hits
from stithy_archdocs.rules.import_graph import ImportGraph, build_graph, has_imports
from stithy_archdocs.rules.manifests import Manifest, read_manifest
from stithy_archdocs.rules.project_files import ProjectFiles
from stithy_archdocs.rules.project_models import ManifestCheck, PathCheck, ProjectHit, TextCheck
from stithy_archdocs.rules.rule_models import Rule, RuleHit
from stithy_archdocs.rules.syntax_trees import NotCheckable

MOST_HITS = 1_000
"""Maximum number of hits of a rule in a file."""
SECONDS_FOR_TEXT = 10.0
"""Seconds for the expressions of one rule: those of `re` can take exponential time."""


class ProjectChecker:
    """Applies project rules to one state of the files; the graph of each language is built once."""

    def __init__(self, files: ProjectFiles) -> None:
        self.files = files
        self._graphs: dict[tuple[object, ...], ImportGraph] = {}
        self._selected: dict[tuple[object, ...], Sequence[str]] = {}

    def find_hits(self, rule: Rule) -> list[tuple[str, RuleHit]]:
        """Return the hits of a rule, each with the path of its file.

        Raises:
            NotCheckable: The rule names what does not exist, or a file cannot be read.
        """
        return [(hit.path, _make_rule_hit(rule, hit)) for hit in self._iterate_hits(rule)]

    def select(self, rule: Rule) -> Sequence[str]:
        """Return the paths of the files that a rule is for."""
        key = rule.files, rule.ignores
        if key not in self._selected:
            paths = self.files.iterate_matching(rule.files) if rule.files else self.files.paths
            self._selected[key] = [one for one in paths if not matches_any(one, rule.ignores)]
        return self._selected[key]

    def list_read(self, rule: Rule) -> list[str]:
        """Return the paths of the files that a rule reads: those with imports, or those that it is for."""
        return [one for one in self.select(rule) if not rule.language or has_imports(one, rule.language)]

    def find_gaps(self, rule: Rule) -> dict[str, str]:
        """Return what a rule is for and was not read: paths, or "the project" if paths are missing, with reasons."""
        gaps = {"the project": self.files.incomplete} if self.files.incomplete else {}
        return gaps | {path: said for path, said in self.files.unread.items() if self._is_gap(rule, path)}

    def _is_gap(self, rule: Rule, path: str) -> bool:
        """Return whether a rule is for a file that could not be read: of its text, its name or its imports."""
        if not _is_for(rule, path):
            return False
        if isinstance(rule.project, TextCheck):
            return path not in self.files.binary
        if isinstance(rule.project, PathCheck):
            return self.files.unread[path] == UNSAFE_NAME
        return isinstance(rule.project, ManifestCheck) or has_imports(path, rule.language)

    def _iterate_hits(self, rule: Rule) -> Iterator[ProjectHit]:
        check = rule.project
        if isinstance(check, TextCheck):
            yield from self._check_texts(check, rule)
        elif isinstance(check, PathCheck):
            yield from self._check_paths(check, rule)
        elif isinstance(check, ManifestCheck):
            for path in self.select(rule):
                text = self.files.read(path)
                if path in self.files.unread:
                    raise NotCheckable(f"{path} cannot be read: {self.files.unread[path]}")
                yield from _check_manifest(check, path, text)
        elif check is not None:
            graph = self._get_graph(rule, without_types=check.without_types)
            if graph.unread:
                path, reason = next(iter(graph.unread.items()))
                raise NotCheckable(f"the imports of {path} cannot be read: {reason}")
            yield from find_contract_hits(check, graph)

    def _get_graph(self, rule: Rule, *, without_types: bool) -> ImportGraph:
        key = rule.language, rule.files, rule.ignores, without_types
        if key not in self._graphs:
            paths = [one for one in self.select(rule) if has_imports(one, rule.language)]
            self._graphs[key] = build_graph(self.files, rule.language, paths, without_types=without_types)
        return self._graphs[key]

    def _check_texts(self, check: TextCheck, rule: Rule) -> Iterator[ProjectHit]:
        ends = time.monotonic() + SECONDS_FOR_TEXT
        for path in self.select(rule):
            if time.monotonic() > ends:
                raise NotCheckable("time ran out; narrow files, or simplify the expression")
            text = self.files.read(path)
            if path not in self.files.unread:
                yield from find_text_hits(check, rule, path, text)

    def _check_paths(self, check: PathCheck, rule: Rule) -> Iterator[ProjectHit]:
        chosen = self.select(rule)
        for path in chosen:
            name = posixpath.basename(path)
            if check.disallow:
                yield ProjectHit(path=path, text=path, description=f"{path} must not exist")
            if check.name and not compile_expression(check.name).fullmatch(name):
                yield ProjectHit(path=path, text=name, description=f"the name {name} does not match {check.name}")
            if check.require and check.each:
                wanted = [_fill(glob, path) for glob in check.require]
                if not any(self.files.iterate_matching(wanted)):
                    yield ProjectHit(path=path, text=path, description=f"{path} has no {' or '.join(wanted)}")
        if check.require and not check.each and not any(self.files.iterate_matching(check.require)):
            said = " or ".join(check.require)
            yield ProjectHit(path=check.require[0], text=said, description=f"the project has no {said}")


def _is_for(rule: Rule, path: str) -> bool:
    return (not rule.files or matches_any(path, rule.files)) and not matches_any(path, rule.ignores)


def find_text_hits(check: TextCheck, rule: Rule, path: str, text: str) -> Iterator[ProjectHit]:
    """Iterate over the matches that are disallowed, or the absence of the required one."""
    if check.require and not compile_expression(check.require).search(text):
        yield ProjectHit(path=path, description=f"{path} does not contain {check.require}")
    if not check.disallow:
        return
    excused = [one.span() for other in check.unless for one in compile_expression(other).finditer(text)]
    for count, found in enumerate(compile_expression(check.disallow).finditer(text)):
        if count >= MOST_HITS:
            return
        if any(start < found.end() and found.start() < end for start, end in excused):
            continue
        line = text.count("\n", 0, found.start()) + 1
        last = line + found[0].count("\n")
        column = found.start() - text.rfind("\n", 0, found.start())
        groups = {str(number): part or "" for number, part in enumerate((found[0], *found.groups()))}
        groups |= {name: part or "" for name, part in found.groupdict().items()}
        fix = found.expand(rule.fix) if rule.fix else ""
        yield ProjectHit(path=path, line=line, last=last, column=column, text=found[0], fix=fix, groups=groups)


def _check_manifest(check: ManifestCheck, path: str, text: str) -> Iterator[ProjectHit]:
    manifest = read_manifest(path, text)
    used = manifest.dependencies | (manifest.development if check.development else frozenset())
    for name in sorted(used):
        if _fits(name, check.disallow) or (check.allow and not _fits(name, check.allow)):
            line = _find_line(text, name)
            yield ProjectHit(path=path, line=line, last=line, text=name, description=f"{name} must not be a dependency")
    for name in check.require:
        if not _fits_any(name, used):
            yield ProjectHit(path=path, text=name, description=f"{name} must be a dependency")
    if check.key:
        yield from _check_value(check, path, text, manifest)


def _check_value(check: ManifestCheck, path: str, text: str, manifest: Manifest) -> Iterator[ProjectHit]:
    value = manifest.get_value(check.key)
    shown = "" if value is None else value if isinstance(value, str) else str(value)
    if value is None or (check.matches and not compile_expression(check.matches).search(shown)):
        line = _find_line(text, check.key.rpartition(".")[2])
        what = f"{check.key} is missing" if value is None else f"{check.key} is {shown[:100]!r}, not {check.matches}"
        yield ProjectHit(path=path, line=line, last=line, text=shown[:200], description=what)


def _fits(name: str, globs: Sequence[str]) -> bool:
    return any(fnmatchcase(name.lower(), glob.lower()) for glob in globs)


def _fits_any(glob: str, names: frozenset[str]) -> bool:
    return any(fnmatchcase(name.lower(), glob.lower()) for name in names)


def _find_line(text: str, name: str) -> int:
    """Return the first line that has a name as a word; 1 without one."""
    word = re.compile(rf"(?<![\w-]){re.escape(name.rpartition(':')[2])}(?![\w-])", re.IGNORECASE)
    return next((number for number, line in enumerate(text.split("\n"), 1) if word.search(line)), 1)


def _fill(glob: str, path: str) -> str:
    name = posixpath.basename(path)
    folder = posixpath.dirname(path)
    parts = {"stem": name.split(".")[0] or name, "name": name, "folder": folder, "parent": posixpath.basename(folder)}
    return re.sub(r"\{(stem|name|folder|parent)\}", lambda found: parts[found[1]], glob)


@lru_cache(maxsize=256)
def compile_expression(text: str) -> re.Pattern[str]:
    """Compile an expression of a rule, in which `^` and `$` match at each line.

    Raises:
        NotCheckable: It is invalid.
    """
    try:
        return re.compile(text, re.MULTILINE)
    except re.error as error:
        raise NotCheckable(f"invalid expression {text[:60]!r}: {error}") from error


def _make_rule_hit(rule: Rule, hit: ProjectHit) -> RuleHit:
    message = re.sub(r"\$(\w+)", lambda found: hit.groups.get(found[1], found[0])[:100], rule.message)
    said = ": ".join(part for part in (message, hit.description) if part)
    return RuleHit(
        rule=rule,
        description=said or f"{hit.text[:60]!r} must not occur",
        text=hit.text,
        line=hit.line,
        column=hit.column,
        last=hit.last,
        fix=hit.fix,
    )
