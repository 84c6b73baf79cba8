"""A picture of the decisions and their relations: Mermaid, or SVG by Graphviz."""

import shutil
import subprocess
from collections.abc import Iterable, Sequence

from attrs import frozen

from stithy_archdocs.records import Document, Kind, Shelf, State

MOST = 200
"""How many records are drawn at most; those with relations come first."""

_TITLE = 60
_SECONDS = 20
_STYLES = {
    State.ACCEPTED: "#d5f5d5", State.IMPLEMENTED: "#d5f5d5", State.PROPOSED: "#fff3c4", State.DRAFT: "#fff3c4",
    State.ON_HOLD: "#fff3c4", State.REJECTED: "#f8d0d0", State.DEPRECATED: "#e0e0e0", State.SUPERSEDED: "#e0e0e0",
    State.UNKNOWN: "#ffffff",
}  # fmt: skip


@frozen
class Graph:
    """What is drawn.

    Args:
        records: The records, by path.
        edges: From, relation, to; every relation once, in the direction of who came later.
        left_out: How many records are not drawn.
    """

    records: Sequence[Document]
    edges: Sequence[tuple[int, str, int]]
    left_out: int


class NoGraphviz(Exception):
    """Graphviz is not there, or it failed."""


def graph(shelf: Shelf, *, most: int = MOST) -> Graph:
    """Choose what is drawn: records with relations first, then the others, by path."""
    records = shelf.of(Kind.ADR)
    pairs = sorted({pair for document in records for pair in _pairs(document)})
    linked = {path for early, _, late in pairs for path in (early, late)}
    chosen = sorted(
        sorted(records, key=lambda one: (one.path not in linked, one.path))[:most], key=lambda one: one.path
    )
    places = {document.path: index for index, document in enumerate(chosen)}
    edges = [(places[one], word, places[other]) for one, word, other in pairs if one in places and other in places]
    return Graph(chosen, edges, len(records) - len(chosen))


def _pairs(document: Document) -> Iterable[tuple[str, str, str]]:
    for link in document.decision.links if document.decision else ():
        if link.target is None or link.relation == "related":
            continue
        word = {"superseded_by": "supersedes", "amended_by": "amends"}.get(link.relation, link.relation)
        word = f"partly {word}" if link.partial else word
        pair = (
            (document.path, link.target) if link.relation in ("supersedes", "amends") else (link.target, document.path)
        )
        yield pair[0], word, pair[1]


def mermaid(drawn: Graph) -> str:
    """Draw as Mermaid: a flow chart whose boxes are coloured by how the decisions stand."""
    lines = ["flowchart LR"]
    lines += [f'  r{index}["{_escaped(_label(one))}"]:::{_state(one).value}' for index, one in enumerate(drawn.records)]
    lines += [f"  r{one} -->|{word}| r{other}" for one, word, other in drawn.edges]
    used = dict.fromkeys(_state(one) for one in drawn.records)
    lines += [f"  classDef {state.value} fill:{_STYLES[state]},stroke:#555,color:#000" for state in used]
    if drawn.left_out:
        lines.append(f"  %% {drawn.left_out} more records are not drawn")
    return "\n".join(lines) + "\n"


def dot(drawn: Graph) -> str:
    """Write the picture in Graphviz's language."""
    lines = ["digraph decisions {", "  rankdir=LR;", '  node [shape=box, style=filled, fontname="sans-serif"];']
    for index, one in enumerate(drawn.records):
        lines.append(f'  r{index} [label="{_quoted(_label(one))}", fillcolor="{_STYLES[_state(one)]}"];')
    lines += [f'  r{one} -> r{other} [label="{word}"];' for one, word, other in drawn.edges]
    return "\n".join([*lines, "}"]) + "\n"


def svg(drawn: Graph) -> str:
    """Draw as SVG.

    Raises:
        NoGraphviz: Graphviz's `dot` is not on PATH, failed, or took too long.
    """
    program = shutil.which("dot")
    if program is None:
        raise NoGraphviz("Graphviz is not installed: there is no program `dot`; --mermaid needs none")
    try:
        run = subprocess.run(  # noqa: S603 -- found on PATH, no shell, our own text on its input
            [program, "-Tsvg"], input=dot(drawn).encode(), capture_output=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise NoGraphviz(f"`dot` failed: {error}") from error
    return run.stdout.decode(errors="replace")


def _label(document: Document) -> str:
    number = f"{document.decision.numbers[0]}. " if document.decision and document.decision.numbers else ""
    title = " ".join(document.title.split())
    return number + (title if len(title) <= _TITLE else title[: _TITLE - 1] + "…")


def _state(document: Document) -> State:
    return document.decision.status.state if document.decision else State.UNKNOWN


def _escaped(text: str) -> str:
    """Write every character that is no letter, digit or plain mark as Mermaid's entity."""
    return "".join(one if one.isalnum() or one in " .,-_/'…" else f"#{ord(one)};" for one in text)


def _quoted(text: str) -> str:
    return "".join(one for one in text if one.isprintable()).replace("\\", "\\\\").replace('"', '\\"')
