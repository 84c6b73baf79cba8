"""A log of few lines tells the same behind whatever systems put before its lines, and so does a result file."""

import json
from itertools import chain
from pathlib import Path

import pytest
from test_printed_results import BIOME, DOCUMENTS, ESLINT, JEST, JUNIT, OXLINT, RUFF, STYLELINT
from test_reports import REPORTS, swift
from test_results_formats import AVOCADO, AVOCADO_XML, NUNIT3, TRX
from wrapping import WORDS, WRAPPINGS

import ci_failures

TESTS = Path(__file__).parent
LOGS = TESTS / "logs"
FOLDERS = sorted(path.name for path in LOGS.iterdir())
SIZES = (1, 2, 3)
"""Lines of a log that are too few to show what they share."""


def list_failures(results):
    return sorted((one.tool, one.name, one.file, one.line, one.flaky) for tale in results for one in tale.failures)


def find_excerpts(folder, read):
    """Return a few lines for each tool and size that alone show a failure."""
    found = {}
    for path in sorted((LOGS / folder).glob("*.log")):
        log = path.read_bytes().decode("utf-8", "replace")
        lines = log.split("\n")
        for one in chain.from_iterable(tale.failures for tale in read(log)):
            for size in SIZES:
                begin = max(0, one.log_line - 1 - (size - 1) // 2)
                excerpt = "\n".join(lines[begin : begin + size]) + "\n"
                if (one.tool, size) not in found and list_failures(read(excerpt)):
                    found[one.tool, size] = excerpt
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_few_lines_tell_the_same_behind_any_prefix(folder, read):
    wrong = []
    for case, excerpt in find_excerpts(folder, read).items():
        plain = list_failures(read(excerpt))
        wrong += [(case, name) for name, wrap in WRAPPINGS.items() if list_failures(read(wrap(excerpt))) != plain]
    assert wrong == []


def in_one_line(text):
    return " ".join(text.split("\n"))


FILES = {
    **{name: content if isinstance(content, str) else json.dumps(content) for name, (content, _) in REPORTS.items()},
    **DOCUMENTS,
    "TRX": in_one_line(TRX),
    "TRX behind its declaration": in_one_line(TRX).replace("<TestRun", "\n<TestRun", 1),
    "NUnit 3": in_one_line(NUNIT3),
    "Avocado": json.dumps(json.loads(AVOCADO)),
    "Avocado's XML": in_one_line(AVOCADO_XML),
    "Biome": BIOME,
    "CTRF": json.dumps(json.loads((TESTS / "results" / "jest" / "ctrf.json").read_text(encoding="utf-8"))),
    "ESLint with metadata": ESLINT,
    "Jest in one line": JEST,
    "Jest behind a line": f"$ npx vitest run\n{JEST}",
    "JUnit": in_one_line(JUNIT),
    "libtest": (TESTS / "results" / "cargo" / "libtest.jsonl").read_text(encoding="utf-8"),
    "oxlint": OXLINT,
    "ruff's lines": RUFF,
    "Stylelint": STYLELINT,
    "Swift": swift().decode(),
    "go test -json": '{"Action":"fail","Package":"p","Test":"TestA","Elapsed":0}\n{"Action":"fail","Package":"p"}\n',
    "TAP": "TAP version 13\nnot ok 1 - adds\n1..1\n",
}


def list_entries(text):
    entries = ci_failures.parse(text.encode()).entries
    return sorted((one.failure.tool, one.failure.name, one.failure.file, one.failure.line) for one in entries)


@pytest.mark.parametrize("name", FILES)
def test_a_result_file_tells_the_same_behind_any_prefix(name):
    plain = list_entries(FILES[name])
    assert plain
    assert [wrapping for wrapping, wrap in WRAPPINGS.items() if list_entries(wrap(FILES[name])) != plain] == []


@pytest.mark.parametrize("words", ["Results: ", "the run of 12:03 wrote ", "$ cat results.json; "])
def test_words_before_a_result_file_in_one_line_are_left_out(words):
    assert list_entries(f"{words}{JEST}\n") == list_entries(JEST)


def test_a_long_line_belongs_to_its_container_as_a_whole():
    others = "".join(f"db-1   | row {n} was written\n" for n in range(9))
    assert list_entries(f"{others}web-1  | {JEST}\n{others}") == list_entries(JEST)


@pytest.mark.parametrize("name", WORDS)
@pytest.mark.parametrize("text", ["all is well\n", "done\n\n", "12 files were written\nin 3 s\nbye\n"])
def test_nothing_that_is_understood_behind_a_prefix_is_never_passed(name, text):
    assert ci_failures.parse(WRAPPINGS[name](text).encode()).status == "unknown"
