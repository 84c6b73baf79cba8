"""Runs ESLint on the sample, with the truth of its JSON, a second run. Needs npm."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, keep, node, project, run


def truth(folder, told, worst):
    for file in json.loads(told):
        path = str(Path(file["filePath"]).relative_to(folder.resolve()))
        for one in file["messages"]:
            if one["severity"] >= worst:
                place = {"file": path, "line": one["line"]}
                rule = one["ruleId"] or ("parsing-error" if one.get("fatal") else "eslint")
                name = f"{rule} {path}:{one['line']}:{one['column']}"
                yield {"tool": "eslint", "kind": "lint", "name": name} | place


def case(name, version, *options, target="src", env=CI, width=0, more=()):
    folder = project("eslint", f"eslint{version}", f"eslint@{version}", *more)
    command = (node(24), "node_modules/.bin/eslint", target)
    log = run(folder, *command, *options, env=env, width=width)
    told = run(folder, *command, "-f", "json")
    worst = 1 if "--max-warnings=0" in options else 2  # then a warning fails as well
    keep(f"eslint/{name}", log, folder, f"the JSON of ESLint {version}, a second run", truth(folder, told, worst))


if __name__ == "__main__":
    OLD = ("eslint-formatter-compact", "eslint-formatter-unix")
    for version in (8, 9, 10):
        case(f"{version}-stylish", version, more=OLD if version == 9 else ())
    case("9-colour", 9, "--color", env=CI | COLOUR, more=OLD)
    case("9-compact", 9, "-f", "compact", more=OLD)
    case("9-unix", 9, "-f", "unix", more=OLD)
    case("8-compact", 8, "-f", "compact")
    case("8-unix", 8, "-f", "unix")
    case("9-quiet", 9, "--quiet", more=OLD)
    case("10-terminal", 10, env={}, width=60)
    case("9-json", 9, "-f", "json", target="src/warned.js", more=OLD)
    case("9-passes", 9, target="src/warned.js", more=OLD)
    case("8-max-warnings", 8, "--max-warnings=0", target="src/warned.js")
