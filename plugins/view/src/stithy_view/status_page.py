"""The page of the server's state: plugins, forges, calls and jobs. It has no script."""

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from html import escape

from stithy_core.spi import Scope
from stithy_view.report_page import read_page

PLUGIN_COLUMNS = ("Plugin", "State", "Cause and remedy")
FORGE_COLUMNS = ("Forge", "Kind", "Address", "Requests", "Retries", "Withheld", "Left of rate limits")
CALL_COLUMNS = ("Tool", "Calls", "Failures", "Timeouts", "Median (ms)", "95 % within (ms)")


async def create_status_page(scope: Scope) -> str:
    """Return the page as of now."""
    statistics = json.loads((await scope.resource("stithy://statistics")).body)
    plugins = (await scope.call_tool("list_plugins", {})).structured["plugins"]
    sections = [
        _format_section("Pull request", _format_form()),
        _format_section("Calls", _format_table(CALL_COLUMNS, _list_calls(statistics["tools"]))),
        _format_section("Forges", _format_table(FORGE_COLUMNS, _list_forges(statistics["forges"]))),
        _format_section("Background", _format_background(statistics["jobs"], statistics["failed_services"])),
        _format_section("Plugins", _format_table(PLUGIN_COLUMNS, _list_plugins(plugins))),
    ]
    return _format_page("stithy: state of the server", "".join(sections))


def _list_calls(tools: dict[str, dict[str, float]]) -> Iterator[Sequence[object]]:
    for name, row in tools.items():
        yield name, row["invocations"], row["failures"], row["timeouts"], row["p50_ms"], row["p95_ms"]


def _list_forges(forges: dict[str, dict[str, object]]) -> Iterator[Sequence[object]]:
    for alias, row in forges.items():
        left = row["left"]
        assert isinstance(left, dict)
        limits = ", ".join(f"{limit}: {number:,}" for limit, number in left.items()) or "not reported"
        yield alias, row["kind"], row["url"], row["requests"], row["retries"], row["withheld"], limits


def _list_plugins(rows: Iterable[dict[str, object]]) -> Iterator[Sequence[object]]:
    for row in rows:
        offer = f" ({row['offer']})" if row.get("offer") else ""
        name = f"{row['distribution']} {row['version']} ({row['entry_point']})"
        yield name, row["state"], f"{row.get('cause', '')}{offer} {row.get('remedy', '')}".strip()


def _format_background(jobs: int, services: Sequence[str]) -> str:
    failed = f"Failed and will be started again: {escape(', '.join(services))}." if services else "No service failed."
    return f"<p>Running jobs: {jobs}. {failed}</p>"


def _format_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    if not body:
        return "<p>None yet.</p>"
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _format_form() -> str:
    return (
        '<form action="/ui/pull-request"><label>owner/repo#123, or its URL <input name="pr" required size="40"></label>'
        " <button>Show</button></form>"
    )


def _format_section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _format_page(title: str, content: str) -> str:
    style = _read_style()
    policy = f"default-src 'none'; style-src '{_format_hash(style)}'; base-uri 'none'; form-action 'self'"
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f'<body><main><h1>{escape(title)}</h1><p class="quiet">Read {now}</p>{content}</main></body></html>'
    )


@cache
def _read_style() -> str:
    """Return the style of the pull request's page."""
    found = re.search(r"<style>(.*?)</style>", read_page(), re.DOTALL)
    assert found is not None
    return found[1]


def _format_hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
