"""Measures one size in a process of its own, and prints the figures as JSON."""

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
    """What a library asks of its server."""

    log = getLogger("benchmark")

    def __init__(self, given: ArchdocsSettings) -> None:
        self.given = given

    def settings(self, _: type) -> ArchdocsSettings:
        """Give the settings of the project."""
        return self.given


def main() -> None:
    """Measure what the first argument says: a number of documents."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        made = list(write(root, int(sys.argv[1])))
        print(json.dumps(measured(root, made)))


def measured(root: Path, made: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """Give all figures of one size."""
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
    """Ask until all is in the index."""
    while ranker.rank(snapshot, parse_query("x"), SearchFilters(), 10).missing:
        pass


def update(root: Path, library: Library, ranker: SectionRanker, path: str) -> tuple[float, float]:
    """Change a file and tell of it, as the watcher does, and say how long reading it takes, and the first answer."""
    file = root / path
    file.write_text(file.read_text() + "\nzeppelin\n")
    library.mark_changed([str(file)])
    looking, snapshot = timed(library.get_snapshot_blocking)
    return looking, timed(lambda: ranker.rank(snapshot, parse_query("zeppelin"), SearchFilters(), 10))[0]


def known_items(library: Library, ranker: SectionRanker, made: Sequence[tuple[str, str, str]]) -> dict[str, float]:
    """Ask for the documents that were made: by words of a paragraph and one that is not in it, and by titles."""
    chance = Made(2).chance
    wanted = [(path, question) for path, _, question in made[::4]]
    wanted += [(path, " ".join(chance.sample(re.findall(r"\w+", title), 3))) for path, title, _ in made[1::4]]
    return quality("made", library.refresh(), ranker, wanted)


def own_items() -> dict[str, float]:
    """Ask for this project's own documents: by three words of the beginning of each section."""
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
    """Say how often the first answer and the first ten have what is wanted: by sections, and by whole documents."""
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
    """Run something, and say how many seconds of CPU it took: nothing here waits, and neighbours do not count."""
    start = time.process_time()
    done = work()
    return time.process_time() - start, done


def memory() -> float:
    """Give the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def shown(values: Iterable[tuple[str, float]]) -> None:
    """Print figures."""
    for name, value in values:
        print(f"  {name:<26}{value:>10.3f}" if value < 1 else f"  {name:<26}{value:>10.1f}")


if __name__ == "__main__":
    main()
