"""Run Jasmine, Karma, QUnit, uvu, Bun, Deno and Cucumber on samples, and keep logs with the truth of their own results.

Usage: make.py [NAME …]. Needs npm and Node 20.
"""

import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from npm import CI, COLOUR, frame, keep, project, run

PLACE = re.compile(r"at (?:[^\n(]*\()?(?!node:|ext:)(?:file://)?([^\s()]+\.[cm]?[jt]s):(\d+):\d+\)?$", re.MULTILINE)
JSDOM = ("karma-jsdom-launcher@17", "jsdom@24")


def place(text, folder):
    """Give the first place of the project in the text of a JUnit file."""
    for found in PLACE.finditer(text.replace(f"{folder.resolve()}/", "")):
        if "node_modules" not in found[1]:
            return {"file": found[1], "line": int(found[2])}
    return {}


def failed_cases(element, titles=()):
    """Iterate over the failed tests of a JUnit file with the names of the suites around them."""
    for child in element:
        inner = (*titles, child.get("name"))
        if child.tag == "testcase" and child.find("failure") is not None:
            yield inner, child
        elif child.tag.startswith("testsuite"):
            yield from failed_cases(child, inner)


def jasmine(version):
    folder = project("npm_runners/jasmine", f"jasmine{version}", f"jasmine@{version}")
    for name, words in {"ci": (), "colour": ("--color",)}.items():
        log = run(folder, "node", "node_modules/.bin/jasmine", *words, env=CI)
        told = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        rows = [{"tool": "jasmine", "kind": "test", "name": one["name"]} | frame(one["stack"], folder) for one in told]
        keep(f"jasmine/{version}-{name}", log, folder, f"the events of Jasmine {version}, same run", rows)


def karma(version):
    framework = ("karma-jasmine@5", "jasmine-core@4")
    keep_karma(project("npm_runners/karma", f"karma{version}", *karma_packages(version), *framework), f"{version}-")
    framework = ("karma-qunit@4", "qunit@2")
    keep_karma(
        project("npm_runners/qunit", f"karma-qunit{version}", *karma_packages(version), *framework), f"{version}-qunit-"
    )


def karma_packages(version):
    reporters = ("karma-junit-reporter", "karma-mocha-reporter", "karma-spec-reporter")
    return (f"karma@{version}", *reporters, *JSDOM)


def keep_karma(folder, prefix):
    for reporter in ("progress", "dots", "mocha", "spec"):
        words = ("start", "--reporters", f"{reporter},junit")
        log = run(folder, "node", "node_modules/.bin/karma", *words, env=CI)
        cases = [case for _, case in failed_cases(ET.parse(folder / "junit.xml").getroot())]
        rows = [
            {"tool": "karma", "kind": "test", "name": case.get("name").removeprefix(" ")}
            | place(case.findtext("failure"), folder)
            for case in cases
        ]
        keep(f"karma/{prefix}{reporter}", log, folder, "karma-junit-reporter, same run", rows)


def qunit(version):
    folder = project("npm_runners/qunit", f"qunit{version}", f"qunit@{version}")
    words = ("node", "node_modules/.bin/qunit", "--require", "./truth.js", "test/cart.js")
    for name, env in {"ci": CI, "colour": CI | COLOUR}.items():
        log = run(folder, *words, env=env)
        told = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        rows = [
            {"tool": "tap", "kind": "test", "name": " > ".join(one["titles"])} | frame(one["stack"], folder)
            for one in told
        ]
        keep(f"qunit/{version}-{name}", log, folder, f"the events of QUnit {version}, same run", rows)


def uvu(version):
    folder = project("npm_runners/uvu", f"uvu{version}", f"uvu@{version}")
    for name, env in {"ci": CI | {"NO_COLOR": "1"}, "colour": CI | COLOUR}.items():
        (folder / "result.jsonl").unlink(missing_ok=True)
        log = run(folder, "node", "node_modules/.bin/uvu", "tests", env=env)
        thrown = [json.loads(line) for line in (folder / "result.jsonl").read_text(encoding="utf-8").splitlines()]
        rows = [{"tool": "uvu", "kind": "test", "name": one["name"]} | frame(one["stack"], folder) for one in thrown]
        keep(f"uvu/{version}-{name}", log, folder, "what the tests threw, same run", rows)


def bun(version):
    folder = project("npm_runners/bun", f"bun{version}", f"bun@{version}")
    words = ("node_modules/.bin/bun", "test", "--reporter=junit", "--reporter-outfile=junit.xml")
    for name, env in {"ci": {"CI": "true"}, "github": CI, "colour": {"CI": "true"} | COLOUR}.items():
        log = run(folder, *words, env=env)
        if name == "github":  # with --reporter Bun leaves out what it prints there
            log = run(folder, *words[:2], env=env)
        rows = [
            {"tool": "bun", "kind": "test", "name": " > ".join(titles)} | place(case.find("failure").text or "", folder)
            for titles, case in failed_cases(ET.parse(folder / "junit.xml").getroot())
        ]
        keep(f"bun/{version}-{name}", log, folder, "Bun's JUnit file", rows)


def deno(version):
    folder = project("npm_runners/deno", f"deno{version}", f"deno@{version}")
    words = ("node_modules/.bin/deno", "test", "--no-check", "--junit-path=junit.xml", "a_test.ts", "c_test.ts")
    for name, env in {"ci": CI | {"NO_COLOR": "1"}, "colour": CI | COLOUR}.items():
        log = run(folder, *words, env=env)
        rows = []
        for _, case in failed_cases(ET.parse(folder / "junit.xml").getroot()):
            said, file = case.findtext("failure"), case.get("classname").removeprefix("./")
            if "test step failed" not in said:
                whole = {"tool": "deno", "kind": "test", "name": f"{file} > {case.get('name')}"}
                rows.append(whole | place(said, folder))
        keep(f"deno/{version}-{name}", log, folder, "Deno's JUnit file, same run", rows)


def deno_check(version):
    """Keep the logs of Deno's checks; the compiler of TypeScript tells which errors of types there are."""
    folder = project("npm_runners/deno_check", f"deno_check{version}", f"deno@{version}", "typescript@5")
    command = ("node", "node_modules/deno/bin.cjs")
    for name, words, env in (
        ("check", ("cart.ts",), CI),
        ("check-colour", ("cart.ts",), COLOUR),
        ("check-one", ("alone.ts",), CI),
    ):
        keep(
            f"deno/{version}-{name}",
            run(folder, *command, "check", *words, env=env),
            folder,
            *type_errors(folder, words),
        )
    found = json.loads(run(folder, *command, "lint", "--json", "cart.ts", "till.ts").partition("\nFound ")[0])[
        "diagnostics"
    ]
    rows = [lint_row(one, folder) for one in found]
    log = run(folder, *command, "lint", "cart.ts", "till.ts", env=CI)
    keep(f"deno/{version}-lint", log, folder, "the same tool's JSON, a second run", rows)
    files = sorted(
        one.name for one in folder.glob("*.ts") if "not formatted" in run(folder, *command, "fmt", "--check", one.name)
    )
    rows = [{"tool": "deno-fmt", "kind": "lint", "name": f"fmt {one}", "file": one} for one in files]
    log = run(folder, *command, "fmt", "--check", "alone.ts", "cart.ts", "till.ts", env=CI)
    keep(f"deno/{version}-fmt", log, folder, "deno fmt --check, a file at a time", rows)


def type_errors(folder, files):
    """Give the source of the truth, and the errors of types that TypeScript finds in files."""
    options = ("--noEmit", "--strict", "--noImplicitOverride", "--allowImportingTsExtensions", "--target", "esnext")
    words = (
        "node_modules/.bin/tsc",
        *options,
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        "--pretty",
        "false",
    )
    told = re.findall(r"^(\S+)\((\d+),(\d+)\): error (TS\d+)", run(folder, "node", *words, *files), re.MULTILINE)
    return "TypeScript's own compiler, a second run", [
        {"tool": "deno", "kind": "compile", "name": f"{code} {file}:{line}:{column}", "file": file, "line": int(line)}
        for file, line, column, code in told
    ]


def lint_row(one, folder):
    """Give a finding of Deno's JSON, whose columns begin at 0."""
    file = one["filename"].removeprefix(f"file://{folder.resolve()}/")
    line, column = one["range"]["start"]["line"], one["range"]["start"]["col"] + 1
    return {
        "tool": "deno-lint",
        "kind": "lint",
        "name": f"{one['code']} {file}:{line}:{column}",
        "file": file,
        "line": line,
    }


def cucumber(version):
    folder = project("npm_runners/cucumber", f"cucumber{version}", f"@cucumber/cucumber@{version}")
    command = ("node", "node_modules/.bin/cucumber-js")
    forms = ("json:result.json", "rerun:rerun.txt", "progress")
    log = run(folder, *command, *(word for form in forms for word in ("--format", form)), env=CI)
    rows, lines = [], re.findall(r":(\d+)", (folder / "rerun.txt").read_text(encoding="utf-8"))
    for feature in json.loads((folder / "result.json").read_text(encoding="utf-8")):
        for one in feature["elements"]:
            if {step["result"]["status"] for step in one["steps"]} & {"failed", "undefined", "ambiguous"}:
                line = int(lines[len(rows)])  # the JSON of old versions has the line of the outline
                place = f"{feature['uri']}:{line}"
                row = {"tool": "cucumber", "kind": "test", "name": f"{place} {one['name']}", "file": feature["uri"]}
                rows.append(row | {"line": line})
    keep(f"cucumber/{version}-progress", log, folder, "Cucumber's JSON, same run", rows)


CASES = {
    jasmine: (3, 5),
    karma: (6,),
    qunit: (2,),
    uvu: (0,),
    bun: (1,),
    deno: (2,),
    deno_check: (2,),
    cucumber: (7, 11),
}

if __name__ == "__main__":
    for case, versions in CASES.items():
        for version in versions if not sys.argv[1:] or case.__name__ in sys.argv[1:] else ():
            case(version)
