"""Fit `weights.toml`: what each measure of a proposal and a record tells (`alignment/measuring`).

    python benchmarks/archdocs/fitting.py SET [SET ...] [--write]

A SET is a folder like tests/archdocs/alignment: a folder `records`, and TOML files whose items say what each record
should answer to a proposal; an item without `records` is asked of all of them. Each set is one group: the figures that
are printed are of answers by weights that were fitted on the other groups alone.

Needs scikit-learn, which nothing else does: `pip install scikit-learn`.
"""

import argparse
import math
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.archdocs._alignment import CLASSES, Answer, report, shelf_of

from stithy_archdocs.adr.supersession import get_effective_state, map_successors
from stithy_archdocs.alignment import odds
from stithy_archdocs.alignment.lexicon import lexicon_with
from stithy_archdocs.alignment.measuring.measures import Measures, compared
from stithy_archdocs.alignment.reading import read_proposal, read_record
from stithy_archdocs.alignment.weighing import GATED
from stithy_archdocs.document_models import DocumentKind

STRENGTH = 0.03
"""C of the regression: the smaller, the nearer to 0 the weights stay."""
COUNTS = {"judged": 1.0, "unrelated": 2.0, "beside": 0.03}
"""How much one answer counts: of a record that an item names, of one to an unrelated proposal, and of one beside those
that an item names, which nobody judged: mostly it has nothing to say."""
RELATED = 1.3
"""How much more one that is only related counts: there are few."""
CAUTION = 1.4
"""How much likelier "nothing" is made than it is: an answer to what is unrelated costs trust."""
FOLDS = 6


@frozen
class Example:
    """A proposal and a record: what was measured, and what should be answered."""

    group: str
    proposal: str
    record: str
    measures: Measures
    wanted: str
    kind: str
    gated: bool
    told: bool


def examples(folder: Path) -> Iterator[Example]:
    """Measure all items of a set."""
    lexicon = lexicon_with({})
    paths = {path.name: path for path in sorted((folder / "records").iterdir())}
    read: dict[tuple[str, ...], Any] = {}
    for item in (one for path in sorted(folder.glob("*.toml")) for one in tomllib.loads(path.read_text())["item"]):
        names = tuple(item.get("records", paths))
        if names not in read:
            snapshot = shelf_of({name: paths[name].read_bytes() for name in names})
            after = map_successors(snapshot)
            gated = {
                one.path: get_effective_state(snapshot, one, after) in GATED
                for one in snapshot.list_kind(DocumentKind.ADR)
            }
            read[names] = [read_record(one, lexicon) for one in snapshot.list_kind(DocumentKind.ADR)], gated
        readings, gated = read[names]
        for one in compared(read_proposal(item["proposal"], lexicon), readings, lexicon):
            path, numbers = one.reading.document.path, one.measures
            said = item["expected"].get(path, "nothing/").partition("/")[0]
            kind = "judged" if path in item["expected"] else "beside" if item["expected"] else "unrelated"
            told = not numbers.keys().isdisjoint(("any supports", "any conflicts"))
            yield Example(folder.name, item["proposal"], path, numbers, said, kind, gated[path], told)


def fitted(given: Sequence[Example]) -> Mapping[str, list[float]]:
    """Fit the weights.

    What a record that does not hold should answer is no matter of weights; and one that nobody judged, though a rule
    tells something of it, may well have something to say.
    """
    kept = [one for one in given if not (one.gated if one.kind == "judged" else one.kind == "beside" and one.told)]
    table = DictVectorizer(sparse=False)
    values = table.fit_transform([one.measures for one in kept])
    scaler = StandardScaler().fit(values[[one.kind == "judged" for one in kept]])
    scaler.scale_ = np.maximum(scaler.scale_, 0.02)
    counts = [COUNTS[one.kind] * (RELATED if one.wanted == "related" else 1) for one in kept]
    model = LogisticRegression(C=STRENGTH, max_iter=400, tol=1e-3)
    model.fit(scaler.transform(values), [one.wanted for one in kept], sample_weight=counts)
    order = [list(model.classes_).index(one) for one in CLASSES]
    raw = (model.coef_ / scaler.scale_)[order]
    bias = model.intercept_[order] - raw @ scaler.mean_
    bias[CLASSES.index("nothing")] += math.log(CAUTION)
    rows = zip(("bias", *table.get_feature_names_out()), np.column_stack((bias, raw)).T, strict=True)
    return {str(name): [round(float(one), 4) for one in row] for name, row in rows}


def asked(weights: Mapping[str, Sequence[float]], given: Sequence[Example]) -> Iterator[Answer]:
    """Give the answers of weights: one of each judged record, and one to each unrelated proposal."""
    unrelated: dict[tuple[str, str], str] = {}
    for one in given:
        said = odds.answer(odds.odds(one.measures, weights), one.measures, holds=not one.gated)
        if one.gated and said != "nothing":
            said = "related"
        if one.kind == "unrelated":
            key = one.group, one.proposal
            unrelated[key] = said if unrelated.get(key, "nothing") == "nothing" else unrelated[key]
        elif one.kind == "judged":
            yield Answer(one.proposal, one.record, (one.wanted, ""), (said, ""), unrelated=False)
    for (_, proposal), said in unrelated.items():
        yield Answer(proposal, "", ("nothing", ""), (said, ""), unrelated=True)


def crossed(given: Sequence[Example]) -> Iterator[Answer]:
    """Give the answers of weights that were fitted on other groups."""
    groups = sorted({one.group for one in given})
    for fold in range(FOLDS):
        left = set(groups[fold::FOLDS])
        weights = fitted([one for one in given if one.group not in left])
        yield from asked(weights, [one for one in given if one.group in left])


def main() -> None:
    """Fit, print what the weights are worth, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--held", nargs="*", type=Path, default=[], help="sets to ask that nothing is fitted on")
    parser.add_argument("--write", action="store_true", help="write weights.toml")
    args = parser.parse_args()
    given = [one for folder in args.sets for one in examples(folder)]
    if len(args.sets) >= FOLDS:
        print("\n".join(report("each answer by weights of other sets", list(crossed(given)))))
    weights = fitted(given)
    held = [one for folder in args.held for one in examples(folder)]
    if held:
        print("\n".join(report("held out", list(asked(weights, held)))))
    if args.write:
        rows = "\n".join(f'"{name}" = {row}' for name, row in weights.items())
        judged = sum(one.kind == "judged" for one in given)
        unrelated = len({(one.group, one.proposal) for one in given if one.kind == "unrelated"})
        about = (
            f"# Made by benchmarks/archdocs/fitting.py from {judged} judged records and {unrelated} unrelated proposals"
            f" of {len(args.sets)} sets."
        )
        odds.WEIGHTS.write_text(f"{about}\n# Each measure: what it tells for {', '.join(CLASSES)}.\n{rows}\n")


if __name__ == "__main__":
    main()
