"""Runs Mocha on the sample, and keeps what it prints with the truth of a reporter beside it. Needs npm and Node 20."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, frame, keep, project, run


def truth(folder, result):
    told = json.loads(result.read_text(encoding="utf-8"))
    for test in told if isinstance(told, list) else told["failures"]:
        stack = test["stack"] if "stack" in test else test["err"].get("stack", "")
        yield {"tool": "mocha", "kind": "test", "name": test["fullTitle"]} | frame(stack, folder)


def case(name, version, *options, env=CI, width=0, reporter="spec"):
    folder = project("mocha", f"mocha{version}", f"mocha@{version}")
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    mocha = ("node", "node_modules/.bin/mocha", *options, "--reporter")
    source = f"the events of Mocha {version}, same run"
    if version < 12 and reporter not in {"json", "xunit"}:
        log = run(folder, *mocha, reporter, "--require", "./truth.js", env=env, width=width)
    else:  # these reporters cannot be reached from outside
        log = run(folder, *mocha, reporter, env=env, width=width)
        run(folder, *mocha, "json", "--reporter-option", f"output={result}", env=env)
        source = f"the JSON reporter of Mocha {version}, a second run"
    keep(f"mocha/{name}", log, folder, source, truth(folder, result))


def broken(version, name):
    """Have a file read that cannot be read, and ask Node itself where that is."""
    folder, file = project("mocha", f"mocha{version}", f"mocha@{version}"), f"broken/{name}.js"
    log = run(folder, "node", "node_modules/.bin/mocha", file, env=CI)
    told = run(folder, "node", file)
    stopped = re.match(re.escape(str(folder.resolve() / file)) + r":(\d+)$", told.partition("\n")[0])
    place = {"file": file, "line": int(stopped[1])} if stopped else frame(told, folder)
    row = {"tool": "mocha", "kind": "compile", "name": file} | place
    keep(f"mocha/{version}-broken-{name}", log, folder, "Node, asked to read the file", [row])


if __name__ == "__main__":
    broken(9, "syntax")
    broken(10, "gone")
    for version in (6, 8, 9, 10, 11, 12):
        case(f"{version}-ci", version)
    case("11-colour", 11, "--color", env=CI | COLOUR)
    case("11-dot", 11, reporter="dot")
    case("10-min", 10, reporter="min")
    case("10-terminal", 10, env={}, width=60)
    case("11-nyan-terminal", 11, "test/hooks.test.js", reporter="nyan", env={}, width=80)
    case("11-parallel", 11, "--parallel", "--jobs", "2")
    case("11-bail", 11, "--bail")
    case("11-list", 11, "--full-trace", reporter="list")
    case("11-passes", 11, "--grep", "prints what|tried again")
    case("12-github-actions", 12, reporter="github-actions")
    case("11-landing", 11, reporter="landing")
    case("11-xunit", 11, reporter="xunit")
    case("10-json", 10, reporter="json")
