"""Compare the results of check-adr-alignment with the judged proposals in tests/archdocs/alignment."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from stithy_archdocs.adr.link_resolver import LinkResolver
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.statement_parser import parse_proposal, parse_record
from stithy_archdocs.alignment.verdicts import reach_verdicts
from stithy_archdocs.document_models import DocumentKind, DocumentSnapshot
from stithy_archdocs.documents.document_files import DocumentFile
from stithy_archdocs.documents.document_parser import parse_document

SET = Path(__file__).resolve().parents[2] / "tests/archdocs/alignment"
HALVES = ("building", "held")
CLASSES = ("supports", "conflicts", "related", "nothing")


@frozen
class Answer:
    """The result for one record of one proposal.

    Args:
        proposal: The proposal.
        record: File name of the record.
        wanted: Expected alignment and relation.
        said: Actual alignment and relation.
        unrelated: Whether no record concerns the proposal.
    """

    proposal: str
    record: str
    wanted: tuple[str, str]
    said: tuple[str, str]
    unrelated: bool


def answers(half: str, folder: Path = SET) -> Iterator[Answer]:
    """Iterate over the results of a half of the set, one for each record of each proposal."""
    lexicon = load_lexicon({})
    for item in tomllib.loads((folder / f"{half}.toml").read_text())["item"]:
        snapshot = parse_snapshot({name: (folder / "records" / name).read_bytes() for name in item["records"]})
        readings = [parse_record(document, lexicon) for document in snapshot.list_kind(DocumentKind.ADR)]
        proposal = parse_proposal(item["proposal"], lexicon)
        found = {one.document.path: one for one in reach_verdicts(snapshot, proposal, readings, lexicon)}
        for name in item["records"]:
            alignment, _, relation = item["expected"].get(name, "nothing/").partition("/")
            one = found.get(name)
            said = (one.alignment, one.relation) if one else ("nothing", "")
            yield Answer(item["proposal"], name, (alignment, relation), said, not item["expected"])


def parse_snapshot(files: dict[str, bytes]) -> DocumentSnapshot:
    """Parse files to a snapshot, as the server does."""
    found = {name: DocumentFile(path=name, below=name, kind=DocumentKind.ADR, stamp=()) for name in files}
    read = {name: parse_document(found[name], data) for name, data in files.items()}
    return DocumentSnapshot(version=1, documents=LinkResolver().resolve_all(read, {}, ()))


def confusion(given: Sequence[Answer]) -> Counter[tuple[str, str]]:
    """Count the pairs of expected and actual alignment."""
    return Counter((one.wanted[0], one.said[0]) for one in given)


def f1(counted: Counter[tuple[str, str]], one: str) -> float:
    """Return the F1 score of a class."""
    right = counted[one, one]
    wanted = sum(many for (was, _), many in counted.items() if was == one)
    said = sum(many for (_, told), many in counted.items() if told == one)
    return 2 * right / (wanted + said) if wanted + said else 1.0


def report(name: str, given: Sequence[Answer]) -> Iterator[str]:
    """Iterate over the lines of a report on a half of the set."""
    counted = confusion(given)
    yield f"{name}: {len(given)} answers"
    yield "  wanted \\ said  " + "".join(f"{one:>11}" for one in CLASSES) + "         F1"
    for was in CLASSES:
        yield f"  {was:<14}" + "".join(f"{counted[was, told]:>11}" for told in CLASSES) + f"{f1(counted, was):>11.2f}"
    four, three = (sum(f1(counted, one) for one in CLASSES[:many]) / many for many in (4, 3))
    yield f"  macro-F1 {four:.3f}; without nothing {three:.3f}"
    told = [one for one in given if one.wanted[0] != "nothing" and one.wanted[0] == one.said[0]]
    yield f"  relation right in {sum(one.wanted[1] == one.said[1] for one in told)} of {len(told)}"
    unrelated = [one for one in given if one.unrelated]
    yield f"  unrelated {len(unrelated)}, false {sum(one.said[0] != 'nothing' for one in unrelated)}"
