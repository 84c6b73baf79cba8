# ruff: noqa: RUF001 -- the signs are those that the tool prints
"""Runs Playwright's runner on the sample, without a browser, with the truth of a reporter beside. Needs npm."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, keep, project, run


def truth(result):
    for row in json.loads(result.read_text(encoding="utf-8")):
        if row["kind"] == "compile":
            yield {
                "tool": "playwright",
                "kind": "compile",
                "name": row["file"],
                "file": row["file"],
                "line": row["line"],
            }
        elif row["kind"] == "test" and row["outcome"] == "unexpected" and set(row["ran"]) - {"skipped", "interrupted"}:
            head = [f"[{row['project']}]"] if row["project"] else []
            name = " › ".join([*head, f"{row['shown']}:{row['line']}:{row['column']}", *row["titles"]])
            name = " ".join([name, *row["tags"]])
            yield {"tool": "playwright", "kind": "test", "name": name, "file": row["file"], "line": row["line"]}


def case(name, version, *options, env=CI, width=0, reporter="line"):
    folder = project("playwright", f"pw{version.replace('1.', '')}", f"@playwright/test@{version}")
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    shown = {"FROM_ROOT": "1"} if int(version[2:]) >= 50 else {}
    command = ("node", "node_modules/.bin/playwright", "test", f"--reporter={reporter},./truth.ts", *options)
    log = run(folder, *command, env=env | shown, width=width)
    keep(f"playwright/{name}", log, folder, f"a reporter of Playwright {version}, same run", truth(result))


if __name__ == "__main__":
    TWO = CI | {"PROJECTS": "1"}
    case("1.65-line", "1.65")
    case("1.65-list-retries", "1.65", "--retries=1", reporter="list")
    case("1.65-dot-projects", "1.65", "--retries=1", "hooks", "decoy", reporter="dot", env=TWO)
    case("1.50-github", "1.50", reporter="github", env=CI)
    case("1.65-github-dot", "1.65", "hooks", reporter="github,dot", env=TWO)
    case("1.65-colour-list", "1.65", reporter="list", env=CI | COLOUR)
    case("1.50-list-projects", "1.50", "--retries=2", "hooks", "decoy", reporter="list", env=TWO)
    case("1.40-line", "1.40")
    case("1.40-list", "1.40", "hooks", "decoy", reporter="list", env=TWO)
    case("1.30-line", "1.30", "hooks", env=TWO)
    case("1.50-terminal", "1.50", "hooks", reporter="list", env={}, width=80)
    case("1.65-max-failures", "1.65", "-x")
    case("1.65-passes", "1.65", "decoy", reporter="list")
    case("1.65-broken", "1.65", "-c", "broken.config.ts", reporter="line")
    case("1.40-broken", "1.40", "-c", "broken.config.ts", reporter="list")
