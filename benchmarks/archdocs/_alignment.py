"""Measure check-adr-alignment on judged proposals: whether it shows the record that matters, and its verdicts."""

import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from attrs import frozen
from benchmarks.archdocs._size import MS, Scope, fill_index

from stithy_archdocs.alignment.alignment_answer import make_answer, measure_size
from stithy_archdocs.alignment.alignment_tool import compare_proposal
from stithy_archdocs.alignment.technology_names import load_technologies
from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SectionRanker
from stithy_archdocs.search.word_vectors import VectorLoader
from stithy_archdocs.tools import CheckAlignment

OWN_SET = Path(__file__).resolve().parents[2] / "tests/archdocs/alignment"
HALVES = ("building", "held")
NAMES = load_technologies({})


@frozen
class Judged:
    """The answer to one judged proposal.

    Args:
        expected: The expected alignment of records, by the beginnings of their paths.
        shown: The paths of the shown records with their alignment, in order.
        size: Bytes of the answer, as JSON.
        cpu: Seconds of CPU time.
    """

    expected: Mapping[str, str]
    shown: Mapping[str, str]
    size: int
    cpu: float

    def find_place(self, path: str) -> int:
        """Return the place of an expected record, from 1; 0 if it is not shown."""
        return next((place for place, one in enumerate(self.shown, 1) if one.startswith(path)), 0)

    def expect(self, path: str) -> str:
        """Return the expected alignment of a shown record."""
        return next((alignment for start, alignment in self.expected.items() if path.startswith(start)), "")


def judge_own_set(half: str) -> Iterator[Judged]:
    """Iterate over the answers for a half of the set of the tests, in which each proposal has records of its own."""
    for item in tomllib.loads((OWN_SET / f"{half}.toml").read_text())["item"]:
        with TemporaryDirectory() as folder:
            records = Path(folder) / "docs/adr"
            records.mkdir(parents=True)
            for name in item["records"]:
                (records / name).write_bytes((OWN_SET / "records" / name).read_bytes())
            yield from judge_project(Path(folder), [item])


def judge_project(
    root: Path, items: Sequence[Mapping[str, Any]], vectors: VectorLoader | None = None
) -> Iterator[Judged]:
    """Iterate over the answers for the judged proposals of one project, with or without word vectors."""
    snapshot = Library(Scope(ArchdocsSettings(root=root))).refresh()  # type: ignore[arg-type]
    with closing(SectionRanker(open_store(None), vectors)) as index:
        fill_index(index, snapshot)
        for item in items:
            begun = time.process_time()
            verdicts, _ = compare_proposal(
                index, snapshot, CheckAlignment(decision_description=item["proposal"]), NAMES
            )
            cpu = time.process_time() - begun
            answer = make_answer(verdicts, compared=len(snapshot.documents))
            expected = {f"docs/adr/{name}": text.partition("/")[0] for name, text in item["expected"].items()}
            shown = {row.path: row.alignment for row in answer.related_adrs}
            yield Judged(expected, shown, measure_size(answer), cpu)


def format_report(name: str, judged: Sequence[Judged]) -> Iterator[str]:
    """Iterate over the lines of a report."""
    yield f"{name}: {len(judged)} proposals"
    for alignment in ("conflicts", "supports"):
        pairs = [(one, path) for one in judged for path, wanted in one.expected.items() if wanted == alignment]
        places = [one.find_place(path) for one, path in pairs]
        recall = ", ".join(f"@{most} {_share([0 < at <= most for at in places])}" for most in (1, 3, 5))
        yield f"  records of {alignment}: {len(places)}; recall {recall}"
    verdicts = Counter(
        (alignment, one.expect(path) == alignment)
        for one in judged
        for path, alignment in one.shown.items()
        if alignment != "related"
    )
    for alignment in ("conflicts", "supports"):
        right, wrong = verdicts[alignment, True], verdicts[alignment, False]
        yield f"  verdicts {alignment}: {right + wrong}, wrong {wrong}"
    unrelated = [one for one in judged if not one.expected]
    false = sum({"supports", "conflicts"} & set(one.shown.values()) != set() for one in unrelated)
    yield f"  unrelated proposals: {len(unrelated)}, with a verdict {false}"
    sizes, times = sorted(one.size for one in judged), sorted(one.cpu for one in judged)
    middle, high = len(judged) // 2, int(len(judged) * 0.95)
    yield f"  bytes: p50 {sizes[middle]}, p95 {sizes[high]}, most {sizes[-1]}"
    yield f"  CPU ms: p50 {times[middle] * MS:.0f}, p95 {times[high] * MS:.0f}"


def _share(values: Sequence[bool]) -> str:
    return f"{sum(values) / len(values):.3f}" if values else "-"
