"""Measure the suggested reviewers on clones of real repositories.

Usage: python benchmarks/reviewers [--cases 40] [--fit] CLONE...

Each clone needs its whole history, and changes that somebody else than their author merged, as a merge commit, as the
committer or in a trailer. Every second clone, by name, is kept back: `--fit` fits the weights to the others.
"""

import argparse
import sys
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.reviewers._fitting import fit_weights
from benchmarks.reviewers._histories import read_cases
from benchmarks.reviewers._judgement import LISTS, JudgedCase, compute_hit_rate, judge_cases

LEAST = 15
"""Cases without which a repository is not judged."""
RANKS = (1, 3, 5)
GOAL = 1.2
"""How many times as often as the best baseline one who decided should be among the first."""


def main() -> None:
    """Print the hit rates of each repository, of those for fitting, and of those kept back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    projects: dict[str, list[JudgedCase]] = {}
    print(format_heading())
    for clone in options.clones:
        name = clone.parent.name if clone.name in ("repo", ".git") else clone.name
        cases = judge_cases(anyio.run(read_cases, clone, options.cases))
        if len(cases) >= LEAST:
            projects[name] = cases
            print(format_row(name, [cases]), flush=True)
    report(projects, fit=options.fit)


def report(projects: dict[str, list[JudgedCase]], *, fit: bool) -> None:
    """Print the means of both halves, and fit weights to the first."""
    names = sorted(projects, key=str.lower)
    fitted, kept = ([projects[name] for name in half] for half in (names[::2], names[1::2]))
    print(format_row(f"{len(fitted)} for fitting", fitted))
    print(format_row(f"{len(kept)} kept back", kept))
    for most in RANKS[1:]:
        possible = [one for one in projects.values() if compute_best_rate([one], most) * GOAL <= 1]
        where = f"where {GOAL} times is possible, in {len(possible)} of {len(projects)}"
        for found, named in ((kept, "kept back"), (possible, where)):
            if best := compute_best_rate(found, most):
                ratio = compute_hit_rate(found, LISTS[0], most) / best
                print(f"hit@{most} / best baseline, {named}: {ratio:.2f}")
    if fit:
        print("weights:", {name: round(weight, 2) for name, weight in fit_weights(fitted).items()})


def compute_best_rate(projects: list[list[JudgedCase]], most: int) -> float:
    """Return the hit rate of the best baseline."""
    return max(compute_hit_rate(projects, name, most) for name in LISTS[1:])


def format_heading() -> str:
    """Return the names of the columns: hit@1, @3 and @5 of each list."""
    return f"{'':32}{'cases':>6}" + "".join(f"{name + ' @1 @3 @5':>24}" for name in LISTS)


def format_row(name: str, projects: list[list[JudgedCase]]) -> str:
    """Return the hit rates of some repositories."""
    rates = (" ".join(f"{compute_hit_rate(projects, one, most):.2f}" for most in RANKS) for one in LISTS)
    return f"{name[:31]:32}{sum(map(len, projects)):6}" + "".join(f"{rate:>24}" for rate in rates)


if __name__ == "__main__":
    main()
