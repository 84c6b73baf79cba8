"""Edit YAML; comments and the order of everything else stay as they are."""

import io
import textwrap
from collections.abc import Sequence
from typing import Any

from stithy_init.plain_data import find_value, nest_value, remove_from, set_in

WIDTH = 1_000_000
"""Columns of a line: a shorter width would wrap the lines of other entries."""


def parse(text: str) -> Any:
    """Parse YAML; an empty file is an empty mapping.

    Raises:
        ValueError: It is something else.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text) or {}
    except YAMLError as error:
        # Its text quotes lines of the file.
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        raise ValueError(f"{getattr(error, 'problem', None) or 'invalid YAML'}{where}") from None


def set_value(text: str, path: Sequence[str], value: Any) -> str:
    """Return the text with a value at a path of keys; in a list, the key is the `name` of an entry.

    New values are inserted as lines of their own, so that no existing line changes.
    """
    document = _load(text)
    if find_value(document, path) is None:
        if not document:
            return _join(text, _dump(nest_value(path, value)))
        if path[0] not in document:
            return _join(text, _dump(nest_value(path, value)))
        if len(path) == 2 and (inserted := _insert(text, document[path[0]], path[1], value)) is not None:  # noqa: PLR2004 -- the entry of a server
            return inserted
    set_in(document, path, value)
    return _dump(document, text)


def remove_value(text: str, path: Sequence[str]) -> str:
    """Return the text without the value at a path; unchanged if there is none."""
    document = _load(text)
    if find_value(document, path) is None:
        return text
    remove_from(document, path)
    return _dump(document, text)


def _load(text: str) -> Any:
    return _create_yaml(text).load(text)


def _create_yaml(text: str = "") -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.util import load_yaml_guess_indent

    yaml = YAML(pure=True)
    yaml.preserve_quotes = True
    yaml.width = WIDTH
    _, indent, offset = load_yaml_guess_indent(text) if text.strip() else (None, None, None)
    if indent is not None:
        yaml.indent(mapping=indent if not offset else indent - offset, sequence=indent, offset=offset or 0)
    return yaml


def _dump(data: Any, text: str = "") -> str:
    stream = io.StringIO()
    _create_yaml(text).dump(data, stream)
    return stream.getvalue().replace("\n", "\r\n") if "\r\n" in text else stream.getvalue()


def _join(text: str, added: str) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text or text.endswith("\n") else newline
    return text + gap + added.replace("\n", newline)


def _insert(text: str, container: Any, key: str, value: Any) -> str | None:
    """Insert lines before the first entry of a mapping or list in block style; None where that is not possible."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if not container or container.fa.flow_style():
        return None
    if isinstance(container, CommentedMap):
        line, column = container.lc.key(next(iter(container)))
        added = _dump({key: value}, text)
    elif isinstance(container, CommentedSeq):
        line, column = container.lc.line, container.lc.col
        added = _dump([value], text)
    else:
        return None
    lines = text.splitlines(keepends=True)
    newline = "\r\n" if "\r\n" in text else "\n"
    rows = [f"{' ' * column}{row}{newline}" for row in textwrap.dedent(added).splitlines()]
    return "".join([*lines[:line], *rows, *lines[line:]])
