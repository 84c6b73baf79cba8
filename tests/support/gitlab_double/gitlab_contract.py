"""GitLab's own JSON schemas of its public API, read in place beside the project.

They come from https://gitlab.com/gitlab-org/gitlab, spec/fixtures/api/schemas/public_api/v4. There
`additionalProperties: false` keeps GitLab's own tests exact; servers send more, so that only the fields that a schema
has are checked.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

SCHEMAS = Path(__file__).parents[4] / "shared/recordings/gitlab/schemas"
BASE = "schema://gitlab/"

PROJECT = r"/projects/[^/]+"
EACH, ITEM_OF = "each ", "item of "
FORMS: tuple[tuple[str, str], ...] = (
    (rf"{PROJECT}/merge_requests/\d+", "merge_request"),
    (rf"{PROJECT}/merge_requests", "merge_requests"),
    (rf"{PROJECT}/issues", "issues"),
    (rf"{PROJECT}/issues/\d+", "issue"),
    (rf"{PROJECT}/members/all/\d+", f"{ITEM_OF}members"),
    (rf"{PROJECT}/pipelines/\d+/jobs", f"{EACH}job"),
    (rf"{PROJECT}/repository/merge_base", "commit/basic"),
    (rf"{PROJECT}/(?:issues|merge_requests)/\d+/notes", "notes"),
    (rf"{PROJECT}/merge_requests/\d+/commits", "commits"),
    (rf"{PROJECT}/jobs/\d+", "job"),
    (rf"{PROJECT}/repository/branches/[^/]+", "branch"),
    (rf"{PROJECT}/pipelines", "pipelines"),
    (rf"{PROJECT}/merge_requests/\d+/pipelines", "pipelines"),
    ("/metadata", "metadata"),
)
"""The path of an answer, and the name of its schema: of each item of a list, or of the list that it is an item of."""


def find_schema(method: str, path: str) -> str:
    """Return the name of the schema of a successful read; empty if GitLab has none for it."""
    return next((name for form, name in FORMS if method == "GET" and re.fullmatch(form, path)), "")


@cache
def _find_validator(name: str) -> Draft7Validator:
    registry: Registry[Any] = Registry(retrieve=_read_schema)  # type: ignore[call-arg]
    return Draft7Validator({"$ref": f"{BASE}{name}.json"}, registry=registry)


def _read_schema(uri: str) -> Resource[Any]:
    raw = json.loads((SCHEMAS / uri.removeprefix(BASE)).read_text())
    return Resource.from_contents(_loosen(raw), default_specification=DRAFT7)


def _loosen(schema: Any) -> Any:
    """Return a schema that allows further fields, without patterns: they are Ruby's, which Python cannot read."""
    if isinstance(schema, dict):
        return {name: _loosen(one) for name, one in schema.items() if not _is_left_out(name, one)}
    return [_loosen(one) for one in schema] if isinstance(schema, list) else schema


def _is_left_out(name: str, value: Any) -> bool:
    return (name == "additionalProperties" and value is False) or (name == "pattern" and isinstance(value, str))


def check_answer(method: str, path: str, body: Any) -> str:
    """Check an answer.

    Returns:
        The name of the schema that it fits; empty without one, or without the schemas.

    Raises:
        AssertionError: The answer contradicts its schema.
    """
    name = find_schema(method, path)
    if not name or not SCHEMAS.is_dir():
        return ""
    labels = _list_details(body)
    shown = _name_labels(body) if labels else body
    checked = [*_list_parts(name, shown), *(("label_basic", label) for label in labels)]
    faults = [
        f"{method} {path}: {fault.json_path}: {fault.message}"
        for schema, part in checked
        for fault in _find_validator(schema).iter_errors(part)
        if not (fault.instance is None and "source_project_id" in fault.absolute_path)  # null for a deleted fork
    ]
    assert not faults, "\n".join(faults[:5])
    return name


def _list_parts(name: str, body: Any) -> list[tuple[str, Any]]:
    """Return the parts of an answer, each with the name of the schema that it must fit."""
    if name.startswith(EACH):
        return [(name.removeprefix(EACH), row) for row in body]
    return [(name.removeprefix(ITEM_OF), [body] if name.startswith(ITEM_OF) else body)]


def _list_details(body: Any) -> list[Any]:
    """Return the labels in a list that has their details, which is another form of it."""
    rows = [row for row in body if isinstance(row, dict)] if isinstance(body, list) else []
    return [label for row in rows for label in row.get("labels", ()) if isinstance(label, dict)]


def _name_labels(body: Any) -> Any:
    return [{**row, "labels": [label["name"] for label in row["labels"]]} for row in body]
