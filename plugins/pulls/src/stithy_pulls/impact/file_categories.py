"""The category of a file (PULL-62), by the segments and the suffix of its path."""

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Literal, TypeAlias, get_args

from stithy_pulls.code.source_trees import get_language
from stithy_pulls.diffs.file_roles import classify_file
from stithy_pulls.facts.migration_facts import is_migration

Category: TypeAlias = Literal["frontend", "backend", "database", "infrastructure", "tests", "docs"]

CATEGORIES: tuple[Category, ...] = get_args(Category)
DATABASE = {"db", "database", "alembic", "prisma", "sql"}
TABLES = {".sql", ".prisma", ".ddl"}
INFRASTRUCTURE = {
    *(".github", ".gitea", ".forgejo", ".gitlab", ".circleci", ".buildkite", ".devcontainer"),
    *("terraform", "ansible", "helm", "k8s", "kubernetes"),
}
TOPMOST = {"ci", "deploy", "deployment", "docker", "infra", "infrastructure", "ops"}
"""Folders that mean infrastructure at the root only: deeper ones may be modules of the product."""
MACHINERY = {".tf", ".tfvars", ".hcl", ".nix", ".bicep", ".dockerfile"}
BUILDING = (
    "dockerfile",
    "docker-compose",
    "compose.y",
    "makefile",
    "justfile",
    "jenkinsfile",
    ".gitlab-ci",
    "cmakelists",
)
FRONTEND = {
    "frontend",
    "web",
    "webapp",
    "ui",
    "client",
    "components",
    "pages",
    "public",
    "assets",
    "static",
    "templates",
}
LOOKS = {".css", ".scss", ".sass", ".less", ".html", ".htm", ".vue", ".svelte", ".astro", ".jsx", ".tsx"}
SCRIPTS = {".js", ".mjs", ".ts", ".mts"}
SERVING = {"server", "backend", "api", "functions", "lambda", "services", "cmd", "cli"}
SETTINGS = {".yml", ".yaml", ".toml", ".ini", ".cfg"}


def categorize_file(path: str) -> Category:
    """Return the category; backend if no rule matches."""
    return next((category for category, fits in RULES if fits(path)), "backend")


def _list_folders(path: str) -> set[str]:
    return {part.lower() for part in PurePosixPath(path).parts[:-1]}


def _is_database(path: str) -> bool:
    ending = PurePosixPath(path).suffix.lower()
    return (
        is_migration(path)
        or ending in TABLES
        or (bool(_list_folders(path) & DATABASE) and classify_file(path) != "docs")
    )


def _is_infrastructure(path: str) -> bool:
    name, ending, folders = PurePosixPath(path).name.lower(), PurePosixPath(path).suffix.lower(), _list_folders(path)
    at_root = not folders and (name.startswith(".") or ending in SETTINGS)
    builds = ending in MACHINERY or name.startswith(BUILDING) or classify_file(path) in ("lock", "manifest")
    topmost = PurePosixPath(path).parts[0].lower() in TOPMOST and bool(folders)
    return at_root or builds or topmost or bool(folders & INFRASTRUCTURE)


def _is_frontend(path: str) -> bool:
    ending, folders = PurePosixPath(path).suffix.lower(), _list_folders(path)
    if ending in LOOKS:
        return True
    if ending in SCRIPTS:
        return not folders & SERVING
    return bool(folders & FRONTEND) and not get_language(path)


RULES: tuple[tuple[Category, Callable[[str], bool]], ...] = (
    ("tests", lambda path: classify_file(path) == "test"),
    ("database", _is_database),
    ("docs", lambda path: classify_file(path) == "docs"),
    ("infrastructure", _is_infrastructure),
    ("frontend", _is_frontend),
)
"""The first match counts."""
