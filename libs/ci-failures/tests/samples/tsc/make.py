"""Runs tsc on the sample, with the truth of TypeScript's programmatic interface. Needs npm and Node 20."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, keep, project, run

PLAIN = re.compile(r"^(.+)\((\d+),(\d+)\): error TS(\d+): ", re.MULTILINE)


def named(row):
    if "file" not in row:
        return {"tool": "tsc", "kind": "compile", "name": f"TS{row['code']}"}
    name = f"TS{row['code']} {row['file']}:{row['line']}:{row['column']}"
    return {"tool": "tsc", "kind": "compile", "name": name, "file": row["file"], "line": row["line"]}


def rows(folder, version, config):
    if version != "7":
        return json.loads(run(folder, "node", "truth.js", config)), "TypeScript's programmatic interface"
    plain = run(folder, "node", "node_modules/.bin/tsc", "-p", config, "--pretty", "false")
    told = [{"file": m[1], "line": int(m[2]), "column": int(m[3]), "code": m[4]} for m in PLAIN.finditer(plain)]
    return told, "a second run, not pretty"


def case(name, version, *options, config="tsconfig.json", env=CI, width=0):
    folder = project("tsc", f"tsc{version}", f"typescript@{version}")
    log = run(folder, "node", "node_modules/.bin/tsc", "-p", config, *options, env=env, width=width)
    told, source = rows(folder, version, config)
    keep(f"tsc/{name}", log, folder, f"{source}, of TypeScript {version}", map(named, told))


if __name__ == "__main__":
    for version in ("4.9", "5.9"):
        case(f"{version}-plain", version)
        case(f"{version}-pretty", version, "--pretty")
        case(f"{version}-syntax", version, config="tsconfig.syntax.json")
    case("5.9-terminal", "5.9", env={}, width=60)
    case("5.9-wrong-settings", "5.9", config="tsconfig.wrong.json")
    case("7-pretty", "7", "--pretty")
    case("7-pretty-syntax", "7", "--pretty", config="tsconfig.syntax.json")
