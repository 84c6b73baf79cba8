"""Runs Hspec and tasty on the sample, with the truth of Hspec's report of failures, and of a run of each test of tasty.

Needs Debian's ghc, libghc-hspec-dev, libghc-tasty-hunit-dev and libghc-tasty-quickcheck-dev.
"""

import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import keep, project, run

PATH = re.compile(r'\(\[((?:"(?:[^"\\]|\\.)*",?)*)\],"((?:[^"\\]|\\.)*)"\)')


def heading(groups, requirement):
    """Give the heading that Hspec makes of the groups and the requirement of an example."""
    names = re.findall(r'"((?:[^"\\]|\\.)*)"', groups)
    return f"{names[0]} {requirement}" if len(names) == 1 else ", ".join([*names, requirement])


def of_hspec(folder):
    run(folder, "./Spec", "--failure-report=report.txt")
    for found in PATH.finditer((folder / "report.txt").read_text("utf-8")):
        yield {"tool": "hspec", "kind": "test", "name": heading(*found.groups())}


def of_tasty(folder):
    for name in run(folder, "./Tree", "--list-tests").splitlines():
        if subprocess.run(["./Tree", "-p", f'$0 == "{name}"'], cwd=folder, capture_output=True, timeout=60).returncode:
            yield {"tool": "tasty", "kind": "test", "name": name}


if __name__ == "__main__":
    folder = project("haskell", "haskell")
    for program in ("Spec", "Tree"):
        run(folder, "ghc", "-v0", f"{program}.hs", "-o", program)
    for case, options, width in (
        ("specdoc", [], 0),
        ("checks", ["--format=checks"], 0),
        ("progress", ["--format=progress"], 0),
        ("colour", ["--color"], 100),
    ):
        log = run(folder, "./Spec", *options, width=width)
        keep(f"hspec/{case}", log, folder, "the report of failures of Hspec 2.8, a second run", of_hspec(folder))
    for case, options, width in (("tree", [], 0), ("failures", ["--hide-successes"], 0), ("terminal", [], 100)):
        log = run(folder, "./Tree", *options, width=width)
        keep(f"tasty/{case}", log, folder, "a run of each test alone with tasty 1.4", of_tasty(folder))
