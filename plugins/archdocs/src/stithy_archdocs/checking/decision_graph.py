"""Select the decision records and relations of a picture, and draw them as Mermaid."""

from collections.abc import Iterable, Sequence

from attrs import frozen

from stithy_archdocs.document_models import DecisionState, Document, DocumentKind, DocumentSnapshot

MOST = 200
"""Maximum number of records; those with relations come first."""

_TITLE = 60
_STYLES = {
    DecisionState.ACCEPTED: "#d5f5d5",
    DecisionState.IMPLEMENTED: "#d5f5d5",
    DecisionState.PROPOSED: "#fff3c4",
    DecisionState.DRAFT: "#fff3c4",
    DecisionState.ON_HOLD: "#fff3c4",
    DecisionState.REJECTED: "#f8d0d0",
    DecisionState.DEPRECATED: "#e0e0e0",
    DecisionState.SUPERSEDED: "#e0e0e0",
    DecisionState.UNKNOWN: "#ffffff",
}


@frozen
class DecisionGraph:
    """The records and relations to draw.

    Args:
        records: The records, by path.
        edges: Triples of index, relation and index; each relation once, from the later record to the earlier one.
        left_out: Number of records that are not drawn.
    """

    records: Sequence[Document]
    edges: Sequence[tuple[int, str, int]]
    left_out: int


def build_graph(snapshot: DocumentSnapshot, *, most: int = MOST) -> DecisionGraph:
    """Select the records to draw: those with relations first, then the others by path."""
    records = snapshot.list_kind(DocumentKind.ADR)
    pairs = sorted({pair for document in records for pair in _iterate_edges(document)})
    linked = {path for early, _, late in pairs for path in (early, late)}
    chosen = sorted(
        sorted(records, key=lambda one: (one.path not in linked, one.path))[:most], key=lambda one: one.path
    )
    places = {document.path: index for index, document in enumerate(chosen)}
    edges = [(places[one], word, places[other]) for one, word, other in pairs if one in places and other in places]
    return DecisionGraph(chosen, edges, len(records) - len(chosen))


def _iterate_edges(document: Document) -> Iterable[tuple[str, str, str]]:
    for link in document.decision.links if document.decision else ():
        if link.target is None or link.relation == "related":
            continue
        word = {"superseded_by": "supersedes", "amended_by": "amends"}.get(link.relation, link.relation)
        word = f"partly {word}" if link.partial else word
        pair = (
            (document.path, link.target) if link.relation in ("supersedes", "amends") else (link.target, document.path)
        )
        yield pair[0], word, pair[1]


def draw_mermaid(drawn: DecisionGraph) -> str:
    """Draw a Mermaid flow chart whose nodes are coloured by status."""
    lines = ["flowchart LR"]
    lines += [
        f'  r{index}["{_escape_mermaid(make_label(one))}"]:::{get_state(one).value}'
        for index, one in enumerate(drawn.records)
    ]
    lines += [f"  r{one} -->|{word}| r{other}" for one, word, other in drawn.edges]
    used = dict.fromkeys(get_state(one) for one in drawn.records)
    lines += [f"  classDef {state.value} fill:{_STYLES[state]},stroke:#555,color:#000" for state in used]
    if drawn.left_out:
        lines.append(f"  %% {drawn.left_out} records are not drawn")
    return "\n".join(lines) + "\n"


def make_label(document: Document) -> str:
    """Return the number and the title of a record, shortened."""
    number = f"{document.decision.numbers[0]}. " if document.decision and document.decision.numbers else ""
    title = " ".join(document.title.split())
    return number + (title if len(title) <= _TITLE else title[: _TITLE - 1] + "…")


def get_state(document: Document) -> DecisionState:
    """Return the state of a record; unknown without a status."""
    return document.decision.status.state if document.decision else DecisionState.UNKNOWN


def _escape_mermaid(text: str) -> str:
    """Replace every character except letters, digits and plain punctuation with a Mermaid entity."""
    return "".join(one if one.isalnum() or one in " .,-_/'…" else f"#{ord(one)};" for one in text)
