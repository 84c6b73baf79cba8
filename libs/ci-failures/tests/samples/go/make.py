"""Run go test and gotestsum on the sample, and keep their logs; the truth is what `go test -json` says of the same.

Usage: make.py [CASE …]
Needs go, an old go (GO_OLD, such as /usr/lib/go-1.19/bin/go), gotestsum (GOTESTSUM), and an old one (GOTESTSUM_OLD).
"""

import json
import os
import re
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from toolchains import CI, ROOT, keep, project, run

GO, OLD = "go", os.environ.get("GO_OLD", "/usr/lib/go-1.19/bin/go")
GOTESTSUM, GOTESTSUM_OLD = os.environ.get("GOTESTSUM", "gotestsum"), os.environ.get("GOTESTSUM_OLD")
PLACE = re.compile(r"^\s+(?:\S+=== \S+\s*)?([^\s:]+\.go):(\d+): ")
BUILT = re.compile(r"^(?:vet: )?(?:\./)?(\S+?\.go):(\d+):(\d+): (.*)")
TEST = re.compile("Test|Example|Fuzz|Benchmark")  # test2json of old versions takes more for tests
MODULES = ("example.com/app", "github.com/acme/platform")
COLOUR = re.compile(r"\x1b\[[\d;]*m")
GOCHECK = re.compile(r"^(?:FAIL|PANIC): \S+:\d+: (\S+)$", re.MULTILINE)
TESTED = ["./calc", "./nested", "./flaky", "./fine", "./shown", "./fuzzed", "./quiet", "./gate"]
FRESH = ROOT / "go" / "flaky" / "been-here"


def truth(folder, go, *arguments, short=False, again=False):
    """Give what failed, as the JSON of a run of its own says."""
    if not again:
        FRESH.unlink(missing_ok=True)
    text = run(folder, go, "test", "-json", *arguments, env=CI)
    events = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    tests, printed, packages, built = defaultdict(dict), defaultdict(list), {}, []
    for event in events:
        package, test, action = event.get("Package"), event.get("Test"), event["Action"]
        if action == "build-output":
            built.append(event["Output"])
        elif action == "output":
            printed[package, test].append(event["Output"])
        elif test and TEST.match(test) and action in {"run", "pause", "cont", "pass", "fail", "skip"}:
            tests[package][test] = action.replace("cont", "run")
        elif action == "fail":
            packages[package] = event.get("FailedBuild") or any("[build failed]" in o for o in printed[package, None])
    return [*_tests(tests, printed, packages, short=short), *_built(built)]


def _tests(tests, printed, packages, *, short):
    for package, not_built in packages.items():
        ended = tests[package]
        failed = {test for test, action in ended.items() if action in {"fail", "run"}}
        for test in failed:
            places = _places(printed[package, test])
            spoke = any(place[1] != "testing.go" for place in places)
            if spoke or not any(other.startswith(f"{test}/") for other in failed):
                shown = _short(package) if short else package
                said = "".join(printed[package, None] + printed[package, test])
                stopped = ended[test] == "run"
                kind = "timeout" if stopped and "test timed out" in said else "test"
                row = {"tool": "go", "kind": kind, "name": f"{shown}.{test}"}
                yield row if stopped else row | _place(package, places)
        if not failed and not not_built:
            yield {"tool": "go", "kind": "test", "name": _short(package) if short else package}


def _places(lines):
    """Give the places that a test printed, the last of them last; of assertions of testify the first."""
    plain = [COLOUR.sub("", line) for line in lines]
    found = [(match, at) for at, line in enumerate(plain) if (match := PLACE.match(line))]
    if any("test panicked: " in line for line in plain):  # then the place is where testify caught it
        return []
    asserted = [match for match, at in found if "Error Trace:" in "".join(lines[at + 1 : at + 2])]
    return asserted[:1] or [match for match, _ in found]


def _place(package, places):
    if not places or places[-1][1] == "testing.go":
        return {}
    return {"file": f"{_short(package)}/{places[-1][1].rpartition('/')[2]}", "line": int(places[-1][2])}


def _short(package):
    return next(package.removeprefix(f"{module}/") for module in MODULES if package.startswith(module))


def _built(lines):
    vetted = False
    for line in lines:
        if line.startswith("# "):
            vetted = line.startswith("# [")
        found = BUILT.match(line)
        if found:
            place = f"{found[1]}:{found[2]}:{found[3]}"
            lost = "no required module provides" in found[4] or "missing go.sum entry" in found[4]
            vet = vetted and not line.startswith("vet: ")
            kind = "lint" if vet else "dependency" if lost else "compile"
            name = f"vet {place}" if vet else place
            yield {"tool": "go", "kind": kind, "name": name, "file": found[1], "line": int(found[2])}


def vetted(folder, *packages):
    """Give what `go vet -json` says of packages."""
    text = run(folder, GO, "vet", "-json", *packages)
    for found in re.finditer(r'"posn": "([^"]+)"', text):
        file, line, column = found[1].removeprefix(f"{folder}/").split(":")
        yield {"tool": "go", "kind": "lint", "name": f"vet {file}:{line}:{column}", "file": file, "line": int(line)}


def specs(folder):
    """Give what the specs of Ginkgo say in its JUnit files, and gocheck's tests in its verbose form."""
    report = folder / "junit.xml"
    for package, option in {"bdd": "-ginkgo.junit-report", "bdd1": "-ginkgo.reportFile"}.items():
        run(folder, GO, "test", f"./{package}", "-args", f"{option}={report}", env=CI)
        for case in ET.parse(report).getroot().iter("testcase"):
            if case.find("failure") is not None or case.find("error") is not None:
                name = case.get("name").removeprefix("[It] ")
                yield package, {"tool": "ginkgo", "kind": "test", "name": name}
    said = run(folder, GO, "test", "./legacy", "-check.vv", env=CI)
    for found in GOCHECK.finditer(said.replace("(see related PANIC)\nPANIC: ", "")):  # what a fixture has failed for
        yield "legacy", {"tool": "gocheck", "kind": "test", "name": found[1]}


def mono(wanted):
    """Keep logs of a repository whose packages lie deep, and use other frameworks."""
    folder = project("gomono", "gomono")
    run(folder, GO, "mod", "tidy", "-e")
    every, suites = (
        ["./internal/...", "./pkg/...", "./libs/...", "./leak", "./crash/..."],
        ["./bdd", "./bdd1", "./legacy"],
    )
    everything = ["-v", "-race", "-shuffle=7", "-coverprofile=c.out"]
    cases = {
        "mono": ([GO, "test"], every, {}),
        "mono-everything": ([GO, "test", *everything], every, {}),
        "mono-suites": ([GO, "test"], suites, {}),
        "mono-suites-json": ([GO, "test", "-json"], suites, {}),
        "mono-gotestsum": ([GOTESTSUM, "--format", "standard-verbose", "--"], every, {}),
        "mono-gotestsum-pkgname": ([GOTESTSUM, "--format", "pkgname", "--"], [*every, *suites], {"short": True}),
    }
    wrapped = [*specs(folder)]
    for case, (words, packages, options) in cases.items():
        if not wanted or case in wanted:
            text = log(folder, *words, *packages)
            flags = [word for word in words[2:] if word == "-race" or word.startswith("-shuffle")]
            facts = [*truth(folder, GO, *flags, *packages, **options)]
            inner = {package for package, _ in wrapped}
            facts = [one for one in facts if one["name"].rpartition("/")[2].partition(".")[0] not in inner]
            facts += [one for package, one in wrapped if f"./{package}" in packages]
            source = "go test -json, a second run; JUnit of Ginkgo; gocheck's verbose form"
            keep(f"go/{case}", text, folder, source, facts)


def log(folder, *command, env=CI, terminal=False):
    """Give the log of a fresh run."""
    FRESH.unlink(missing_ok=True)
    return run(folder, *command, env=env, terminal=terminal)


def main(wanted):
    folder = project("go", "go")
    run(folder, GO, "mod", "tidy", "-e")
    source = "go test -json, a second run"
    crashing = ["-timeout", "2s", "./panics", "./routine", "./slow", "./calc"]
    broken = ["./broken", "./user", "./testbroken", "./vetted", "./syntax", "./nothere", "./calc"]
    cases = {
        "plain": (GO, [], TESTED),
        "verbose": (GO, ["-v"], TESTED),
        "fullpath": (GO, ["-v", "-fullpath"], ["./calc", "./nested"]),
        "one-package": (GO, [], ["./calc"]),
        "testify": (GO, [], ["./deep"]),
        "testify-verbose": (GO, ["-v"], ["./deep", "./fine"]),
        "crashes": (GO, [], crashing),
        "crashes-verbose": (GO, ["-v"], crashing),
        "broken": (GO, [], broken),
        "broken-verbose": (GO, ["-v"], broken),
        "passing": (GO, ["-v"], ["./fine", "./quiet"]),
        "race": (GO, ["-race"], ["./race"]),
        "covered-parallel": (GO, ["-cover", "-p", "4", "-parallel", "8", "-shuffle", "7"], TESTED),
        "twice": (GO, ["-count=2"], ["./nested", "./shown"]),
        "json": (GO, ["-json"], TESTED),
        "json-crashes": (GO, ["-json"], [*crashing, "./broken", "./vetted"]),
        "failfast": (GO, ["-failfast"], ["./calc"]),
        "exits": (GO, ["-v"], ["./exits", "./calc"]),
        "json-exits": (GO, ["-json"], ["./exits"]),
        "go1.19-timeout-verbose": (OLD, ["-v", "-timeout", "2s"], ["./slow", "./nested"]),
        "go1.19-plain": (OLD, [], TESTED),
        "go1.19-verbose": (OLD, ["-v"], TESTED),
        "go1.19-crashes": (OLD, ["-v"], ["./panics", "./calc"]),
    }
    for case, (go, flags, packages) in cases.items():
        if not wanted or case in wanted:
            text = log(folder, go, "test", *flags, *packages)
            facts = truth(folder, go, *(flag for flag in flags if flag != "-json"), *packages)
            keep(f"go/{case}", text, folder, source, facts)
    if not wanted or "vet" in wanted:
        text = log(folder, GO, "vet", "./vetted", "./shown", "./calc")
        keep("go/vet", text, folder, "go vet -json", [*vetted(folder, "./vetted", "./shown", "./calc")])
    summaries = {"dots": TESTED, "pkgname": TESTED, "testname": ["./calc", "./nested"], "github-actions": TESTED}
    summaries |= {"testdox": ["./calc", "./nested"], "pkgname-and-test-fails": crashing, "standard-quiet": TESTED}
    summaries |= {"standard-verbose": ["./calc", "./nested", "./deep"], "dots-v2": ["./calc", "./fine"]}
    for form, packages in summaries.items():
        if not wanted or f"gotestsum-{form}" in wanted:
            text = log(folder, GOTESTSUM, "--format", form, "--", *packages, terminal=form in {"dots-v2", "testname"})
            facts = truth(folder, GO, *packages, short=not form.startswith("standard"))
            keep(f"go/gotestsum-{form}", text, folder, source, facts)
    for form, packages in {"pkgname": TESTED, "testname": crashing, "standard-quiet": ["./calc"]}.items():
        if GOTESTSUM_OLD and (not wanted or f"gotestsum1.8-{form}" in wanted):
            text = log(folder, GOTESTSUM_OLD, "--format", form, "--", *packages)
            facts = truth(folder, GO, *packages, short=not form.startswith("standard"))
            keep(f"go/gotestsum1.8-{form}", text, folder, source, facts)
    if not wanted or "gotestsum-reruns" in wanted:
        text = log(folder, GOTESTSUM, "--format", "testname", "--rerun-fails=2", "--packages", "./flaky ./nested")
        facts = truth(folder, GO, "./flaky", "./nested", short=True, again=True)
        keep("go/gotestsum-reruns", text, folder, "go test -json, a run after it, with what it left", facts)
    if not wanted or "gotestsum-jsonfile" in wanted:
        FRESH.unlink(missing_ok=True)
        events = folder / "events.json"
        log(folder, GOTESTSUM, "--jsonfile", events, "--rerun-fails=2", "--packages", "./flaky ./nested")
        facts = truth(folder, GO, "./flaky", "./nested", again=True)
        source = "go test -json, a run after it, with what it left"
        keep("go/gotestsum-jsonfile", events.read_text(encoding="utf-8"), folder, source, facts)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
    mono(set(sys.argv[1:]))
