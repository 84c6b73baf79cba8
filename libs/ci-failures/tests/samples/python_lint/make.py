"""Write tests/logs/{ruff,flake8,mypy}: looks through the project beside this file.

The truth is what the same tool says in a second run, in a format for programs.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from pypi import CI, keep, project, run, venv

ENVIRONMENTS = {
    "ruff-new": ("3.13", "ruff~=0.15"),
    "ruff-middle": ("3.12", "ruff==0.9.10"),
    "ruff-old": ("3.11", "ruff==0.4.10"),
    "flake8-7": ("3.13", "flake8~=7.1"),
    "flake8-3": ("3.8", "flake8==3.9.2"),
    "mypy-new": ("3.13", "mypy~=1.15"),
    "mypy-old": ("3.9", "mypy==0.971"),
}
GITHUB = {"GITHUB_ACTIONS": "true"}
RULES = "--select=E,F,I,W,N,UP,D1,E501 --line-length=100 --no-cache --isolated"
MODULES = "shop/typed.py shop/other.py"
# (environment, name of the case, arguments, what is set)
RUFF = [
    ("ruff-new", "full", "", CI),
    ("ruff-new", "concise", "--output-format=concise", CI),
    ("ruff-new", "github", "--output-format=github", CI),
    ("ruff-new", "grouped", "--output-format=grouped", CI),
    ("ruff-new", "quiet-concise", "--output-format=concise --quiet", CI),
    ("ruff-new", "colour", "", CI | {"FORCE_COLOR": "1"}),
    ("ruff-middle", "full", "", CI),
    ("ruff-middle", "github", "--output-format=github", CI),
    ("ruff-old", "full", "--output-format=full", CI),
    ("ruff-old", "concise", "--output-format=concise", CI),
]
FORMAT = [
    ("ruff-new", "format", "shop --exclude=broken.py", CI),
    ("ruff-old", "format", "shop --exclude=broken.py", CI),
]
FLAKE8 = [
    ("flake8-7", "plain", "", CI),
    ("flake8-7", "counted", "--count --statistics --show-source", CI),
    ("flake8-3", "plain", "--count", CI),
]
MYPY = [
    ("mypy-new", "plain", MODULES, CI),
    ("mypy-new", "columns", f"--show-column-numbers --strict {MODULES}", CI),
    ("mypy-new", "pretty", f"--pretty {MODULES}", CI | {"COLUMNS": "80"}),
    (
        "mypy-new",
        "pretty-colour",
        f"--pretty --strict {MODULES}",
        CI | {"FORCE_COLOR": "1", "MYPY_FORCE_COLOR": "1", "TERM": "xterm"},
    ),
    ("mypy-new", "json", f"--output=json {MODULES}", CI),
    ("mypy-new", "syntax", "shop/broken.py", CI),
    ("mypy-new", "no-summary", f"--no-error-summary {MODULES}", CI),
    ("mypy-new", "passes", "shop/other.py", CI),
    ("mypy-old", "plain", MODULES, CI),
    ("mypy-old", "coded", f"--show-error-codes --pretty {MODULES}", CI),
]


def row(tool, code, file, line, column=None):
    """Give a failure as the truth has it."""
    place = f"{file}:{line}" if column is None else f"{file}:{line}:{column}"
    kind = "compile" if code in {"invalid-syntax", "SyntaxError", "E999", "E902", "syntax"} else "lint"
    return {"tool": tool, "kind": kind, "name": f"{code} {place}", "file": file, "line": line}


def place(one):
    """Give the line and the column of what ruff found."""
    return one["location"]["row"], one["location"]["column"]


def ruff(environment, case, arguments, env):
    """Run ruff, and once more with JSON."""
    programs, folder = venv(environment, *ENVIRONMENTS[environment]), project("python_lint", environment)
    command = (programs / "ruff", "check", "shop", *RULES.split())
    log = run(folder, *command, *arguments.split(), env=env)
    told = json.loads(run(folder, *command, "--quiet", "--output-format=json", env=CI).partition("error: ")[0])
    rows = [
        row("ruff", one["code"] or "invalid-syntax", one["filename"].removeprefix(f"{folder}/"), *place(one))
        for one in told
    ]
    keep(f"ruff/{environment.removeprefix('ruff-')}-{case}", log, folder, "ruff --output-format=json", rows)


def ruff_format(environment, case, arguments, env):
    """Run ruff's formatter, and ask it for each file whether it would change it."""
    programs, folder = venv(environment, *ENVIRONMENTS[environment]), project("python_lint", environment)
    command = (programs / "ruff", "format", "--no-cache", "--isolated", "--check")
    log = run(folder, *command, *arguments.split(), env=env)
    files = ("shop/unused.py", "shop/typed.py", "shop/other.py", "shop/with space.py")
    bad = [file for file in files if "would be reformatted" in run(folder, *command, file)]
    rows = [{"tool": "ruff", "kind": "lint", "name": f"format {file}", "file": file} for file in bad]
    keep(f"ruff/{environment.removeprefix('ruff-')}-{case}", log, folder, "ruff format --check, a file at a time", rows)


def flake8(environment, case, arguments, env):
    """Run flake8, and once more with fields that tabs part."""
    programs, folder = venv(environment, *ENVIRONMENTS[environment]), project("python_lint", environment)
    command = (programs / "python", "-m", "flake8", "shop")
    log = run(folder, *command, *arguments.split(), env=env)
    told = run(folder, *command, "--format=%(code)s\t%(path)s\t%(row)d\t%(col)d", env=CI)
    fields = [line.split("\t") for line in told.splitlines()]
    rows = [row("flake8", code, path, int(line), int(column)) for code, path, line, column in fields]
    keep(f"flake8/{environment.removeprefix('flake8-')}-{case}", log, folder, "flake8 --format, with tabs", rows)


def mypy(environment, case, arguments, env):
    """Run mypy, and once more with JSON, or with nothing but lines where it knows no JSON."""
    programs, folder = venv(environment, *ENVIRONMENTS[environment]), project("python_lint", environment)
    command = (programs / "mypy", "--cache-dir=/dev/null", *arguments.split())
    log = run(folder, *command, env=env)
    rows = list(mypy_rows(folder, command, environment, arguments))
    keep(f"mypy/{environment.removeprefix('mypy-')}-{case}", log, folder, "mypy, in another format", rows)


def mypy_rows(folder, command, environment, arguments):
    """Give what mypy finds; with codes and columns where the log has them."""
    if environment == "mypy-new":
        lines = run(folder, *command, "--output=json", env=CI).splitlines()
        for one in [json.loads(line) for line in lines if line.startswith("{")]:
            if one["severity"] == "error":
                told = "column" in arguments or "json" in arguments
                column = one["column"] + 1 if told else None
                yield row("mypy", one["code"], one["file"], one["line"], column)
    if environment == "mypy-old" or "broken" in arguments:  # of a file that it cannot read, mypy tells in words only
        for line in run(folder, *command, "--no-pretty", "--show-error-codes", "--show-column-numbers").splitlines():
            path, number, _, severity, *_ = [*line.split(":"), "", "", ""]
            if severity == " error":
                coded = environment == "mypy-new" or "codes" in arguments
                yield row("mypy", line.rpartition("[")[2].rstrip("]") if coded else "error", path, int(number))


if __name__ == "__main__":
    for make, cases in ((ruff, RUFF), (ruff_format, FORMAT), (flake8, FLAKE8), (mypy, MYPY)):
        for one in cases:
            if not sys.argv[1:] or make.__name__ in sys.argv[1:]:
                make(*one)
