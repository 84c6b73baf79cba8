"""The role of a file by its path. Whole segments and suffixes count, so `latest.py` is not a test."""

import re
from functools import lru_cache
from pathlib import PurePosixPath

LOCKS = {
    "package-lock.json": ("package.json",),
    "npm-shrinkwrap.json": ("package.json",),
    "yarn.lock": ("package.json",),
    "pnpm-lock.yaml": ("package.json",),
    "bun.lock": ("package.json",),
    "bun.lockb": ("package.json",),
    "deno.lock": ("deno.json", "deno.jsonc"),
    "poetry.lock": ("pyproject.toml",),
    "uv.lock": ("pyproject.toml",),
    "pdm.lock": ("pyproject.toml",),
    "pipfile.lock": ("pipfile",),
    "pixi.lock": ("pixi.toml", "pyproject.toml"),
    "cargo.lock": ("cargo.toml",),
    "go.sum": ("go.mod",),
    "gemfile.lock": ("gemfile",),
    "composer.lock": ("composer.json",),
    "mix.lock": ("mix.exs",),
    "packages.lock.json": (),
    "gradle.lockfile": ("build.gradle", "build.gradle.kts"),
    "podfile.lock": ("podfile",),
    "package.resolved": ("package.swift",),
    "pubspec.lock": ("pubspec.yaml",),
    "flake.lock": ("flake.nix",),
    ".terraform.lock.hcl": (),
}
"""Lock files, in lower case, with the manifests that they belong to."""

MANIFESTS = {
    *(name for names in LOCKS.values() for name in names),
    *("requirements.txt", "setup.py", "setup.cfg", "pom.xml", "environment.yml", "go.work", "directory.packages.props"),
}

NUMBERED = re.compile(r"requirements[\w.-]*\.txt|package@swift-[\d.]+\.swift")
"""The names of manifests of which a project may have several, in lower case."""

GENERATED = re.compile(
    r"(\.min\.(js|css|mjs)|\.(js|css|ts)\.map|_pb2(_grpc)?\.pyi?|\.pb\.(go|cc|h|swift)|\.g\.dart|\.freezed\.dart"
    r"|\.designer\.cs|\.g\.cs|\.generated\.\w+|_generated\.\w+|\.snap|_string\.go|zz_generated\..*|[.-]bundle\.m?js)$",
    re.IGNORECASE,
)
BUILT = {"dist", "generated", "__generated__", "__snapshots__", ".yarn"}
VENDORED = {
    "vendor",
    "godeps",
    "node_modules",
    "third_party",
    "thirdparty",
    "bower_components",
    "pods",
    "third-party",
    "3rdparty",
    "external-deps",
}
TESTS = {"test", "tests", "spec", "specs", "__tests__", "testdata", "e2e", "testing", "cypress"}
TEST_FOLDER = re.compile(
    r"^tests?[_-]|-tests?$|[._][Tt]ests$|[a-z]Tests$|^(?:unit|api|integration|system|acceptance|functional|smoke|perf)_?tests?$"
)
"""How the name of a folder begins or ends that holds tests alone, such as a package of test tools."""
STEPS = re.compile(r"(?:^|/)features/(?:bootstrap|step_?definitions|steps|support)/")
"""The code of scenarios, by the customs of Cucumber and Behat."""
TEST_NAME = re.compile(r"^((?:unit_?)?tests?_.+|.+_(?:unit_?)?tests?|.+[._-](test|spec)|conftest)\.\w+$", re.IGNORECASE)
TEST_CLASS = re.compile(r"^([A-Z]\w*(Test|Tests|IT|Spec)|Test[A-Z]\w*)\.(java|kt|scala|cs|swift|php|groovy)$")
DOCS = {"doc", "docs", "documentation"}
DOCS_FOLDER = re.compile(r"docs[_-]")
"""How the name of a folder begins that belongs to documentation, such as its site."""
PROSE = {".md", ".mdx", ".rst", ".adoc", ".txt"}
MOST_KEPT = 8_192
"""Paths whose roles are kept: each of the files of a large change is asked for several times."""
DATA = {"requirements.txt", "cmakelists.txt", "robots.txt"}


@lru_cache(maxsize=MOST_KEPT)
def classify_file(path: str) -> str:
    """Return the role: lock, generated, vendored, test, manifest, docs, or source for the rest."""
    pure = PurePosixPath(path)
    name, folders = pure.name, {part.lower() for part in pure.parts[:-1]}
    if name.lower() in LOCKS:
        return "lock"
    if folders & VENDORED:
        return "vendored"
    if folders & BUILT or any(folder.endswith("_dist") for folder in folders) or GENERATED.search(name):
        return "generated"
    if is_test_file(path):
        return "test"
    if name.lower() in MANIFESTS or NUMBERED.fullmatch(name.lower()):
        return "manifest"
    prose = pure.suffix.lower() in PROSE and name.lower() not in DATA
    return "docs" if prose or folders & DOCS or any(map(DOCS_FOLDER.match, folders)) else "source"


@lru_cache(maxsize=MOST_KEPT)
def is_test_file(path: str) -> bool:
    """Return whether a file belongs to tests, by its folders or its name."""
    pure = PurePosixPath(path)
    folders = pure.parts[:-1]
    is_inside = any(part.lower() in TESTS or TEST_FOLDER.search(part) for part in folders) or STEPS.search(path)
    return bool(is_inside or TEST_NAME.match(pure.name) or TEST_CLASS.match(pure.name))


def list_manifests(lock: str) -> tuple[str, ...]:
    """Return the possible paths of a lock file's manifest, in lower case; empty if it has none."""
    pure = PurePosixPath(lock.lower())
    return tuple(str(pure.with_name(name)) for name in LOCKS.get(pure.name, ()))
