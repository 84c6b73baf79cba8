"""What an answer says of itself: what is not known, what was cut, how much was hidden, and how to go on."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve

from stithy_core.sanitize import clean, sendable
from stithy_core.tools.encoding import Encoding, Path, Short, written
from stithy_core.tools.schema import HIDDEN

ADDRESS = "url"
NUMBER = re.compile(r"\[\d+\]")


def notes(met: Encoding, cursor: str, structured: Mapping[str, Any]) -> dict[str, Any]:
    """Give what stands beside the tool's own fields.

    Args:
        met: What was met on the way.
        cursor: How to go on; empty where nothing follows.
        structured: The tool's own fields.
    """
    found: dict[str, Any] = {}
    if cursor:
        found["nextCursor"] = cursor
    if met.cuts:
        found["cuts"] = _cuts(met, structured)
    if met.unknown:
        found["unknown"] = _unknown(met)
    if met.hidden:
        found[HIDDEN] = met.hidden
    return found


def lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Say the same in lines of text."""
    for row in found.get("unknown", ()):
        yield f"unknown: {row['field']}: {row['reason']}{_behind(row, 'remedy')}"
    for row in found.get("cuts", ()):
        amount = f": {row['sent']} of {row['of']}" if "of" in row else ""
        yield f"cut: {row['field']}{amount}{_behind(row, 'rest')}"
    if hidden := found.get(HIDDEN):
        yield f"{hidden} hidden characters were removed from texts"
    if cursor := found.get("nextCursor"):
        yield f'More: call again with cursor="{cursor}"'


def _behind(row: Mapping[str, Any], name: str) -> str:
    if not row.get(name):
        return ""
    return f" (the whole: {row[name]})" if name == "rest" else f" ({row[name]})"


def _unknown(met: Encoding) -> list[dict[str, str]]:
    """List the unknowns; equal ones of several items fold to one: `threads[*].resolved`."""
    by_reason: dict[tuple[str, str, str], list[Path]] = {}
    for path, value in met.unknown:
        by_reason.setdefault((_family(written(path)), value.reason, value.remedy), []).append(path)
    rows = []
    for (family, reason, remedy), paths in by_reason.items():
        row = {"field": family if len(paths) > 1 else written(paths[0]), "reason": reason, "remedy": remedy}
        rows.append({name: sendable(clean(text)) for name, text in row.items() if text or name != "remedy"})
    return rows


def _cuts(met: Encoding, structured: Mapping[str, Any]) -> list[dict[str, Any]]:
    """List the cuts; those of several items fold likewise, without how much of each is left."""
    by_rest: dict[tuple[str, str], list[Short]] = {}
    for short in met.cuts:
        rest = short.rest or _address(structured, short.path)
        by_rest.setdefault((_family(written(short.path)), _family(rest)), []).append(evolve(short, rest=rest))
    rows: list[dict[str, Any]] = []
    for (family, rests), shorts in by_rest.items():
        if len(shorts) > 1:
            row: dict[str, Any] = {"field": family, "rest": rests}
        else:
            (short,) = shorts
            row = {"field": written(short.path), "sent": short.left, "of": short.whole, "rest": short.rest}
        rows.append({name: value for name, value in row.items() if value != ""})
    return rows


def _address(structured: Any, path: Path) -> str:
    """Find the address of the innermost thing around a place that has one."""
    found, here = "", structured
    for depth, part in enumerate(path):
        if isinstance(here, Mapping):
            if isinstance(here.get(ADDRESS), str):
                found = written((*path[:depth], ADDRESS))
            here = here.get(part)
        elif isinstance(here, list):
            here = here[int(part)] if int(part) < len(here) else None
    return found


def _family(place: str) -> str:
    return NUMBER.sub("[*]", place)
