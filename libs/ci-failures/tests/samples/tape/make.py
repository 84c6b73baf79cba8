"""Runs tape on the sample, with the truth of its object stream, a second run. Needs npm and Node 20."""

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run


def truth(folder, result):
    for row in json.loads(result.read_text(encoding="utf-8")):
        path = row.get("file", "").partition(":")[0]  # old ones put line and column behind it
        file = os.path.relpath(path, folder.resolve()) if path else ""
        yield {"tool": "tap", "kind": "test", "name": row["title"]} | (
            {"file": file, "line": row["line"]} if file and not file.startswith(("..", "node_modules")) else {}
        )


def case(name, version):
    folder = project("tape", f"tape{version}", f"tape@{version}")
    log = run(folder, "node", "auth.test.js", env=CI)
    run(folder, "node", "truth.js", env=CI)
    rows = {row["name"]: row for row in reversed(list(truth(folder, folder / "result.json")))}
    keep(f"tape/{name}", log, folder, f"the object stream of tape {version}, a second run", rows.values())


if __name__ == "__main__":
    case("5-plain", 5)
    case("4-plain", 4)
