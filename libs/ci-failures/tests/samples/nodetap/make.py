"""Runs node-tap on the sample, with the truth of its own parser of TAP. Needs npm and Node 20."""

import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run


def truth(told):
    for row in json.loads(told):
        place = {"file": row["file"], "line": row["line"]} if row.get("file") else {}
        yield {"tool": "tap", "kind": "test", "name": " > ".join(row["names"])} | place


def reported(version, reporter):
    """Keep what a reporter for people prints, with the truth of the TAP of a second run."""
    folder = project("nodetap", f"tap{version}", f"tap@{version}")
    cover = ("--no-coverage",) if version < 18 else ("--disable-coverage", "--allow-empty-coverage")
    command = ("node", "node_modules/.bin/tap", *cover, "auth.test.js", "other.test.js")
    log = run(folder, *command, f"--reporter={reporter}", env=CI)
    told = subprocess.run(
        ["node", "truth.js"],
        cwd=folder,
        input=run(folder, *command, "--reporter=tap", env=CI).encode(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    source = f"the parser of node-tap {version}, a second run"
    keep(f"nodetap/{version}-{reporter}", log, folder, source, truth(told.stdout))


def case(name, version, *options, env=CI):
    folder = project("nodetap", f"tap{version}", f"tap@{version}")
    cover = "--no-coverage" if version < 18 else "--disable-coverage"
    log = run(folder, "node", "node_modules/.bin/tap", cover, *options, "auth.test.js", "other.test.js", env=env)
    told = subprocess.run(
        ["node", "truth.js"], cwd=folder, input=log.encode(), stdout=subprocess.PIPE, check=True, timeout=60
    )
    keep(f"nodetap/{name}", log, folder, f"the parser of node-tap {version}, same stream", truth(told.stdout))


if __name__ == "__main__":
    for version in (16, 18, 21):
        case(f"{version}-ci", version)
    case("16-tap", 16, "--reporter=tap")
    for version, reporter in ((18, "base"), (18, "dot")):
        reported(version, reporter)
    case("21-one-job", 21, "--jobs=1")
