"""Write tests/results: result files of real tools on the samples of their logs, each with its truth beside.

The truth of a file is taken from another source of the same sample, as the scripts beside the samples take it: reports
and events of the tool. Usage: make.py [CASE …]; go, gotestsum, go-junit-report, cargo and npm must be there.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path

SAMPLES = Path(__file__).parents[1]
RESULTS = SAMPLES.parent / "results"
sys.path.insert(0, str(SAMPLES))

import native  # noqa: E402
import npm  # noqa: E402
import pypi  # noqa: E402
import toolchains  # noqa: E402


def of(sample):
    """Give the script of a sample: it knows the truth."""
    spec = importlib.util.spec_from_file_location(f"{sample}_make", SAMPLES / sample / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def keep(case, content, root, source, failures):
    """Write a result file and its truth."""
    target = RESULTS / case
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(scrub(content, root), encoding="utf-8")
    once = dict.fromkeys(json.dumps(row, sort_keys=True, ensure_ascii=False) for row in failures)
    truth = f'{{"from": {json.dumps(source)}, "failures": [\n' + ",\n".join(once) + "\n]}\n"
    target.with_suffix(".truth.json").write_text(scrub(truth, root), encoding="utf-8")


def scrub(text, root):
    """Put the paths of CI in the place of ours, and no machine's name."""
    for path in (str(Path(root).resolve()), str(root)):
        text = text.replace(path, "/home/runner/work/app/app")
    text = text.replace(str(Path.home()), "/home/runner").replace(os.uname().nodename, "runner")
    for ours in {str(native.ROOT), str(npm.ROOT), str(pypi.ROOT), str(toolchains.ROOT)}:
        text = text.replace(ours, "/home/runner/work/_temp")
    return text


def pytest():
    for version, python in {"9": "3.13", "7": "3.9"}.items():
        programs = pypi.venv(f"results-{version}", python, f"pytest~={version}.0")
        for family, what in {"xunit1": "tests", "xunit2": "tests", "collection": "broken"}.items():
            folder = pypi.project("pytest", f"results-{version}-{family}")
            told = folder.parent / "truth.json"
            env = pypi.CI | {"TRUTH": str(told), "TRUTH_ROOT": str(folder), "PYTHONPATH": str(SAMPLES / "pytest")}
            xml = folder / "junit.xml"
            form = family if family != "collection" else "xunit2"
            options = f"-o junit_family={form} --junitxml={xml} -p truth {what}".split()
            pypi.run(folder, programs / "python", "-m", "pytest", *options, env=env)
            rows, source = json.loads(told.read_text()), f"reports of pytest {version}"
            keep(f"pytest/{version}-{family}.xml", xml.read_text(), folder, source, rows)


def go():
    make = of("go")
    folder = toolchains.project("go", "go")
    packages = ["./calc", "./nested", "./fine", "./shown"]
    rows = list(make.truth(folder, "go", *packages))
    source = "go test -json, a run of its own"
    text = toolchains.run(folder, "go", "test", "-json", *packages, env=make.CI)
    keep("go/events.jsonl", text, folder, source, rows)
    text = toolchains.run(folder, "go", "test", "-json", "./broken", "./calc", env=make.CI)
    keep("go/broken.jsonl", text, folder, source, make.truth(folder, "go", "./broken", "./calc"))
    xml = folder / "junit.xml"
    toolchains.run(folder, "gotestsum", f"--junitfile={xml}", "--", *packages, env=make.CI)
    keep("go/gotestsum.xml", xml.read_text(), folder, source, rows)
    honest = ["./nested", "./shown"]  # of what others print it makes tests that are none
    command = f"go test -json {' '.join(honest)} | go-junit-report -parser gojson > {xml}"
    toolchains.run(folder, "sh", "-c", command, env=make.CI)
    keep("go/go-junit-report.xml", xml.read_text(), folder, source, make.truth(folder, "go", *honest))


def cargo():
    make = of("cargo")
    folder = toolchains.project("cargo", "cargo")
    target = {("app", "--test", "it"): "app::it"}
    told = make.truth(folder, "cargo", make.PLAIN, target)
    rows = [row | {"name": row["name"].removeprefix("app::it::")} for row in told]
    env = make.PLAIN | {"RUSTC_BOOTSTRAP": "1"}
    text = toolchains.run(folder, "cargo", "test", "-q", "-p", "app", "--test", "it", *make.JSON, env=env)
    text = "".join(f"{line}\n" for line in text.splitlines() if line.startswith("{"))
    keep("cargo/libtest.jsonl", text, folder, "the same, by the script of the logs", rows)


def jest():
    make = of("jest")
    folder = npm.project("jest", "results-jest", "jest@30", "jest-junit", "jest-ctrf-json-reporter")
    files = ("src/auth", "src/deep", "src/snap")
    result, ctrf = folder / "result.json", ["--reporters=jest-ctrf-json-reporter"]
    for case, settings in {"default": {}, "with-files": {"JEST_JUNIT_ADD_FILE_ATTRIBUTE": "true"}}.items():
        command = ["node", "node_modules/.bin/jest", *files, "--ci", "--json", f"--outputFile={result}"]
        npm.run(folder, *command, "--reporters=jest-junit", *ctrf, env=npm.CI | settings)
        rows = list(make.truth(folder, result))
        keep(
            f"jest/{case}.xml", (folder / "junit.xml").read_text(), folder, "the JSON result of Jest 30, same run", rows
        )
    keep("jest/ctrf.json", (folder / "ctrf/ctrf-report.json").read_text(), folder, "the JSON result of Jest 30", rows)


def vitest():
    make = of("vitest")
    for version in (1, 3):
        folder = npm.project("vitest", f"results-vitest{version}", f"vitest@{version}")
        result, xml = folder / "result.json", folder / "junit.xml"
        shown = ["--reporter=junit", f"--outputFile={xml}", "--reporter=./truth.mjs"]
        npm.run(folder, "node", "node_modules/vitest/vitest.mjs", "run", *shown, env=npm.CI)
        rows = make.truth(folder, result)
        keep(f"vitest/{version}.xml", xml.read_text(), folder, f"a reporter of Vitest {version}, same run", rows)


def mocha():
    make = of("mocha")
    folder = npm.project("mocha", "results-mocha", "mocha@11", "mocha-junit-reporter")
    result, xml = folder / "result.json", folder / "junit.xml"
    command = ["node", "node_modules/.bin/mocha", "--reporter"]
    npm.run(folder, *command, "json", "--reporter-option", f"output={result}", env=npm.CI)
    for reporter, option in {"xunit": f"output={xml}", "mocha-junit-reporter": f"mochaFile={xml}"}.items():
        npm.run(folder, *command, reporter, "--reporter-option", option, env=npm.CI)
        rows = make.truth(folder, result)
        keep(f"mocha/{reporter}.xml", xml.read_text(), folder, "the JSON reporter of Mocha 11, a run of its own", rows)


def node():
    make = of("nodetest")
    folder = npm.project("nodetest", "results-node", "is-odd")
    result = folder / "result.json"
    for version in (20, 24):
        runtime = "node" if version == 20 else npm.node(version)
        for reporter, ending in {"junit": "xml", "tap": "tap"}.items():
            result.unlink(missing_ok=True)
            out = folder / f"out.{ending}"
            shown = [f"--test-reporter={reporter}", f"--test-reporter-destination={out}"]
            beside = ["--test-reporter=./truth.mjs", f"--test-reporter-destination={result}"]
            npm.run(folder, runtime, "--test", *shown, *beside, env=npm.CI)
            rows = make.truth(result, reporter)
            keep(f"node/{version}.{ending}", out.read_text(), folder, f"the events of Node {version}, same run", rows)


def playwright():
    make = of("playwright")
    folder = npm.project("playwright", "results-playwright", "@playwright/test@1.50")
    xml, result = folder / "junit.xml", folder / "result.json"
    env = npm.CI | {"FROM_ROOT": "1", "PLAYWRIGHT_JUNIT_OUTPUT_NAME": str(xml)}
    npm.run(
        folder, "node", "node_modules/.bin/playwright", "test", "--reporter=junit,./truth.ts", "--retries=1", env=env
    )
    keep(
        "playwright/retries.xml", xml.read_text(), folder, "a reporter of Playwright 1.50, same run", make.truth(result)
    )


def gtest():
    make = of("gtest")
    folder = native.project("gtest")
    program, xml = native.compiled(folder, "sums.cc", "-lgtest_main", "-lgtest", "-lpthread"), folder / "result.xml"
    _, rows = make.ran(folder, program)
    native.run(folder, program, f"--gtest_output=xml:{xml}")
    keep("gtest/result.xml", xml.read_text(), folder, "gtest's JSON, a run of its own", rows)


def catch2():
    folder = native.project("catch2")
    program, xml = native.compiled(folder, "sums.cpp"), folder / "result.xml"
    rows = native.catch2_rows(native.run(folder, program, "-r", "xml"), folder)
    native.run(folder, program, "-r", "junit", "-o", xml)
    keep("catch2/result.xml", xml.read_text(), folder, "Catch2's XML, a run of its own", rows)


CASES = (pytest, go, cargo, jest, vitest, mocha, node, playwright, gtest, catch2)

if __name__ == "__main__":
    for make in CASES:
        if not sys.argv[1:] or make.__name__ in sys.argv[1:]:
            make()
