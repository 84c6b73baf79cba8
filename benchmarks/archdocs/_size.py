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

from benchmarks.archdocs._documents import Made, write
from benchmarks.archdocs._plain import Plain

from stithy_archdocs.document_models import DocumentSnapshot
from stithy_archdocs.documents.library import Library
from stithy_archdocs.search.search_query import parse_query
from stithy_archdocs.search.section_index import open_store
from stithy_archdocs.search.section_ranking import SearchFilters, SectionRanker
from stithy_archdocs.settings import ArchdocsSettings

ASKED = 300
UPDATES = 20
BEGINNING = 400
MANY = 8
PROJECT = Path(__file__).resolve().parents[2]
MS = 1_000


class Scope:
    """The part of a server's scope that a library needs."""

    log = getLogger("benchmark")

    def __init__(self, given: ArchdocsSettings) -> None:
        self.given = given

    def settings(self, _: type) -> ArchdocsSettings:
        """Return the settings of the project."""
        return self.given


def main() -> None:
    """Run the benchmark for the number of documents in the first argument."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        made = list(write(root, int(sys.argv[1])))
        print(json.dumps(measured(root, made)))


def measured(root: Path, made: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """Return all figures."""
    before = memory()
    library = Library(Scope(ArchdocsSettings(root=root)))  # type: ignore[arg-type]
    reading, snapshot = timed(library.refresh)
    with closing(SectionRanker(open_store(root / "index.sqlite"))) as ranker:
        indexing, _ = timed(lambda: indexed(ranker, snapshot))
        after = memory()
        asked = [parse_query(question) for _, _, question in made[:: max(1, len(made) // ASKED)]]
        times = [timed(partial(ranker.rank, snapshot, query, SearchFilters(), 10))[0] for query in asked]
        library.set_watched(on=True)
        library.get_snapshot_blocking()
        updates = [update(root, library, ranker, path) for path, _, _ in made[:: len(made) // UPDATES][:UPDATES]]
        figures = known_items(library, ranker, made) | own_items() if len(made) <= 5_000 else {}  # noqa: PLR2004
    cut = quantiles(times, n=20)
    seen, slow = (sorted(times) for times in zip(*updates, strict=True))
    return {
        "reading s": reading,
        "index s": indexing,
        "query p50 ms": cut[9] * MS,
        "query p95 ms": cut[18] * MS,
        "change found ms": seen[len(seen) // 2] * MS,
        "update ms": slow[len(slow) // 2] * MS,
        "update, slowest ms": slow[-1] * MS,
        "memory MB": after - before,
        "index MB": (root / "index.sqlite").stat().st_size / 1e6,
    } | figures


def indexed(ranker: SectionRanker, snapshot: DocumentSnapshot) -> None:
    """Run queries until everything is indexed."""
    while ranker.rank(snapshot, parse_query("x"), SearchFilters(), 10).missing:
        pass


def update(root: Path, library: Library, ranker: SectionRanker, path: str) -> tuple[float, float]:
    """Change a file, and return the seconds until it is read, and until the first query is answered."""
    file = root / path
    file.write_text(file.read_text() + "\nzeppelin\n")
    library.mark_changed([str(file)])
    looking, snapshot = timed(library.get_snapshot_blocking)
    return looking, timed(lambda: ranker.rank(snapshot, parse_query("zeppelin"), SearchFilters(), 10))[0]


def known_items(library: Library, ranker: SectionRanker, made: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """Query generated documents: by words of a paragraph and one other word, and by titles."""
    chance = Made(2).chance
    wanted = [(path, question) for path, _, question in made[::4]]
    wanted += [(path, " ".join(chance.sample(re.findall(r"\w+", title), 3))) for path, title, _ in made[1::4]]
    return quality("made", library.refresh(), ranker, wanted)


def own_items() -> dict[str, float]:
    """Query this project's own documents: by three words from the beginning of each section."""
    settings = ArchdocsSettings(root=PROJECT, guidelines=("docs/*.md",))
    snapshot = Library(Scope(settings)).refresh()  # type: ignore[arg-type]
    chance, wanted = Made(3).chance, []
    for path, document in sorted(snapshot.documents.items()):
        for section in document.sections:
            words = list(parse_query(section.text[:BEGINNING]).words)
            wanted += [(path, " ".join(chance.sample(words, 3)))] if len(words) > MANY else []
    with closing(SectionRanker(open_store(None))) as ranker:
        return quality("own", snapshot, ranker, wanted)


def quality(
    name: str, snapshot: DocumentSnapshot, ranker: SectionRanker, wanted: Sequence[tuple[str, str]]
) -> dict[str, float]:
    """Return how often the first result, or the first ten, have the expected document: by section, by document."""
    plain = Plain((path, document.text) for path, document in snapshot.documents.items())
    queries = [parse_query(text) for _, text in wanted]
    both = {
        "sections": [
            [hit.document.path for hit in ranker.rank(snapshot, query, SearchFilters(), 10).hits] for query in queries
        ],
        "whole": [plain.rank(query, 10) for query in queries],
    }
    figures: dict[str, float] = {f"{name} items": len(wanted)}
    for kind, found in both.items():
        places = [rows.index(path) + 1 if path in rows else 0 for (path, _), rows in zip(wanted, found, strict=True)]
        figures[f"{name}, {kind}: hit@1"] = sum(place == 1 for place in places) / len(places)
        figures[f"{name}, {kind}: hit@10"] = sum(place > 0 for place in places) / len(places)
        figures[f"{name}, {kind}: MRR@10"] = sum(1 / place for place in places if place) / len(places)
    return figures


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Run a function; return the seconds of CPU time, which other processes do not affect, and its result."""
    start = time.process_time()
    done = work()
    return time.process_time() - start, done


def memory() -> float:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def shown(values: Iterable[tuple[str, float]]) -> None:
    """Print figures."""
    for name, value in values:
        print(f"  {name:<26}{value:>10.3f}" if value < 1 else f"  {name:<26}{value:>10.1f}")


if __name__ == "__main__":
    main()
