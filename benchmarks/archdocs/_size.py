"""Benchmark one number of documents in a process of its own, and print the figures as JSON."""

import json
import re
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import partial
from logging import getLogger
from pathlib import Path
from statistics import quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.archdocs._documents import DocumentGenerator, write_records
from benchmarks.archdocs._plain import WholeDocumentIndex

from stithy_archdocs.archdocs_settings import ArchdocsSettings
from stithy_archdocs.document_models import DocumentSnapshot
from stithy_archdocs.documents.document_library import Library
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_archdocs.search.word_vectors import open_vectors

QUERIES = 300
UPDATES = 20
BEGINNING = 400
MANY = 8
PROJECT = Path(__file__).resolve().parents[2]
MS = 1_000


class Scope:
    """The part of a server's scope that a library needs."""

    log = getLogger("benchmark")

    def __init__(self, project_settings: ArchdocsSettings) -> None:
        self.project_settings = project_settings

    def settings(self, _: type) -> ArchdocsSettings:
        """Return the settings of the project."""
        return self.project_settings


def main() -> None:
    """Run the benchmark for the number of documents in the first argument, with word vectors after `--vectors`."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        records = list(write_records(root, int(sys.argv[1])))
        print(json.dumps(measure(root, records)))


def measure(root: Path, records: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """Return all figures; a record is its path, its title and a query."""
    before = measure_peak_memory()
    library = Library(Scope(ArchdocsSettings(root=root)))  # type: ignore[arg-type]
    reading, snapshot = measure_cpu(library.refresh)
    vectors = open_vectors() if "--vectors" in sys.argv else None
    with closing(SectionRanker(open_store(root / "index.sqlite"), vectors)) as ranker:
        indexing, _ = measure_cpu(lambda: fill_index(ranker, snapshot))
        after = measure_peak_memory()
        queries = [parse_query(query) for _, _, query in records[:: max(1, len(records) // QUERIES)]]
        times = [measure_cpu(partial(ranker.rank, snapshot, query, SearchFilters(), 10))[0] for query in queries]
        floor = WholeDocumentIndex((path, document.text) for path, document in snapshot.documents.items())
        floor_cut = quantiles([measure_cpu(partial(floor.rank, query, 10))[0] for query in queries], n=20)
        library.set_watched(on=True)
        library.get_snapshot_blocking()
        changes = records[:: len(records) // UPDATES][:UPDATES]
        updates = [measure_update(root, library, ranker, path) for path, _, _ in changes]
        small = len(records) <= 5_000  # noqa: PLR2004
        figures = measure_known_items(library, ranker, records) | measure_own_items() if small else {}
    cut = quantiles(times, n=20)
    seen, slow = (sorted(times) for times in zip(*updates, strict=True))
    return {
        "reading s": reading,
        "index s": indexing,
        "query p50 ms": cut[9] * MS,
        "query p95 ms": cut[18] * MS,
        "FTS5 alone, p50 ms": floor_cut[9] * MS,
        "FTS5 alone, p95 ms": floor_cut[18] * MS,
        "change found ms": seen[len(seen) // 2] * MS,
        "update ms": slow[len(slow) // 2] * MS,
        "update, slowest ms": slow[-1] * MS,
        "memory MB": after - before,
        "index MB": (root / "index.sqlite").stat().st_size / 1e6,
    } | figures


def fill_index(ranker: SectionRanker, snapshot: DocumentSnapshot) -> None:
    """Run queries until everything is indexed."""
    while ranker.rank(snapshot, parse_query("x"), SearchFilters(), 10).unread:
        pass


def measure_update(root: Path, library: Library, ranker: SectionRanker, path: str) -> tuple[float, float]:
    """Change a file, and return the CPU seconds of reading it, and of the first query."""
    file = root / path
    file.write_text(file.read_text() + "\nzeppelin\n")
    library.mark_changed([str(file)])
    reading, snapshot = measure_cpu(library.get_snapshot_blocking)
    return reading, measure_cpu(lambda: ranker.rank(snapshot, parse_query("zeppelin"), SearchFilters(), 10))[0]


def measure_known_items(
    library: Library, ranker: SectionRanker, records: Sequence[tuple[str, str, str]]
) -> dict[str, float]:
    """Query generated documents: by words of a paragraph and one other word, and by titles."""
    chance = DocumentGenerator(2).chance
    queries = [(path, query) for path, _, query in records[::4]]
    queries += [(path, " ".join(chance.sample(re.findall(r"\w+", title), 3))) for path, title, _ in records[1::4]]
    return measure_quality("made", library.refresh(), ranker, queries)


def measure_own_items() -> dict[str, float]:
    """Query this project's own documents: by three words from the beginning of each section."""
    settings = ArchdocsSettings(root=PROJECT, guidelines=("docs/*.md",))
    snapshot = Library(Scope(settings)).refresh()  # type: ignore[arg-type]
    chance, queries = DocumentGenerator(3).chance, []
    for path, document in sorted(snapshot.documents.items()):
        for section in document.sections:
            words = list(parse_query(section.text[:BEGINNING]).words)
            queries += [(path, " ".join(chance.sample(words, 3)))] if len(words) > MANY else []
    with closing(SectionRanker(open_store(None))) as ranker:
        return measure_quality("own", snapshot, ranker, queries)


def measure_quality(
    name: str, snapshot: DocumentSnapshot, ranker: SectionRanker, expected: Sequence[tuple[str, str]]
) -> dict[str, float]:
    """Return the share of queries whose expected document is first, or among the first ten: by section, by document."""
    plain = WholeDocumentIndex((path, document.text) for path, document in snapshot.documents.items())
    queries = [parse_query(text) for _, text in expected]
    both = {
        "sections": [
            [hit.document.path for hit in ranker.rank(snapshot, query, SearchFilters(), 10).hits] for query in queries
        ],
        "whole": [plain.rank(query, 10) for query in queries],
    }
    figures: dict[str, float] = {f"{name} items": len(expected)}
    for kind, results in both.items():
        pairs = zip(expected, results, strict=True)
        places = [rows.index(path) + 1 if path in rows else 0 for (path, _), rows in pairs]
        figures[f"{name}, {kind}: hit@1"] = sum(place == 1 for place in places) / len(places)
        figures[f"{name}, {kind}: hit@10"] = sum(place > 0 for place in places) / len(places)
        figures[f"{name}, {kind}: MRR@10"] = sum(1 / place for place in places if place) / len(places)
    return figures


def measure_cpu(work: Callable[[], Any]) -> tuple[float, Any]:
    """Run a function; return the seconds of CPU time, which other processes do not affect, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def measure_peak_memory() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_figures(values: Iterable[tuple[str, float]]) -> None:
    """Print figures."""
    for name, value in values:
        print(f"  {name:<26}{value:>10.3f}" if value < 1 else f"  {name:<26}{value:>10.1f}")


if __name__ == "__main__":
    main()
