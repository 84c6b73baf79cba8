"""Runs Vitest on the sample, with the truth of a reporter beside. Needs npm and Node 20."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, frame, keep, node, project, run


def truth(folder, result):
    told = json.loads(result.read_text(encoding="utf-8"))
    for row in told["found"]:
        kind = "compile" if len(row["names"]) == 1 else "test"
        place = {} if kind == "compile" else frame(row["errors"][0].get("stack") or "", folder)
        yield {"tool": "vitest", "kind": kind, "name": " > ".join(row["names"])} | place
    if not told["found"] and told["unhandled"]:
        place = frame(told["unhandled"][0]["stack"], folder)
        yield {"tool": "vitest", "kind": "test", "name": place["file"]} | place


def case(name, version, *options, env=CI, width=0, reporters=("default",)):
    folder = project("vitest", f"vitest{version}", f"vitest@{version}")
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    shown = [f"--reporter={reporter}" for reporter in (*reporters, "./truth.mjs")]
    runtime = node(24) if version == 5 else "node"
    log = run(folder, runtime, "node_modules/vitest/vitest.mjs", "run", *options, *shown, env=env, width=width)
    log = re.sub(r"\n.*baseline-browser-mapping.*", "", log)
    keep(f"vitest/{name}", log, folder, f"a reporter of Vitest {version}, same run", truth(folder, result))


if __name__ == "__main__":
    GITHUB = CI | {"GITHUB_STEP_SUMMARY": "/dev/null"}
    case("0.34-ci", "0.34")
    for version in (1, 2, 3, 4, 5):
        case(f"{version}-ci", version)
    case("3-verbose", 3, reporters=["verbose"])
    case("4-verbose-colour", 4, reporters=["verbose"], env=CI | COLOUR)
    case("4-dot", 4, reporters=["dot"])
    case("2-basic", 2, "src/hooks", "src/decoy", reporters=["basic"])
    case("3-github-actions", 3, "src/hooks", "src/broken", reporters=["default", "github-actions"], env=GITHUB)
    case("4-github-actions", 4, "src/hooks", "src/broken", reporters=["default", "github-actions"], env=GITHUB)
    case("3-projects", 3, "-c", "workspace.config.mjs", env=CI | {"NO_COLOR": "1"})
    case("4-projects-colour", 4, "-c", "workspace.config.mjs", env=CI | COLOUR)
    case("1-terminal", 1, "src/hooks", "src/missing", env={}, width=60)
    case("4-terminal", 4, "src/hooks", "src/decoy", env={}, width=80)
    case("3-unhandled", 3, "src/rejection", "src/decoy")
    case("5-unhandled", 5, "src/rejection")
    case("4-bail", 4, "--bail=2", "--no-file-parallelism")
    case("4-passes", 4, "src/decoy")
    case("4-junit", 4, "src/auth", reporters=["junit"])
    case("3-json", 3, "src/auth", reporters=["json"])
    case("4-only-github", 4, "src/auth", reporters=["github-actions"], env=GITHUB)
    case("2-no-colour", 2, "src/auth", "src/hooks", env=CI | {"NO_COLOR": "1"})
