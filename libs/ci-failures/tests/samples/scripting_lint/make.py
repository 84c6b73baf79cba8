"""Runs RuboCop, ShellCheck and PHP_CodeSniffer on the sample, with the truth of their JSON, a second run.

Needs Debian's rubocop, shellcheck and php-codesniffer.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, keep, project, run

ENV = CI | {"LC_ALL": "C.UTF-8"}
RUBY = ("rubocop", "--cache", "false")
NAMELESS = "--no-display-cop-names"
SHELL = ("shellcheck", "src/build.sh", "src/broken.sh")
PHP = ("phpcs", "-s", "src")


def row(tool, rule, file, line, column=None):
    where = f"{file}:{line}:{column}" if column else f"{file}:{line}"
    return {"tool": tool, "kind": "lint", "name": f"{rule} {where}", "file": file, "line": line}


def rubocop(folder):
    for one in json.loads(run(folder, *RUBY, "--format", "json", env=ENV, errors=False))["files"]:
        for found in one["offenses"]:
            at = found["location"]
            yield row("rubocop", found["cop_name"], one["path"], at["line"], at["column"])


def nameless(folder):
    """Give the offenses without cops: these are named by their messages, as the formatter `json` has them."""
    for one in json.loads(run(folder, *RUBY, NAMELESS, "--format", "json", env=ENV, errors=False))["files"]:
        for found in one["offenses"]:
            at = found["location"]
            yield row("rubocop", found["message"].replace("\n", " "), one["path"], at["line"], at["column"])


def shellcheck(folder):
    for one in json.loads(run(folder, *SHELL, "-f", "json", env=ENV, errors=False)):
        yield row("shellcheck", f"SC{one['code']}", one["file"], one["line"], one["column"])


def phpcs(folder):
    told = json.loads(run(folder, *PHP, "--report=json", env=ENV, errors=False))
    for file, one in told["files"].items():
        for found in one["messages"]:
            if found["type"] == "ERROR":
                yield row("phpcs", found["source"], file.removeprefix(f"{folder}/"), found["line"])


def case(name, truth, *words, terminal=False):
    folder = project("scripting_lint", "scripting_lint")
    log = run(folder, *words, env=ENV, terminal=terminal)
    keep(name, log, folder, "the same tool's JSON, a second run", truth(folder))


if __name__ == "__main__":
    for formatter in ("progress", "simple", "emacs"):
        case(f"rubocop/{formatter}", rubocop, *RUBY, "--format", formatter)
    case("rubocop/terminal", rubocop, *RUBY, terminal=True)
    case("rubocop/nameless-emacs", nameless, *RUBY, NAMELESS, "--format", "emacs")
    case("shellcheck/plain", shellcheck, *SHELL)
    case("shellcheck/terminal", shellcheck, *SHELL, terminal=True)
    case("shellcheck/gcc", shellcheck, *SHELL, "-f", "gcc")
    case("phpcs/plain", phpcs, *PHP)
    case("phpcs/terminal", phpcs, *PHP, "--colors", terminal=True)
