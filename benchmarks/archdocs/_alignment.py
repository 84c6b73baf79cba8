"""Compare the results of check-adr-alignment with the judged proposals in tests/archdocs/alignment."""

import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import frozen

from stithy_archdocs.adr.link_resolver import LinkResolver
from stithy_archdocs.alignment.alignment_verdicts import reach_verdicts
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.statement_parser import parse_proposal, parse_record
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
        expected: Expected alignment and relation.
        actual: Actual alignment and relation.
        unrelated: Whether no record concerns the proposal.
    """

    proposal: str
    record: str
    expected: tuple[str, str]
    actual: tuple[str, str]
    unrelated: bool


def iterate_answers(half: str, folder: Path = SET) -> Iterator[Answer]:
    """Iterate over the results of a half of the set, one for each record of each proposal."""
    lexicon = load_lexicon({})
    for item in tomllib.loads((folder / f"{half}.toml").read_text())["item"]:
        snapshot = parse_snapshot({name: (folder / "records" / name).read_bytes() for name in item["records"]})
        readings = [parse_record(document, lexicon) for document in snapshot.list_kind(DocumentKind.ADR)]
        proposal = parse_proposal(item["proposal"], lexicon)
        verdicts = {one.document.path: one for one in reach_verdicts(snapshot, proposal, readings, lexicon)}
        for name in item["records"]:
            alignment, _, relation = item["expected"].get(name, "nothing/").partition("/")
            one = verdicts.get(name)
            actual = (one.alignment, one.relation) if one else ("nothing", "")
            yield Answer(item["proposal"], name, (alignment, relation), actual, not item["expected"])


def parse_snapshot(files: dict[str, bytes]) -> DocumentSnapshot:
    """Parse files to a snapshot, as the server does."""
    paths = {name: DocumentFile(path=name, below=name, kind=DocumentKind.ADR, stamp=()) for name in files}
    documents = {name: parse_document(paths[name], data) for name, data in files.items()}
    return DocumentSnapshot(version=1, documents=LinkResolver().resolve_all(documents, {}, ()))


def count_confusions(answers: Sequence[Answer]) -> Counter[tuple[str, str]]:
    """Count the pairs of expected and actual alignment."""
    return Counter((one.expected[0], one.actual[0]) for one in answers)


def compute_f1(counts: Counter[tuple[str, str]], one: str) -> float:
    """Return the F1 score of a class."""
    correct = counts[one, one]
    expected = sum(many for (name, _), many in counts.items() if name == one)
    actual = sum(many for (_, name), many in counts.items() if name == one)
    return 2 * correct / (expected + actual) if expected + actual else 1.0


def format_report(name: str, answers: Sequence[Answer]) -> Iterator[str]:
    """Iterate over the lines of a report on a half of the set."""
    counts = count_confusions(answers)
    yield f"{name}: {len(answers)} answers"
    yield "  wanted \\ said  " + "".join(f"{one:>11}" for one in CLASSES) + "         F1"
    for row in CLASSES:
        cells = "".join(f"{counts[row, column]:>11}" for column in CLASSES)
        yield f"  {row:<14}{cells}{compute_f1(counts, row):>11.2f}"
    four, three = (sum(compute_f1(counts, one) for one in CLASSES[:many]) / many for many in (4, 3))
    yield f"  macro-F1 {four:.3f}; without nothing {three:.3f}"
    aligned = [one for one in answers if one.expected[0] != "nothing" and one.expected[0] == one.actual[0]]
    yield f"  relation right in {sum(one.expected[1] == one.actual[1] for one in aligned)} of {len(aligned)}"
    unrelated = [one for one in answers if one.unrelated]
    yield f"  unrelated {len(unrelated)}, false {sum(one.actual[0] != 'nothing' for one in unrelated)}"
