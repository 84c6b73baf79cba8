"""Measure check-adr-alignment on projects outside of this repository.

Usage: python benchmarks/archdocs/projects.py FOLDER...

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


def main() -> None:
    """Print one report on all projects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    folders = parser.parse_args().folders
    judged = [
        one
        for folder in folders
        for one in judge_project(folder, tomllib.loads((folder / "proposals.toml").read_text())["item"])
    ]
    print("\n".join(format_report(f"{len(folders)} projects", judged)))


if __name__ == "__main__":
    main()
