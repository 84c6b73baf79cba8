"""Runs prove on the sample, with the truth of Perl's own parser of TAP, a second run.

Needs Perl, and Debian's libtest2-suite-perl.
"""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run

FILES = ("t/adds.t", "t/dies.t", "t/fine.t", "t/silent.t", "t/suite.t")


def truth(folder):
    command = ("perl", "truth.pl", *FILES)
    told = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    for row in json.loads(told.stdout):
        name = row["file"] if row.get("whole") else f"{row['file']} > {row['name'] or 'line 20'}"
        yield {"tool": "prove", "kind": "test", "name": name}


def case(name, *options, env=CI, width=0):
    folder = project("prove", "prove")
    log = run(folder, "prove", *options, "t", env=env, width=width)
    keep(f"prove/{name}", log, folder, "the parser of TAP of Perl 5.36, a second run", truth(folder))


if __name__ == "__main__":
    case("plain")
    case("verbose", "-v")
    case("colour-jobs", "--color", "-j2")
    case("terminal", env={"TERM": "xterm"}, width=80)
