"""Runs revive on the sample in each of its forms, with the truth of its JSON. Needs revive, which REVIVE names."""

import json
import os
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, ROOT, SAMPLES, keep, run

REVIVE = os.environ.get("REVIVE", "revive")
FORMS = ("friendly", "stylish", "plain", "unix", "json", "ndjson", "checkstyle", "sarif")
VERSION = "1.10"


def named(one):
    start = one["Position"]["Start"]
    file, line, column = start["Filename"], start["Line"], start["Column"]
    where = {"name": f"{one['RuleName']} {file}:{line}:{column}", "file": file, "line": line}
    return {"tool": "revive", "kind": "lint"} | where


if __name__ == "__main__":
    folder = ROOT / "revive"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(SAMPLES / "revive", folder, ignore=shutil.ignore_patterns("make.py"))
    words = (REVIVE, "-config", "strict.toml", "-formatter")
    rows = [named(one) for one in json.loads(run(folder, *words, "json", "./..."))]
    for form in FORMS:
        log = run(folder, *words, form, "./...", env=CI)
        keep(f"revive/{VERSION}-{form}", log, folder, "the same tool's JSON, a second run", rows)
    for form in ("friendly", "stylish"):
        log = run(folder, REVIVE, "-formatter", form, "./...", env=CI)
        keep(f"revive/{VERSION}-{form}-warnings", log, folder, "the exit status of the program", [])
