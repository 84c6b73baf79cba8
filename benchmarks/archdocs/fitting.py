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

from benchmarks.archdocs._alignment import CLASSES, Answer, format_report, parse_snapshot

from stithy_archdocs.adr.supersession import get_effective_state, map_successors
from stithy_archdocs.alignment.alignment_verdicts import GATED, WEIGHTS, choose_answer, compute_odds
from stithy_archdocs.alignment.features import Measures, compare_records
from stithy_archdocs.alignment.lexicon import load_lexicon
from stithy_archdocs.alignment.statement_parser import parse_proposal, parse_record
from stithy_archdocs.document_models import DocumentKind

STRENGTH = 0.03
"""C of the regression: smaller values keep the weights closer to 0."""
COUNTS = {"judged": 1.0, "unrelated": 2.0, "beside": 0.03}
"""Weight of a sample by its kind.

"judged" is a record that an item judges, "unrelated" a record for an unrelated proposal, and "beside" another record of
an item, which was not judged and mostly does not concern it.
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
    expected: str
    kind: str
    gated: bool
    has_finding: bool


def iterate_examples(folder: Path) -> Iterator[Example]:
    """Iterate over the samples of a set."""
    lexicon = load_lexicon({})
    paths = {path.name: path for path in sorted((folder / "records").iterdir())}
    parsed: dict[tuple[str, ...], Any] = {}
    for item in (one for path in sorted(folder.glob("*.toml")) for one in tomllib.loads(path.read_text())["item"]):
        names = tuple(item.get("records", paths))
        if names not in parsed:
            snapshot = parse_snapshot({name: paths[name].read_bytes() for name in names})
            after = map_successors(snapshot)
            gated = {
                one.path: get_effective_state(snapshot, one, after) in GATED
                for one in snapshot.list_kind(DocumentKind.ADR)
            }
            parsed[names] = [parse_record(one, lexicon) for one in snapshot.list_kind(DocumentKind.ADR)], gated
        readings, gated = parsed[names]
        for one in compare_records(parse_proposal(item["proposal"], lexicon), readings, lexicon):
            path, numbers = one.reading.document.path, one.measures
            expected = item["expected"].get(path, "nothing/").partition("/")[0]
            kind = "judged" if path in item["expected"] else "beside" if item["expected"] else "unrelated"
            finding = not numbers.keys().isdisjoint(("any supports", "any conflicts"))
            yield Example(folder.name, item["proposal"], path, numbers, expected, kind, gated[path], finding)


def fit_weights(examples: Sequence[Example]) -> Mapping[str, list[float]]:
    """Fit the weights.

    Records that do not hold are left out, since their result does not depend on weights; so are unjudged records about
    which a rule found something, since they may well concern the proposal.
    """
    used = [
        one for one in examples if not (one.gated if one.kind == "judged" else one.kind == "beside" and one.has_finding)
    ]
    table = DictVectorizer(sparse=False)
    values = table.fit_transform([one.measures for one in used])
    scaler = StandardScaler().fit(values[[one.kind == "judged" for one in used]])
    scaler.scale_ = np.maximum(scaler.scale_, 0.02)
    counts = [COUNTS[one.kind] * (RELATED if one.expected == "related" else 1) for one in used]
    model = LogisticRegression(C=STRENGTH, max_iter=400, tol=1e-3)
    model.fit(scaler.transform(values), [one.expected for one in used], sample_weight=counts)
    order = [list(model.classes_).index(one) for one in CLASSES]
    raw = (model.coef_ / scaler.scale_)[order]
    bias = model.intercept_[order] - raw @ scaler.mean_
    bias[CLASSES.index("nothing")] += math.log(CAUTION)
    rows = zip(("bias", *table.get_feature_names_out()), np.column_stack((bias, raw)).T, strict=True)
    return {str(name): [round(float(one), 4) for one in row] for name, row in rows}


def apply_weights(weights: Mapping[str, Sequence[float]], examples: Sequence[Example]) -> Iterator[Answer]:
    """Iterate over the results with some weights: one for each judged record, and one for each unrelated proposal."""
    unrelated: dict[tuple[str, str], str] = {}
    for one in examples:
        actual = choose_answer(compute_odds(one.measures, weights), one.measures, holds=not one.gated)
        if one.gated and actual != "nothing":
            actual = "related"
        if one.kind == "unrelated":
            key = one.group, one.proposal
            unrelated[key] = actual if unrelated.get(key, "nothing") == "nothing" else unrelated[key]
        elif one.kind == "judged":
            yield Answer(one.proposal, one.record, (one.expected, ""), (actual, ""), unrelated=False)
    for (_, proposal), actual in unrelated.items():
        yield Answer(proposal, "", ("nothing", ""), (actual, ""), unrelated=True)


def cross_validate(examples: Sequence[Example]) -> Iterator[Answer]:
    """Iterate over the results with weights fitted to the other groups."""
    groups = sorted({one.group for one in examples})
    for fold in range(FOLDS):
        held_out = set(groups[fold::FOLDS])
        weights = fit_weights([one for one in examples if one.group not in held_out])
        yield from apply_weights(weights, [one for one in examples if one.group in held_out])


def main() -> None:
    """Fit the weights, print their accuracy, and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--held", nargs="*", type=Path, default=[], help="sets for evaluation only")
    parser.add_argument("--write", action="store_true", help="write weights.toml")
    args = parser.parse_args()
    examples = [one for folder in args.sets for one in iterate_examples(folder)]
    if len(args.sets) >= FOLDS:
        print("\n".join(format_report("each answer by weights of other sets", list(cross_validate(examples)))))
    weights = fit_weights(examples)
    held_out = [one for folder in args.held for one in iterate_examples(folder)]
    if held_out:
        print("\n".join(format_report("held out", list(apply_weights(weights, held_out)))))
    if args.write:
        rows = "\n".join(f'"{name}" = {row}' for name, row in weights.items())
        judged = sum(one.kind == "judged" for one in examples)
        unrelated = len({(one.group, one.proposal) for one in examples if one.kind == "unrelated"})
        about = (
            f"# Fitted by benchmarks/archdocs/fitting.py to {judged} judged records and {unrelated} unrelated proposals"
            f" of {len(args.sets)} sets."
        )
        WEIGHTS.write_text(f"{about}\n# The weights of each feature for {', '.join(CLASSES)}.\n{rows}\n")


if __name__ == "__main__":
    main()
