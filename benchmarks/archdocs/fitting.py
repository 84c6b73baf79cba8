"""Fit `weights.toml`: the weights of the features of a proposal and a record (`alignment/features.py`).

    python benchmarks/archdocs/fitting.py SET [SET ...] [--write]

A SET is a folder like tests/archdocs/alignment: a folder `records`, and TOML files whose items have the expected result
of each record for a proposal; an item without `records` applies to all of them. Each set is one group: the printed
figures are of results with weights that were fitted only to the other groups.

Only this script needs scikit-learn: `pip install scikit-learn`.
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

from benchmarks.archdocs._alignment import CLASSES, Answer, parse_snapshot, report

from stithy_archdocs.adr.supersession import get_effective_state, map_successors
from stithy_archdocs.alignment.features import Measures, compare_records
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.statement_parser import parse_proposal, parse_record
from stithy_archdocs.alignment.verdicts import GATED, WEIGHTS, choose_answer, compute_odds
from stithy_archdocs.document_models import DocumentKind

STRENGTH = 0.03
"""C of the regression: smaller values keep the weights closer to 0."""
COUNTS = {"judged": 1.0, "unrelated": 2.0, "beside": 0.03}
"""Weight of a sample by its kind.

"judged" is a record that an item judges, "unrelated" a record for an unrelated proposal, and "beside" another record of
an
item, which nobody judged and which mostly does not concern it.
"""
RELATED = 1.3
"""Factor for samples that are only related, since there are few."""
CAUTION = 1.4
"""Factor for the odds of "nothing": a result for an unrelated proposal costs trust."""
FOLDS = 6


@frozen
class Example:
    """A proposal and a record: the features, and the expected result."""

    group: str
    proposal: str
    record: str
    measures: Measures
    wanted: str
    kind: str
    gated: bool
    told: bool


def examples(folder: Path) -> Iterator[Example]:
    """Iterate over the samples of a set."""
    lexicon = load_lexicon({})
    paths = {path.name: path for path in sorted((folder / "records").iterdir())}
    read: dict[tuple[str, ...], Any] = {}
    for item in (one for path in sorted(folder.glob("*.toml")) for one in tomllib.loads(path.read_text())["item"]):
        names = tuple(item.get("records", paths))
        if names not in read:
            snapshot = parse_snapshot({name: paths[name].read_bytes() for name in names})
            after = map_successors(snapshot)
            gated = {
                one.path: get_effective_state(snapshot, one, after) in GATED
                for one in snapshot.list_kind(DocumentKind.ADR)
            }
            read[names] = [parse_record(one, lexicon) for one in snapshot.list_kind(DocumentKind.ADR)], gated
        readings, gated = read[names]
        for one in compare_records(parse_proposal(item["proposal"], lexicon), readings, lexicon):
            path, numbers = one.reading.document.path, one.measures
            said = item["expected"].get(path, "nothing/").partition("/")[0]
            kind = "judged" if path in item["expected"] else "beside" if item["expected"] else "unrelated"
            told = not numbers.keys().isdisjoint(("any supports", "any conflicts"))
            yield Example(folder.name, item["proposal"], path, numbers, said, kind, gated[path], told)


def fitted(given: Sequence[Example]) -> Mapping[str, list[float]]:
    """Fit the weights.

    Records that do not hold are left out, since their result does not depend on weights; so are unjudged records about
    which a
    rule found something, since they may well concern the proposal.
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
    """Iterate over the results with some weights: one for each judged record, and one for each unrelated proposal."""
    unrelated: dict[tuple[str, str], str] = {}
    for one in given:
        said = choose_answer(compute_odds(one.measures, weights), one.measures, holds=not one.gated)
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
    """Iterate over the results with weights fitted to the other groups."""
    groups = sorted({one.group for one in given})
    for fold in range(FOLDS):
        left = set(groups[fold::FOLDS])
        weights = fitted([one for one in given if one.group not in left])
        yield from asked(weights, [one for one in given if one.group in left])


def main() -> None:
    """Fit the weights, print their accuracy, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--held", nargs="*", type=Path, default=[], help="sets for evaluation only")
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
            f"# Fitted by benchmarks/archdocs/fitting.py to {judged} judged records and {unrelated} unrelated proposals"
            f" of {len(args.sets)} sets."
        )
        WEIGHTS.write_text(f"{about}\n# The weights of each feature for {', '.join(CLASSES)}.\n{rows}\n")


if __name__ == "__main__":
    main()
