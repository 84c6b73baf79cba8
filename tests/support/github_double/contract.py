"""GitHub's published description of REST, as PyPI's githubkit carries it, to hold every answer to."""

import ast
import functools
import importlib.util
import json
import textwrap
from pathlib import Path

PACKAGE = "githubkit_schemas.v2022_11_28"

TOLERATED = {
    ("event", "line-commented"): ("line_commented", "the description has an underscore that no answer has"),
    ("conclusion", "startup_failure"): ("failure", "left out of check runs, though their lists elsewhere have it"),
    ("conclusion", "stale"): ("neutral", "likewise"),
}
"""Where GitHub's answers are known to differ from its description: what is checked in the place of a value, and why."""

BESIDE = {
    (200, "installed_version"): "an Enterprise Server says it of itself",
    (406, "errors"): "it says that a diff is too large, by a code as those of 422",
}
"""Fields that GitHub's answers are known to have beside those described, by status, and what they are."""


def present():
    """Say whether the description is installed."""
    return importlib.util.find_spec("githubkit_schemas") is not None and importlib.util.find_spec(PACKAGE) is not None


@functools.cache
def _sources():
    """Give the description's code, a module a field."""
    folder = Path(importlib.util.find_spec(PACKAGE).origin).parent / "rest"
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))


@functools.cache
def models(method, template):
    """Find what an endpoint may answer.

    Returns:
        The type of a success, None where it has no JSON, and by status those of failures.

    Raises:
        LookupError: GitHub describes no such endpoint.
    """
    at = _sources().find(f"        {method} {template}\n")
    if at < 0:
        raise LookupError(f"GitHub describes no {method} {template}")
    start, end = _sources().rfind("    def ", 0, at), _sources().find("\n    async def ", at)
    call = _request(ast.parse(textwrap.dedent(_sources()[start:end].split("\n    @overload")[0])))
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    failures = {} if "error_models" not in given else ast.literal_eval(_named(given["error_models"]))
    success = _type(ast.unparse(given["response_model"])) if "response_model" in given else None
    return success, {int(status): _type(name) for status, name in failures.items()}


def _request(tree):
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "self._github.request":
            return inner
    raise LookupError("GitHub's description has another form than it had")


def _named(mapping):
    """Turn the classes of a mapping into their names."""
    values = [ast.Constant(ast.unparse(value)) for value in mapping.values]
    return ast.Expression(ast.Dict(mapping.keys, values))


def _type(expression):
    """Give the type that an annotation of the description means."""
    from typing import Union

    from githubkit_schemas.v2022_11_28 import models as described

    names = {inner.id for inner in ast.walk(ast.parse(expression)) if isinstance(inner, ast.Name)}
    known = {"list": list, "Union": Union, "None": None}
    scope = known | {name: getattr(described, name) for name in names - known.keys()}
    return eval(expression, scope)


def faults(method, template, status, body):
    """Say what in an answer is not as described: a field that is missing, wrong, or too many.

    Args:
        method: Of the request.
        template: The path of the endpoint as it is described; empty where none was found.
        status: Of the answer.
        body: Its JSON.
    """
    from githubkit_schemas.v2022_11_28.models import BasicError
    from githubkit_schemas.v2022_11_28.models import ValidationError as Invalid
    from pydantic import TypeAdapter, ValidationError

    success, failures = models(method, template) if template else (None, {})
    model = success if status < 300 else failures.get(status, Invalid if status == 422 else BasicError)
    if model is None:
        return [f"{method} {template} is described without an answer"]
    checked = _tolerating(body)
    if isinstance(checked, dict):
        checked = {name: value for name, value in checked.items() if (status, name) not in BESIDE}
    try:
        made = TypeAdapter(model).validate_json(json.dumps(checked), strict=True)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    else:
        wrong = [f"{path} is not described" for path in too_many(made, checked)]
    return [f"{method} {template} {status}: {one}" for one in wrong]


def _tolerating(body):
    if isinstance(body, list):
        return [_tolerating(inner) for inner in body]
    if not isinstance(body, dict):
        return body
    checked = {name: _tolerating(inner) for name, inner in body.items()}
    for (name, value), (instead, _) in TOLERATED.items():
        if checked.get(name) == value:
            checked[name] = instead
    return checked


def too_many(made, raw, path="$"):
    """Find keys that the models have not, at any depth; an object without fields of its own takes any."""
    from pydantic import BaseModel

    if isinstance(made, list):
        for place, (one, given) in enumerate(zip(made, raw, strict=True)):
            yield from too_many(one, given, f"{path}[{place}]")
    elif isinstance(made, BaseModel):
        fields = {info.alias or name: name for name, info in type(made).model_fields.items()}
        for key, value in raw.items():
            if key in fields:
                yield from too_many(getattr(made, fields[key]), value, f"{path}.{key}")
            elif type(made).model_config.get("extra") != "allow":
                yield f"{path}.{key}"
