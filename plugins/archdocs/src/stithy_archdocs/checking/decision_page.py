"""The decision records as a picture and as a table: the page `/ui/decisions`, and files. They have no script."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape

from stithy_archdocs.checking.decision_graph import DecisionGraph, build_graph, get_state, make_label
from stithy_archdocs.documents.document_library import Library
from stithy_core.spi import Context, Request, Response, format_count

ROW = 28
"""Height of a record in the picture, in pixels."""
ARCS = 140
"""Width of the arcs beside the records."""
WIDTH = 760
STYLE = """
:root { color-scheme: light dark; }
body { margin: 1rem auto; padding: 0 1rem; max-width: 62rem; font: 0.9375rem/1.5 system-ui, sans-serif;
  color: light-dark(#1b1f24, #e9ecef); background: light-dark(#ffffff, #15181c); overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; }
text { fill: light-dark(#1b1f24, #e9ecef); font: 14px system-ui, sans-serif; }
path { fill: none; stroke: light-dark(#555c66, #a9b1bb); stroke-width: 1.5; }
circle { fill: light-dark(#0b57c2, #7db4ff); }
.past text { fill: light-dark(#5f666f, #9aa2ac); text-decoration: line-through; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 0.25rem 0.5rem 0.25rem 0;
  border-bottom: 1px solid light-dark(#cfd4da, #3d444d); }
"""
POLICY = f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": f"{POLICY}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
PAST = frozenset({"superseded", "rejected", "deprecated"})


async def show_decisions(ctx: Context, request: Request) -> Response:  # noqa: ARG001 -- a handler's signature
    """Answer with the page of the decision records as they are now."""
    drawn = build_graph(await ctx.thread(ctx.shared(Library).refresh))
    return Response(body=format_page(drawn).encode(errors="replace"), headers=HEADERS)


def format_page(drawn: DecisionGraph) -> str:
    """Return the page of a graph."""
    left_out = f"<p>{drawn.left_out} records without relations are not shown.</p>" if drawn.left_out else ""
    content = draw_arcs(drawn) + _format_table(drawn) if drawn.records else "<p>There are no decision records.</p>"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Decision records</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{STYLE}</style></head><body><main><h1>Decision records</h1>{left_out}{content}</main></body></html>"
    )


def draw_arcs(drawn: DecisionGraph) -> str:
    """Return SVG: a row for each record, and an arc for each relation."""
    height = len(drawn.records) * ROW
    label = f"{format_count(len(drawn.records), 'decision record')} and {format_count(len(drawn.edges), 'relation')}"
    arcs = "".join(_draw_arc(one, word, other) for one, word, other in drawn.edges)
    rows = "".join(_draw_row(drawn, index) for index in range(len(drawn.records)))
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return f'<svg {size} role="img" aria-label="{label}">{arcs}{rows}</svg>'


def draw_svg(drawn: DecisionGraph) -> str:
    """Return the picture as a file of its own, with the style that the page has."""
    picture = draw_arcs(drawn)
    head, _, rest = picture.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{STYLE}</style>{rest}\n'


def _draw_arc(one: int, word: str, other: int) -> str:
    first, second = (_find_middle(index) for index in (one, other))
    bow = min(ARCS - 10, 20 + abs(second - first) // 3)
    line = f"M {ARCS} {first} C {ARCS - bow} {first}, {ARCS - bow} {second}, {ARCS} {second}"
    return f'<path d="{line}"><title>{escape(word)}</title></path>'


def _draw_row(drawn: DecisionGraph, index: int) -> str:
    record, middle = drawn.records[index], _find_middle(index)
    kind = ' class="past"' if get_state(record).value in PAST else ""
    text = f'<text x="{ARCS + 12}" y="{middle + 5}">{escape(make_label(record))}</text>'
    return f'<g{kind}><circle cx="{ARCS}" cy="{middle}" r="4"/>{text}</g>'


def _find_middle(index: int) -> int:
    return index * ROW + ROW // 2


def _format_table(drawn: DecisionGraph) -> str:
    head = '<tr><th scope="col">Record</th><th scope="col">Status</th><th scope="col">Relations</th></tr>'
    rows = "".join(
        f"<tr><td>{escape(make_label(record))}</td><td>{escape(get_state(record).value)}</td>"
        f"<td>{escape('; '.join(_list_relations(drawn, index)))}</td></tr>"
        for index, record in enumerate(drawn.records)
    )
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _list_relations(drawn: DecisionGraph, index: int) -> Iterator[str]:
    for one, word, other in drawn.edges:
        if one == index:
            yield f"{word} {make_label(drawn.records[other])}"
