"""Runs Node's own runner on the sample, with the truth of a reporter beside. Needs npm, which brings the Nodes."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, keep, node, project, run


def truth(result, reporter):
    for line in result.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = " > ".join([row["file"], *row["titles"]])
        place = {"file": row["file"], "line": row["line"]} if reporter != "dot" else {}  # which names none
        yield {"tool": "node:test", "kind": "test", "name": name} | place


def case(name, version, *files, env=CI, width=0, reporter="spec"):
    folder = project("nodetest", "node-test")
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    runtime = "node" if version == 20 else node(version)
    shown = [f"--test-reporter={reporter}", "--test-reporter-destination=stdout"]
    beside = ["--test-reporter=./truth.mjs", f"--test-reporter-destination={result}"]
    log = run(folder, runtime, "--test", *shown, *beside, *files, env=env, width=width)
    keep(f"nodetest/{name}", log, folder, f"the events of Node {version}, same run", truth(result, reporter))


if __name__ == "__main__":
    for version in (18, 20, 22, 24, 26):
        case(f"{version}-spec", version)
        case(f"{version}-tap", version, reporter="tap")
    case("24-colour", 24, env=CI | COLOUR)
    case("22-terminal", 22, "test/hooks.test.mjs", env={}, width=80)
    case("24-dot", 24, "--test-name-pattern=Auth|outer", "test/auth.test.mjs", reporter="dot")
