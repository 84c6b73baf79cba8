"""Facts about database migrations: what they do to existing tables, and whether they can be reversed."""

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import PurePosixPath

from stithy_core.spi import excerpt, format_count
from stithy_pulls.diffs.diff_model import ChangedFile, DiffLine, LineKind
from stithy_pulls.facts.code_lines import is_product_code, iterate_code
from stithy_pulls.facts.risk_facts import Fact

FOLDERS = {"migrations", "migrate", "migration"}
STEP = re.compile(r"^(?:V|U)?\d[\d._]*_|^\d{8,}|^V\d+[\d.]*__", re.IGNORECASE)
"""How the name of a step begins: Django, Rails, Flyway, golang-migrate, Knex and Entity Framework number them."""
HELPERS = ("__init__.py", "env.py", ".designer.cs", "snapshot.cs")


def is_migration(path: str) -> bool:
    """Return whether a file belongs to database migrations, by its folder."""
    folders = [part.lower() for part in PurePosixPath(path).parts[:-1]]
    alembic = "versions" in folders and bool({"alembic", "migrations"} & set(folders))
    return alembic or bool(FOLDERS & set(folders))


def is_migration_step(path: str) -> bool:
    """Return whether a file is one step of the migrations, and not code that runs them."""
    pure = PurePosixPath(path)
    if not is_migration(path) or not is_product_code(path) or path.lower().endswith(HELPERS):
        return False
    numbered = STEP.match(pure.name) or (pure.suffix == ".sql" and STEP.match(f"{pure.parent.name}_"))
    return bool(numbered) or pure.parent.name == "versions"


DOWN = re.compile(
    r"\bdef (?:self\.)?(?:downgrade|down)\b|\bexports\.down\b|\b(?:async )?(?:function )?down\s*[(=:]|\bvoid Down\("
    r"|^--\s*(?:\+\s*(?:migrate|goose)\s*:?\s*down|!down|rollback)",
    re.IGNORECASE,
)
"""How the part begins that reverses a step."""
UP = re.compile(
    r"\bdef (?:self\.)?(?:upgrade|up|change)\b|\bexports\.up\b|\bvoid Up\(|^--\s*\+\s*(?:migrate|goose)\s*:?\s*up",
    re.IGNORECASE,
)
NAME = r"[`\"'\[:]*(?P<name>[\w.]+)"
DROPS = (
    re.compile(rf"\bdrop\s+(?P<what>table|column|schema|database)\s+(?:if\s+exists\s+)?{NAME}", re.IGNORECASE),
    re.compile(
        rf"\b(?:op\.|t\.|table\.|schema\.|knex\.schema\.|migrationBuilder\.)?drop_?(?P<what>table|column)\w*\(?[\s(]*{NAME}",
        re.IGNORECASE,
    ),
    re.compile(rf"\bremove_(?P<what>column)s?\b[\s(]*{NAME}(?:[,\s:\"']+(?P<field>\w+))?"),
    re.compile(
        r"\b(?P<what>DeleteModel|RemoveField)\((?:\s*(?:model_)?name=)?\s*['\"](?P<name>\w+)['\"]"
        r"(?:,\s*(?:name=)?['\"](?P<field>\w+))?"
    ),
)
CREATES = re.compile(
    rf"\bcreate(?:\s+table\s+(?:if\s+not\s+exists\s+)?|_?(?=\w*table)\w++[\s(]+|Model\(\s*name=){NAME}", re.IGNORECASE
)
RESTORES = re.compile(rf"\brename\s+(?:column\s+)?\S+\s+to\s+{NAME}", re.IGNORECASE)
"""What gives the name of a dropped column or table to another one, which has its data."""
ALTERS = re.compile(
    r"\b(?P<what>alter\s+table|AlterField|AddField|AlterUniqueTogether|AddConstraint|AddIndex|RenameField|RenameModel"
    r"|RunPython|RunSQL|add_column|change_column\w*|rename_column|rename_table|add_index|add_reference|alter_column"
    r"|create_index|create_unique_constraint|create_foreign_key|add_foreign_key|execute|AddColumn|AlterColumn"
    r"|create\s+(?:unique\s+)?index|update(?=\s+[\w.\"`]+\s+set\b)|delete\s+from)\b",
    re.IGNORECASE,
)
ONE_WAY = re.compile(r"\bRun(?:Python|SQL)\(")
REVERSE = re.compile(r"\breverse_(?:code|sql)|\bnoop\b|Run(?:Python|SQL)\([^(),]*+,[^()]*+\)")
NO_DOWN = re.compile(r"\bdef downgrade\b[^\n]*:[ \t]*\n\s*+(?:(?:\"\"\"[^\n]*\"\"\"|#[^\n]*)\n\s*+)*+pass\b")
MOST = 5


def find_migration_facts(change: ChangedFile, paths: frozenset[str], created: frozenset[str]) -> Iterator[Fact]:
    """Yield facts about one step.

    Args:
        change: The file.
        paths: All changed paths, in lower case.
        created: The result of `list_created_tables` for the diff: such a table exists nowhere yet.
    """
    if not is_migration_step(change.path) or is_downward(change.path):
        return
    if change.status == "added":
        yield from _find_new_step_facts(change, paths, created)
    elif text := _describe_rewriting(change):
        yield Fact(kind="migration rewritten", focus="database", path=change.path, text=text, points=3)
    yield from _find_drops(change)


def list_created_tables(changes: Sequence[ChangedFile]) -> frozenset[str]:
    """Return the names, in lower case, of the tables that the steps of a diff create."""
    steps = (change for change in changes if is_migration_step(change.path) and not is_downward(change.path))
    texts = ("\n".join(line.text for line in _iterate_upward(change)) for change in steps)
    return frozenset(found["name"].lower() for text in texts for found in CREATES.finditer(text))


def is_downward(path: str) -> bool:
    """Return whether a file only reverses a step."""
    return path.lower().endswith((".down.sql", "/down.sql", "_down.sql", ".undo.sql"))


def _find_new_step_facts(change: ChangedFile, paths: frozenset[str], created: frozenset[str]) -> Iterator[Fact]:
    lines = list(_iterate_upward(change))
    done: dict[str, int | None] = {}
    for line, below in zip_longest(lines, lines[1:]):
        subject = f"{line.text} {below.text if below else ''}".lower()
        if (found := ALTERS.search(line.text)) and not any(name in subject for name in created):
            done.setdefault(" ".join(found["what"].split()), line.new)
    if done:
        named = ", ".join(list(done)[:MOST])
        what = f"a migration has operations on existing tables or rows: {named}"
        first = next(iter(done.values()))
        yield Fact(kind="migration", focus="database", path=change.path, line=first, text=what, points=2)
    if why := _explain_irreversible(change, paths):
        yield Fact(kind="migration without down", focus="database", path=change.path, text=why, points=1)


def _describe_rewriting(change: ChangedFile) -> str:
    """Return what happened to an existing step; empty if only comments changed."""
    if change.status == "deleted":
        return "an existing migration was deleted"
    count = sum(1 for kind in (LineKind.ADDED, LineKind.REMOVED) for _ in iterate_code(change, kind))
    changed = f"{format_count(count, 'line')} of code changed" if count else ""
    if change.status == "renamed":
        return f"an existing migration was renamed from {excerpt(PurePosixPath(change.old_path).name, 100)}" + (
            f", {changed}" if changed else ""
        )
    return f"an existing migration was modified: {changed}" if changed else ""


def _iterate_upward(change: ChangedFile) -> Iterator[DiffLine]:
    """Iterate over the added lines of code that are not in the part that reverses the step."""
    for hunk in change.hunks if isinstance(change.hunks, tuple) else ():
        is_down = bool(DOWN.search(hunk.context))
        for line in hunk.lines:
            is_down = (is_down or bool(DOWN.search(line.text))) and not UP.search(line.text)
            if line.kind is LineKind.ADDED and not is_down:
                yield line


def _find_drops(change: ChangedFile) -> Iterator[Fact]:
    lines = list(_iterate_upward(change))
    text = "\n".join(line.text for line in lines)
    created = {found["name"].lower() for form in (CREATES, RESTORES) for found in form.finditer(text)}
    for place, line in enumerate(lines):
        subject = " ".join(one.text.strip() for one in lines[place : place + 3])  # Django has a name a line
        found = next((found for form in DROPS if (found := form.search(subject))), None)
        if (
            found is None or found.start() >= len(line.text.strip()) or (found["name"] or "").lower() in created
        ):  # dropped to be created again
            continue
        named = ".".join(filter(None, (found["name"], found.groupdict().get("field"))))
        text = excerpt(f"a migration drops data: {found['what'].lower()} {named}".strip(), 120)
        yield Fact(kind="data dropped", focus="database", path=change.path, line=line.new, text=text, points=2)


def _explain_irreversible(change: ChangedFile, paths: frozenset[str]) -> str:
    """Return why a new step cannot be reversed; empty if it can, if nobody reverses such steps, or if it is unknown."""
    text = "\n".join(line.text for line in change.iterate_lines(LineKind.ADDED))
    path = change.path.lower()
    if path.endswith(".up.sql"):
        return "" if path.replace(".up.sql", ".down.sql") in paths else "it has no .down.sql"
    if "migrations.Migration" in text:  # Django reverses all operations except code and raw SQL
        return (
            "it runs code or SQL without a reverse operation"
            if ONE_WAY.search(text) and not REVERSE.search(text)
            else ""
        )
    return "its downgrade does nothing" if NO_DOWN.search(text) else ""
