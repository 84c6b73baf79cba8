"""Measure check-adr-alignment on projects outside of this repository.

Usage: python benchmarks/archdocs/projects.py [--vectors] FOLDER...

Each folder is a project: its records are in `docs/adr`, and `proposals.toml` has the judged proposals. A key of
`expected` is the beginning of a file name in `docs/adr`; a proposal without any is about no record.

    [[item]]
    proposal = "Store sessions in Memcached"
    expected = { "0007-redis" = "conflicts" }
"""

import argparse
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.archdocs._alignment import format_report, judge_project

from stithy_archdocs.search.word_vectors import open_vectors


def main() -> None:
    """Print one report on all projects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--vectors", action="store_true", help="with word vectors (the extra `vectors`)")
    args = parser.parse_args()
    vectors = open_vectors() if args.vectors else None
    judged = [
        one
        for folder in args.folders
        for one in judge_project(folder, tomllib.loads((folder / "proposals.toml").read_text())["item"], vectors)
    ]
    print("\n".join(format_report(f"{len(args.folders)} projects", judged)))


if __name__ == "__main__":
    main()
