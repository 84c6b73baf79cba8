"""The areas that a pull request changes: by category, and within it by name from the settings or by package."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Annotated

from attrs import frozen

from stithy_core.spi import Meta
from stithy_pulls.diffs.diff_model import ChangedFile
from stithy_pulls.diffs.file_roles import MANIFESTS
from stithy_pulls.diffs.path_patterns import PathPattern, parse_glob
from stithy_pulls.facts.risk_facts import Fact, RiskLevel, RiskTerm, score_risk
from stithy_pulls.impact.file_categories import CATEGORIES, Category, categorize_file

MOST_FILES = 20
MOST_OWNERS = 5


@frozen(kw_only=True)
class ImpactArea:
    """One area.

    Args:
        category: One of the six categories (PULL-62).
        area: Its name in the settings, or the folder of the nearest manifest below the root, or the topmost folder;
            `.` for files outside of any folder.
        files: The changed files, the largest changes first.
        file_count: The number of all changed files.
        risk_level: low below 2 points, high from 5 points on.
        risk_score: The sum of the points of `risk_terms`.
        risk_terms: The facts behind the score; each kind weighs once.
        owners: The code owners of most of these files.
    """

    category: Category
    area: Annotated[str, Meta(cut=False)]
    files: tuple[Annotated[str, Meta(cut=False)], ...]
    file_count: int
    risk_level: RiskLevel
    risk_score: int
    risk_terms: tuple[RiskTerm, ...]
    owners: tuple[str, ...]


@frozen
class AreaMap:
    """The mapping from paths to areas.

    Args:
        named: Globs by area name, from the settings. The name of a category selects that category.
        packages: Folders with a manifest.
    """

    named: Mapping[str, tuple[PathPattern, ...]]
    packages: frozenset[str]

    def locate(self, path: str) -> tuple[Category, str]:
        """Return the category and the area of a path. The first matching name of the settings counts."""
        name = next((name for name, globs in self.named.items() if any(one.matches(path) for one in globs)), "")
        category = next((one for one in CATEGORIES if one == name), None)
        return category or categorize_file(path), self._find_package(path) if category or not name else name

    def _find_package(self, path: str) -> str:
        folders = [str(folder) for folder in PurePosixPath(path).parents][:-1]
        return next((folder for folder in folders if folder in self.packages), folders[-1] if folders else ".")


def build_area_map(settings: Mapping[str, Sequence[str]], paths: Sequence[str]) -> AreaMap:
    """Create the mapping.

    Args:
        settings: Globs as in gitignore, by area name.
        paths: The paths of all files, which include manifests.
    """
    named = {name: tuple(map(parse_glob, globs)) for name, globs in settings.items()}
    folders = {str(pure.parent) for pure in map(PurePosixPath, paths) if pure.name.lower() in MANIFESTS}
    return AreaMap(named, frozenset(folders))


def group_areas(
    changes: Sequence[ChangedFile],
    where: AreaMap,
    facts: Mapping[str, Sequence[Fact]],
    owners: Mapping[str, Mapping[str, int]],
) -> list[ImpactArea]:
    """Group the files by area, the riskiest area first.

    Args:
        changes: The files.
        where: The mapping.
        facts: By path.
        owners: By path, its owners.
    """
    groups: dict[tuple[Category, str], list[ChangedFile]] = {}
    for change in changes:
        groups.setdefault(where.locate(change.path), []).append(change)
    areas = [_create_area(*place, found, facts, owners) for place, found in groups.items()]
    return sorted(areas, key=lambda area: (-area.risk_score, -area.file_count, area.category, area.area))


def _create_area(
    category: Category,
    name: str,
    changes: Sequence[ChangedFile],
    facts: Mapping[str, Sequence[Fact]],
    owners: Mapping[str, Mapping[str, int]],
) -> ImpactArea:
    largest = sorted(changes, key=lambda change: (-change.size, change.path))
    risk = score_risk(fact for change in largest for fact in facts.get(change.path, ()))
    counted = Counter(owner for change in changes for owner in owners.get(change.path, ()))
    return ImpactArea(
        category=category,
        area=name,
        files=tuple(change.path for change in largest[:MOST_FILES]),
        file_count=len(changes),
        risk_level=risk.level,
        risk_score=risk.score,
        risk_terms=risk.terms,
        owners=tuple(owner for owner, _ in counted.most_common(MOST_OWNERS)),
    )
