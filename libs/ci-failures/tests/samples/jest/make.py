# ruff: noqa: RUF001 -- the signs are those that the tool prints
"""Runs Jest on the sample, and keeps what it prints with the truth of its own JSON. Needs npm and Node 20."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, frame, keep, project, run

GITHUB = '{"reporters": [["github-actions", {"silent": false}], "summary"], "testMatch": ["**/src/**/*.test.js"]}'


def place(message, folder):
    """Take the place from the message of the result: the first frame of the project, or where the parser stopped."""
    if found := frame(message.split("[cause]")[0], folder):
        return found
    stopped = re.search(rf"SyntaxError: {re.escape(str(folder.resolve()))}/(.+?): .*\((\d+):\d+\)", message)
    if stopped:
        return {"file": stopped[1], "line": int(stopped[2])}
    return {}


def truth(folder, result):
    for suite in json.loads(result.read_text(encoding="utf-8"))["testResults"]:
        file = str(Path(suite["name"]).relative_to(folder.resolve()))
        bad = [test for test in suite["assertionResults"] if test["status"] == "failed"]
        if suite["status"] == "failed" and not suite["assertionResults"]:
            yield {"tool": "jest", "kind": "compile", "name": file} | place(suite["message"], folder)
        for test in bad:
            name = " › ".join([file, *test["ancestorTitles"], test["title"]])
            yield {"tool": "jest", "kind": "test", "name": name} | place(test["failureMessages"][0], folder)


def case(name, version, *options, env=CI, width=0, many=0):
    folder = project("jest", f"jest{version}", f"jest@{version}")
    (folder / "github.json").write_text(GITHUB, encoding="utf-8")
    for number in range(many):  # from twenty files on Jest repeats what failed
        (folder / f"src/many{number}.test.js").write_text("test('passes', () => {});\n", encoding="utf-8")
    if version >= 30:  # which wants another first line of snapshots
        snapshot = folder / "src/__snapshots__/snap.test.js.snap"
        old = snapshot.read_text(encoding="utf-8")
        snapshot.write_text(old.replace("https://goo.gl/fbAQLP", "https://jestjs.io/docs/snapshot-testing"), "utf-8")
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    command = ("node", "node_modules/.bin/jest", "--json", f"--outputFile={result}", *options)
    log = run(folder, *command, env=env, width=width)
    keep(f"jest/{name}", log, folder, f"the JSON result of Jest {version}, same run", truth(folder, result))


if __name__ == "__main__":
    for version in (24, 26, 27, 28, 29, 30):
        case(f"{version}-ci", version, "--ci")
    case("30-verbose-colour", 30, "--verbose", env=CI | COLOUR)
    case("29-verbose", 29, "--verbose", "--ci")
    case("30-silent-one-worker", 30, "--silent", "--runInBand")
    case("29-projects", 29, "-c", "projects.config.js")
    case("30-projects-colour", 30, "-c", "projects.config.js", env=CI | COLOUR)
    for version in (29, 30):
        both = ("--reporters=default", "--reporters=github-actions")
        case(f"{version}-project-folders-github", version, "-c", "folders.config.js", *both)
    case("30-summary", 30, "src/snap", "src/many", "src/decoy", "src/broken", many=21)
    case("30-github-reporter", 30, "-c", "github.json", "src/deep", "src/broken", "src/decoy")
    case("29-terminal", 29, "src/snap", "src/deep", env={}, width=60)
    case("30-terminal-ci", 30, "src/deep", "src/broken", env=CI, width=200)
    case("28-passes", 28, "src/decoy")
    case("30-one-file", 30, "src/snap.test.js")
    case("30-bail", 30, "src/deep", "src/auth", "--bail", "-i", "--reporters=default", "--reporters=./truth.js")
    case(
        "30-worker-crash",
        30,
        "src/many",
        "src/crash",
        "--testMatch",
        "**/src/**/*.js",
        "--workerIdleMemoryLimit=1GB",
        many=4,
    )
    case("30-coverage", 30, "--coverage", "src/deep", "src/missing")
