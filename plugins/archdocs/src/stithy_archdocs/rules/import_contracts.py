"""Check layers, independence and forbidden imports on the graph of a project, also through other modules.

The meaning is that of import-linter's contracts (https://import-linter.readthedocs.io/en/stable/contract_types.html).
"""

import re
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from stithy_archdocs.rules.import_graph import ImportGraph, ImportSite
from stithy_archdocs.rules.project_models import (
    ForbiddenContract,
    ImportContract,
    IndependenceContract,
    LayerContract,
    ProjectHit,
    SiblingContract,
)
from stithy_archdocs.rules.syntax_trees import NotCheckable

MOST_CHAINS = 20
"""Maximum number of violations for two modules; each is the shortest way that is left."""


def find_contract_hits(contract: ImportContract, graph: ImportGraph) -> Iterator[ProjectHit]:
    """Iterate over the chains of imports that a contract forbids.

    Raises:
        NotCheckable: A named module does not exist.
    """
    walker = _Walker(graph, contract.ignored)
    if isinstance(contract, ForbiddenContract):
        yield from _check_forbidden(contract, walker)
    elif isinstance(contract, IndependenceContract):
        yield from _check_independence(contract, walker)
    elif isinstance(contract, SiblingContract):
        skipped = frozenset(walker.expand(contract.skipped))
        for package in walker.expand(contract.ancestors):
            yield from _check_siblings(walker, package, skipped, contract.depth)
    elif isinstance(contract, LayerContract):
        for container in walker.expand(contract.containers) or ("",):
            yield from _check_layers(contract, walker, f"{container}{graph.separator}" if container else "")
            if contract.exhaustive:
                yield from _check_all_in_layers(contract, walker, container)


def _check_all_in_layers(contract: LayerContract, walker: "_Walker", container: str) -> Iterator[ProjectHit]:
    named = {name for layer in contract.layers for name in layer.modules} | contract.exempt
    for child in sorted(walker.list_children(container)):
        if child.rpartition(walker.separator)[2] not in named:
            yield ProjectHit(path=walker.get_path(child), text=child, description=f"{child} is in no layer")


def _check_siblings(walker: "_Walker", package: str, skipped: frozenset[str], depth: int) -> Iterator[ProjectHit]:
    """Iterate over the circles between what is directly below a package, and below each package in it."""
    children = walker.list_children(package)
    for way in walker.find_circles(children):
        names = " -> ".join(name for name, _ in way)
        site = way[0][1]
        said = f"the modules in {package} import each other in a circle: {names} -> {way[0][0]}"
        yield ProjectHit(path=site.path, line=site.line, last=site.last, text=names, description=said)
    for child in sorted(children) if depth else ():
        if child not in skipped:
            yield from _check_siblings(walker, child, skipped, depth - 1)


def _check_forbidden(contract: ForbiddenContract, walker: "_Walker") -> Iterator[ProjectHit]:
    for source in walker.expand(contract.sources):
        for target in contract.targets:
            yield from walker.find_chains(
                walker.select(source, exact=contract.exact),
                walker.select_apart(target, source, exact=contract.exact),
                direct_only=contract.direct_only,
                said=f"{source} must not import {target}",
            )


def _check_independence(contract: IndependenceContract, walker: "_Walker") -> Iterator[ProjectHit]:
    modules = walker.expand(contract.modules)
    check_apart(modules, walker.separator)
    for one in modules:
        for other in modules:
            if one != other:
                said = f"{one} and {other} are independent"
                yield from walker.find_chains(walker.select(one), walker.select(other), said=said)


def _check_layers(contract: LayerContract, walker: "_Walker", prefix: str) -> Iterator[ProjectHit]:
    rows = [
        [prefix + name for name in layer.modules if walker.exists(prefix + name, optional=name in layer.optional)]
        for layer in contract.layers
    ]
    everything = {name: walker.select(name) for row in rows for name in row}
    for height, row in enumerate(rows):
        for one in row:
            forbidden = [other for above in rows[:height] for other in above]
            forbidden += [other for other in row if other != one and contract.layers[height].independent]
            for other in forbidden:
                between = [names for name, names in everything.items() if name not in (one, other)]
                yield from walker.find_chains(
                    everything[one],
                    everything[other],
                    closed=frozenset().union(*between),
                    said=f"{one} is not above {other}",
                )


def check_apart(names: Collection[str], separator: str) -> None:
    """Check that no module contains another: a contract about both has no meaning.

    Raises:
        NotCheckable: One does.
    """
    for name in names:
        if above := next((one for one in _list_prefixes(name, separator)[:-1] if one in names), ""):
            raise NotCheckable(f"{above} contains {name}; name modules that do not contain each other")


class _Walker:
    """Finds chains in a graph without the ignored imports."""

    def __init__(self, graph: ImportGraph, ignored: Sequence[tuple[str, str]]) -> None:
        self._graph = graph
        pairs = [(_compile(one, graph.separator), _compile(other, graph.separator)) for one, other in ignored]
        roots = {name.partition(graph.separator)[0] for name in graph.modules}
        self._imports = {
            name: [
                other
                for other in sorted(targets)
                if not any(one.fullmatch(name) and self._matches(two, other, roots) for one, two in pairs)
            ]
            for name, targets in graph.imports.items()
        }
        self._names = {*graph.modules, *(other for targets in self._imports.values() for other in targets)}

    def _matches(self, expression: re.Pattern[str], name: str, roots: Collection[str]) -> bool:
        """Return whether the end of an ignored import is a module; a package of others is one with all below it."""
        root = name.partition(self.separator)[0]
        return bool(expression.fullmatch(name) or (root not in roots and expression.fullmatch(root)))

    def expand(self, names: Sequence[str]) -> list[str]:
        """Return names with `*` replaced by the modules that fit.

        Raises:
            NotCheckable: A module does not exist.
        """
        found: list[str] = []
        for name in names:
            if "*" in name:
                expression = _compile(name, self._graph.separator)
                found += sorted({one for one in self._iterate_packages() if expression.fullmatch(one)})
            elif self.exists(name):
                found.append(name)
        return list(dict.fromkeys(found))

    def _iterate_packages(self) -> Iterator[str]:
        """Iterate over all modules and what contains them."""
        for name in self._graph.modules:
            yield from _list_prefixes(name, self.separator)

    @property
    def separator(self) -> str:
        """What separates the parts of a name."""
        return self._graph.separator

    def list_children(self, package: str) -> set[str]:
        """Return the names of what is directly below a package."""
        lead = package + self.separator
        below = (name[len(lead) :] for name in self._graph.modules if name.startswith(lead))
        return {lead + name.split(self.separator)[0] for name in below}

    def get_path(self, name: str) -> str:
        """Return the path of a module, or of the first one below it."""
        paths = self._graph.modules.get(name) or next(
            paths for one, paths in sorted(self._graph.modules.items()) if self._graph.is_below(one, name)
        )
        return paths[0]

    def find_circles(self, packages: Collection[str]) -> Iterator[list[tuple[str, ImportSite]]]:
        """Iterate over circles of imports between packages: the shortest one, then those without its packages.

        Yields:
            Pairs of a package and the import by which it needs the next one.
        """
        edges = self._find_edges(packages)
        while True:
            found = [way for start in sorted(edges) if (way := _find_circle(edges, start))]
            if not found:
                return
            way = min(found, key=len)
            yield [(one, edges[one][other]) for one, other in zip(way, [*way[1:], way[0]], strict=True)]
            edges = {
                one: {other: site for other, site in targets.items() if other not in way}
                for one, targets in edges.items()
                if one not in way
            }

    def _find_edges(self, packages: Collection[str]) -> dict[str, dict[str, ImportSite]]:
        owners = {name: one for one in packages for name in self.select(one)}
        edges: dict[str, dict[str, ImportSite]] = {one: {} for one in packages}
        for name, targets in self._imports.items():
            for other in targets if name in owners else ():
                if other in owners and owners[other] != owners[name]:
                    edges[owners[name]].setdefault(owners[other], self._graph.imports[name][other])
        return edges

    def exists(self, name: str, *, optional: bool = False) -> bool:
        """Return whether the project has a module.

        Raises:
            NotCheckable: It does not, and it is not optional.
        """
        if any(self._graph.is_below(one, name) for one in self._graph.modules):
            return True
        if optional:
            return False
        raise NotCheckable(f"the project has no module {name!r}")

    def select(self, name: str, *, exact: bool = False) -> frozenset[str]:
        """Return a module and all below it; also modules of others, which have no file here.

        A folder of the project is not the package of others with its name, such as `test` of Node.js.
        """
        if "*" in name:
            expression = _compile(name, self._graph.separator)
            return frozenset(one for one in self._names if expression.fullmatch(one))
        found = frozenset(one for one in self._names if one == name or (not exact and self._graph.is_below(one, name)))
        return found - self._graph.outside or found

    def select_apart(self, name: str, source: str, *, exact: bool) -> frozenset[str]:
        """Return what `select` does, without modules that contain a source or are in it; `*` is for packages, too."""
        if "*" not in name:
            return frozenset() if self._overlap(name, source, exact=exact) else self.select(name, exact=exact)
        expression = _compile(name, self.separator)
        matched = {one for one in {*self._names, *self._iterate_packages()} if expression.fullmatch(one)}
        matched = {one for one in matched if not self._overlap(one, source, exact=exact)}
        if exact:
            return frozenset(matched)
        return frozenset(one for one in self._names if not matched.isdisjoint(_list_prefixes(one, self.separator)))

    def _overlap(self, one: str, other: str, *, exact: bool) -> bool:
        return one == other or (not exact and (self._graph.is_below(one, other) or self._graph.is_below(other, one)))

    def find_chains(
        self,
        sources: frozenset[str],
        targets: frozenset[str],
        *,
        closed: frozenset[str] = frozenset(),
        direct_only: bool = False,
        said: str,
    ) -> Iterator[ProjectHit]:
        """Iterate over shortest ways from one set of modules to another, no two with the same last import.

        Args:
            sources: Where they begin.
            targets: Where they end.
            closed: Modules that are not passed through.
            direct_only: Whether only single imports are ways.
            said: What they violate.
        """
        used: set[tuple[str, str]] = set()
        sources -= targets
        for _ in range(MOST_CHAINS):
            chain = self._find_chain(sources, targets, closed | sources, used, direct_only=direct_only)
            if not chain:
                return
            used.add((chain[-2], chain[-1]))
            site = self._graph.imports[chain[0]][chain[1]]
            way = " -> ".join(chain)
            yield ProjectHit(path=site.path, line=site.line, last=site.last, text=way, description=f"{said}: {way}")

    def _find_chain(
        self,
        sources: frozenset[str],
        targets: frozenset[str],
        closed: frozenset[str],
        used: set[tuple[str, str]],
        *,
        direct_only: bool,
    ) -> list[str]:
        before: dict[str, str] = dict.fromkeys(sources, "")
        waiting = deque(sorted(sources))
        while waiting:
            name = waiting.popleft()
            for other in self._imports.get(name, ()):
                if other in before or (name, other) in used:
                    continue
                if other in targets:
                    return [*_trace(name, before), other]
                if other not in closed and not direct_only:
                    before[other] = name
                    waiting.append(other)
        return []


def _list_prefixes(name: str, separator: str) -> list[str]:
    """Return the names of what contains a module, and its own."""
    parts = name.split(separator)
    return [separator.join(parts[:size]) for size in range(1, len(parts) + 1)]


def _find_circle(edges: Mapping[str, Mapping[str, object]], start: str) -> list[str]:
    """Return a shortest circle through a package; empty if there is none."""
    before = {start: ""}
    waiting = deque([start])
    while waiting:
        name = waiting.popleft()
        for other in sorted(edges.get(name, ())):
            if other == start:
                return _trace(name, before)
            if other not in before:
                before[other] = name
                waiting.append(other)
    return []


def _trace(name: str, before: dict[str, str]) -> list[str]:
    chain = [name]
    while before[chain[0]]:
        chain.insert(0, before[chain[0]])
    return chain


@lru_cache(maxsize=1_024)
def _compile(pattern: str, separator: str) -> re.Pattern[str]:
    """Compile a name in which `*` is one part and `**` are any number of parts."""
    part = f"(?:(?!{re.escape(separator)}).)+"
    inner = re.escape(pattern).replace(r"\*\*", "\0").replace(r"\*", part).replace("\0", ".+")
    return re.compile(inner, re.DOTALL)
