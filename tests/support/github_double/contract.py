"""GitHub's published description of REST, from PyPI's githubkit, and the check of responses against it."""

import ast
import functools
import importlib.util
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PACKAGE = "githubkit_schemas.v2022_11_28"

TOLERATED = {
    ("event", "line-commented"): ("line_commented", "the description has an underscore that no answer has"),
    ("conclusion", "startup_failure"): ("failure", "missing in check runs, though other lists have it"),
    ("conclusion", "stale"): ("neutral", "likewise"),
}
"""Known differences between GitHub's responses and its description: the value to check instead, and why."""

BESIDE = {
    (200, "installed_version"): "an Enterprise Server says it of itself",
    (406, "errors"): "it says that a diff is too large, by a code as those of 422",
}
"""Fields of GitHub's responses that the description lacks, by status, each with its reason."""


def is_installed() -> bool:
    """Return whether the description is installed."""
    return importlib.util.find_spec("githubkit_schemas") is not None and importlib.util.find_spec(PACKAGE) is not None


@functools.cache
def _read_sources() -> str:
    """Return the description's source code, of all modules."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None
    folder = Path(str(spec.origin)).parent / "rest"
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))


@functools.cache
def find_models(method: str, template: str) -> tuple[Any, dict[int, Any]]:
    """Find the models of an endpoint's responses.

    Returns:
        The type of a success, None without JSON; and the types of failures by status.

    Raises:
        LookupError: GitHub describes no such endpoint.
    """
    at = _read_sources().find(f"        {method} {template}\n")
    if at < 0:
        raise LookupError(f"GitHub describes no {method} {template}")
    start, end = _read_sources().rfind("    def ", 0, at), _read_sources().find("\n    async def ", at)
    call = _find_request(ast.parse(textwrap.dedent(_read_sources()[start:end].split("\n    @overload")[0])))
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    failures = {} if "error_models" not in given else ast.literal_eval(_name_classes(given["error_models"]))
    success = _evaluate_type(ast.unparse(given["response_model"])) if "response_model" in given else None
    return success, {int(status): _evaluate_type(name) for status, name in failures.items()}


def _find_request(tree: ast.AST) -> ast.Call:
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "self._github.request":
            return inner
    raise LookupError("GitHub's description has another form than it had")


def _name_classes(mapping: ast.expr) -> ast.Expression:
    """Replace the classes of a mapping by their names."""
    assert isinstance(mapping, ast.Dict)
    values: list[ast.expr] = [ast.Constant(ast.unparse(value)) for value in mapping.values]
    return ast.Expression(ast.Dict(mapping.keys, values))


def _evaluate_type(expression: str) -> Any:
    """Return the type of an annotation in the description."""
    from typing import Union

    from githubkit_schemas.v2022_11_28 import models as described

    names = {inner.id for inner in ast.walk(ast.parse(expression)) if isinstance(inner, ast.Name)}
    known = {"list": list, "Union": Union, "None": None}
    scope = known | {name: getattr(described, name) for name in names - known.keys()}
    return eval(expression, scope)


def list_faults(method: str, template: str, status: int, body: Any) -> list[str]:
    """List how a response differs from its description: missing, wrong and additional fields.

    Args:
        method: The request's method.
        template: The path of the endpoint as it is described; empty where none was found.
        status: The response's status.
        body: The response's JSON.
    """
    from githubkit_schemas.v2022_11_28.models import BasicError
    from githubkit_schemas.v2022_11_28.models import ValidationError as Invalid
    from pydantic import TypeAdapter, ValidationError

    success, failures = find_models(method, template) if template else (None, {})
    model = success if status < 300 else failures.get(status, Invalid if status == 422 else BasicError)
    if model is None:
        return [f"{method} {template} is described without an answer"]
    checked = _replace_tolerated(body)
    if isinstance(checked, dict):
        checked = {name: value for name, value in checked.items() if (status, name) not in BESIDE}
    try:
        made = TypeAdapter(model).validate_json(json.dumps(checked), strict=True)
    except ValidationError as error:
        wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    else:
        wrong = [f"{path} is not described" for path in iterate_extra_keys(made, checked)]
    return [f"{method} {template} {status}: {one}" for one in wrong]


def _replace_tolerated(body: Any) -> Any:
    if isinstance(body, list):
        return [_replace_tolerated(inner) for inner in body]
    if not isinstance(body, dict):
        return body
    checked = {name: _replace_tolerated(inner) for name, inner in body.items()}
    for (name, value), (instead, _) in TOLERATED.items():
        if checked.get(name) == value:
            checked[name] = instead
    return checked


def iterate_extra_keys(made: Any, raw: Any, path: str = "$") -> Iterator[str]:
    """Iterate over keys that the models lack, at any depth; a model that allows extra keys accepts any."""
    from pydantic import BaseModel

    if isinstance(made, list):
        for place, (one, given) in enumerate(zip(made, raw, strict=True)):
            yield from iterate_extra_keys(one, given, f"{path}[{place}]")
    elif isinstance(made, BaseModel):
        fields = {info.alias or name: name for name, info in type(made).model_fields.items()}
        for key, value in raw.items():
            if key in fields:
                yield from iterate_extra_keys(getattr(made, fields[key]), value, f"{path}.{key}")
            elif type(made).model_config.get("extra") != "allow":
                yield f"{path}.{key}"
