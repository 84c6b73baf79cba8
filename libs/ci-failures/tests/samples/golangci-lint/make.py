"""Run golangci-lint, of both major versions, on the sample, and keep the logs.

The truth is its own JSON of a second run.

Usage: make.py [CASE …]
Needs go, golangci-lint 2 (GOLANGCI) and golangci-lint 1 (GOLANGCI_1).
"""

import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

NEW, OLD = os.environ.get("GOLANGCI", "golangci-lint"), os.environ.get("GOLANGCI_1", "golangci-lint-1")
LINTERS = ["--enable", "revive,misspell,godox,gocritic,errname"]


def truth(folder, tool, words):
    """Give the issues as JSON has them."""
    flag = (
        ["--output.json.path", "stdout", "--output.text.path", os.devnull] if tool == NEW else ["--out-format", "json"]
    )
    kept = [word for word in words if not word.startswith(("--output", "--out-format", "--color", "--print"))]
    text = run(folder, tool, "run", *kept, *flag, env=CI, errors=False)
    found = json.loads(next(line for line in text.splitlines() if line.startswith("{")))
    for issue in found["Issues"] or ():
        place = issue["Pos"]
        if issue["FromLinter"] == "typecheck":  # one issue for all errors of a package
            yield from _compiled(issue["Text"])
            continue
        where = ":".join(str(part) for part in (place["Filename"], place["Line"], place["Column"]) if part)
        row = {"tool": "golangci-lint", "kind": "lint"}
        yield row | {"name": f"{issue['FromLinter']} {where}", "file": place["Filename"], "line": place["Line"]}


def _compiled(text):
    for file, line, column in re.findall(r"^(\S+\.go):(\d+):(\d+): ", text, re.MULTILINE):
        row = {"tool": "golangci-lint", "kind": "compile", "name": f"typecheck {file}:{line}:{column}"}
        yield row | {"file": file, "line": int(line)}


def main(wanted):
    folder = project("golangci-lint", "golangci")
    good = [".", "./store"]
    cases = {
        "v2": (NEW, [*LINTERS, *good]),
        "v2-colours": (NEW, [*LINTERS, "--output.text.colors=true", *good]),
        "v2-short": (NEW, [*LINTERS, "--output.text.print-issued-lines=false", *good]),
        "v2-verbose": (NEW, ["-v", *good]),
        "v2-broken": (NEW, ["./..."]),
        "v2-tab": (NEW, ["--output.tab.path=stdout", *good]),
        "v2-fine": (NEW, ["--default=none", "--enable=misspell", "./store"]),
        "v1": (OLD, [*LINTERS, *good]),
        "v1-colours": (OLD, [*LINTERS, "--color=always", *good]),
        "v1-short": (OLD, ["--print-issued-lines=false", *good]),
        "v1-lines": (OLD, ["--out-format=line-number", *good]),
        "v1-github": (OLD, ["--out-format=github-actions", *good]),
        "v1-broken": (OLD, ["./..."]),
    }
    for case, (tool, words) in cases.items():
        if not wanted or case in wanted:
            text = run(folder, tool, "run", *words, env=CI)
            keep(
                f"golangci-lint/{case}", text, folder, "JSON of golangci-lint, a second run", truth(folder, tool, words)
            )


if __name__ == "__main__":
    main(set(sys.argv[1:]))
